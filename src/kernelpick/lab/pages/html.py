"""What every page shares: a file that opens offline, and the figure of average losses over the rounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from statistics import fmean

from kernelpick.lab.pages.charts import Series, line_chart, tag, text

SKIPPED_SHARE = 0.005  # of the rounds: means of so few losses say nothing, and would set the scale


def document(title: str, *parts: str) -> str:
    """The whole file, as HTML that is also XML."""
    style = files("kernelpick.lab.pages").joinpath("style.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", text(title)),
        tag("style", style),
    )
    return "<!DOCTYPE html>\n" + tag("html", head, tag("body", tag("main", *parts)), lang="en") + "\n"


def css_class(name: str) -> str:
    """A name as a class of the style sheet.

    >>> css_class("rf-oks++"), css_class('my "own" one')
    ('rf-okspp', 'my--own--one')
    """
    return re.sub(r"[^\w-]", "-", name.replace("+", "p"))


def mean_curve(name: str, kind: str, steps: Sequence[int], curves: Iterable[Sequence[float]]) -> Series:
    """The mean of curves that were sampled at the same rounds, without its first few points."""
    points = zip(steps, columnwise_mean(curves), strict=True)
    return Series(name, kind, [(x, y) for x, y in points if x >= SKIPPED_SHARE * steps[-1]])


def curves_figure(series: Sequence[Series], rounds: int, caption: str, label: str) -> str:
    """Lines over the rounds, with a legend that is in the order in which they end."""
    ranked = sorted(series, key=lambda one: -one.points[-1][1])  # from top to bottom
    names = legend(ranked, [tag("span", f" {one.points[-1][1]:.4f}", kind="soft") for one in ranked])
    chart = tag("div", line_chart(series, rounds, label), names, kind="beside")
    return tag("figure", tag("figcaption", text(caption)), chart)


def legend(series: Sequence[Series], notes: Sequence[str] = ()) -> str:
    """The names of lines beside a piece of each, with a note to each or without."""
    piece = '<svg viewBox="0 0 26 10"><path d="M0,5L26,5" class="line {}"/></svg>'
    pairs = zip(series, notes or [""] * len(series), strict=True)
    return tag("ul", *(tag("li", piece.format(one.kind), text(one.name), note) for one, note in pairs), kind="legend")


def columnwise_mean(rows: Iterable[Sequence[float]]) -> list[float]:
    """Point by point."""
    return [fmean(column) for column in zip(*rows, strict=True)]
