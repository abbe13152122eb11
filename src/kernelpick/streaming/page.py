"""The page of `kernelpick inspect --html`: the same sections, with the progressive error and who led when."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from kernelpick import __version__
from kernelpick.lab.pages.charts import Series, area_chart, line_chart, tag, text
from kernelpick.lab.pages.html import document
from kernelpick.online.history import Entry
from kernelpick.streaming.facts import Section
from kernelpick.views.figure import short

COLOURS = 6  # of the style sheet


def page(estimator: Any, name: str, told: Sequence[Section]) -> str:
    """One file that opens offline."""
    return document(
        f"kernelpick: {name}",
        tag("h1", text(name)),
        tag("p", text(f"kernelpick {__version__}"), kind="soft"),
        *_figures(estimator),
        *(part for section in told for part in _section(section)),
    )


def _section(section: Section) -> list[str]:
    rows = [tag("tr", *(tag("td", text(cell) or " ", kind="word") for cell in row)) for row in section.rows]
    return [tag("h2", text(section.title)), tag("div", tag("table", *rows), kind="scroll")]


def _figures(estimator: Any) -> list[str]:
    """Of what was noted of the kernels; nothing before there are some, and of many models."""
    model = None if estimator is None else estimator._model
    if model is None or model.state is None:
        return []
    now = model.now()
    entries = [*(one for one in model.history.entries if one.round < now.round), now]
    if len(entries) < 2:
        return []
    figures = [_errors(entries), _leaders(entries)]
    if sum(not math.isnan(one.coverage) for one in entries) > 1:
        figures.insert(1, _coverage(entries))
    return figures


def _errors(entries: Sequence[Entry]) -> str:
    points = [(float(one.round), one.error) for one in entries if one.error > 0]
    return _figure(
        "Mean loss up to each row, each predicted before its target was used.",
        line_chart([Series("mean loss", "auto", points)], entries[-1].round, "mean loss over the rows"),
    )


def _coverage(entries: Sequence[Entry]) -> str:
    points = [(float(one.round), one.coverage) for one in entries if one.coverage > 0]
    return _figure(
        "The share of targets within their 0.9 intervals or sets, up to each row.",
        line_chart([Series("coverage", "auto", points)], entries[-1].round, "coverage over the rows"),
    )


def _leaders(entries: Sequence[Entry]) -> str:
    """A strip in which each kernel has its colour as long as it leads; those that led least share the last one."""
    spans = [after.round - one.round for one, after in pairwise(entries)]
    led: dict[str, int] = {}
    for one, span in zip(entries, spans, strict=False):
        led[short(one.kernel)] = led.get(short(one.kernel), 0) + span
    names = sorted(led, key=lambda name: -led[name])
    places = {name: min(place, COLOURS - 1) for place, name in enumerate(names)}
    rounds, shares = [], []
    for one, after in pairwise(entries):
        leads = [float(place == places[short(one.kernel)]) for place in range(min(len(names), COLOURS))]
        rounds += [one.round, after.round]
        shares += [leads, leads]
    swatch = '<svg viewBox="0 0 26 10"><rect width="26" height="10" class="area arm{}"/></svg>'
    legend = [tag("li", swatch.format(places[name]), text(f"{name}: {led[name]:,} rows")) for name in names]
    strip = area_chart(rounds, shares, "the kernel in the lead over the rows")
    return tag(
        "figure",
        tag("figcaption", text("The kernel in the lead, over the rows.")),
        tag("div", tag("div", strip), tag("ul", *legend, kind="legend"), kind="multiples"),
    )


def _figure(caption: str, chart: str) -> str:
    return tag("figure", tag("figcaption", text(caption)), tag("div", chart, kind="beside"))
