"""What `kernelpick reproduce --equal-time` shows: on the terminal, in equal-time.csv and .html, and in the docs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from kernelpick import __version__
from kernelpick.lab.pages.charts import tag, text
from kernelpick.lab.pages.html import document
from kernelpick.lab.pages.tables import ShownColumn, element, filled, terminal
from kernelpick.lab.reproduce.cells import Cell, title
from kernelpick.lab.reproduce.equal_time import with_sizes
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.sizing import Sizing
from kernelpick.lab.reproduce.summary import Reproduction, summarise
from kernelpick.lab.reproduce.tables import published, spread

ABOUT = (
    "The reference, RF-OKS++ or with the absolute loss RF-IOKS, has 400 random features. All others have the number of "
    "features D or the budget B with which a round takes as long as one of the reference on this machine; the paper's "
    "own D or B stands before it. 'Share' is the share of the reference's time that was measured with that size, both "
    "in turns. Where the least size still takes longer, it is that one, and orders have a star."
)


class SizedCell(NamedTuple):
    """A cell of the paper's, and what came out with a size of its own."""

    paper: Cell
    line: Reproduction
    sizing: Sizing


def standings(sizes: Mapping[Cell, Sizing], settings: str, repeats: int, results: Results) -> list[SizedCell]:
    """What came out for each cell with its size."""
    lines = summarise(with_sizes(sizes), (settings,), repeats, results)
    return [SizedCell(*row) for row in zip(sizes, lines, sizes.values(), strict=True)]


COLUMNS: tuple[ShownColumn[SizedCell], ...] = (
    ShownColumn("dataset", lambda one: one.paper.dataset, numeric=False),
    ShownColumn("algorithm", lambda one: one.paper.algorithm, numeric=False),
    ShownColumn("s", lambda one: "" if one.line.step_scale is None else f"{one.line.step_scale:g}"),
    ShownColumn("paper's", lambda one: "" if one.paper.published is None else str(one.paper.size)),
    ShownColumn("D or B", lambda one: str(one.sizing.size)),
    ShownColumn("published", lambda one: published(one.paper)),
    ShownColumn("equal time", lambda one: spread(one.line.mean, one.line.std)),
    ShownColumn("time", lambda one: f"{1e6 * one.sizing.seconds:.2f} µs"),
    ShownColumn("share", lambda one: f"{one.sizing.ratio:.0%}"),
)
FIELDS = (
    "table", "algorithm", "loss", "dataset", "settings", "size", "paper_size", "step_scale", "mean", "std",
    "paper_mean", "paper_std", "seconds_per_round", "reference_seconds_per_round",
)  # fmt: skip


class Order(NamedTuple):
    """The algorithms of one dataset of a table, the best first."""

    table: int
    loss: str
    dataset: str
    paper: str
    here: str


ORDERS: tuple[ShownColumn[Order], ...] = (
    ShownColumn("table", lambda one: str(one.table)),
    ShownColumn("dataset", lambda one: one.dataset, numeric=False),
    ShownColumn("loss", lambda one: one.loss, numeric=False),
    ShownColumn("published order", lambda one: one.paper, numeric=False),
    ShownColumn("order at equal time", lambda one: one.here, numeric=False),
)


def orders(standings: Iterable[SizedCell]) -> list[Order]:
    """Those of all datasets of all tables; a star is for what takes longer than the reference with any size."""
    found = []
    for (table, loss, dataset), group in groupby(standings, key=lambda one: (one.paper[0], *one.paper[2:4])):
        own = list(group)
        paper = {one.paper.algorithm: one.paper.published.mean for one in own if one.paper.published is not None}
        here = {f"{one.paper.algorithm}{'*' * one.sizing.late}": one.line.mean for one in own}
        found.append(Order(table, loss, dataset, order(paper), order(here)))
    return found


def order(errors: dict[str, float]) -> str:
    """Names by their errors.

    >>> order({"raker": 0.05501, "oks": 0.03, "rf-oks": 0.05499})
    'oks, rf-oks = raker'
    """
    ranked = sorted(errors, key=errors.__getitem__)
    told = ranked[:1]
    for before, name in pairwise(ranked):
        same = f"{errors[before]:.4f}" == f"{errors[name]:.4f}"
        told += [" = " if same else ", ", name]
    return "".join(told)


def by_table(standings: Iterable[SizedCell]) -> list[tuple[str, list[SizedCell]]]:
    """Titles and rows."""
    grouped = groupby(standings, key=lambda one: one.paper.table)
    return [(f"{title(table)}, in equal time", list(rows)) for table, rows in grouped]


def show(standings: Sequence[SizedCell]) -> None:
    """Print the tables."""
    console = terminal()
    for heading, rows in by_table(standings):
        console.print(filled(COLUMNS, rows, title=heading))
    console.print(filled(ORDERS, orders(standings), title="From the best to the worst"))
    console.print("A star: with any size it takes longer than the reference.")


def as_csv(standings: Iterable[SizedCell]) -> str:
    """The text of equal-time.csv."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(FIELDS)
    for paper, line, sizing in standings:
        known = paper.published
        told = ("", "", "") if known is None else (paper.size, known.mean, known.std)
        scale = "" if line.step_scale is None else f"{line.step_scale:g}"
        numbers = (f"{number:.6g}" for number in (line.mean, line.std))
        head = (paper.table, paper.algorithm, paper.loss, paper.dataset, line.settings, sizing.size, told[0], scale)
        writer.writerow([*head, *numbers, *told[1:], f"{sizing.seconds:.4g}", f"{sizing.reference:.4g}"])
    return sheet.getvalue()


def page(standings: Sequence[SizedCell]) -> str:
    """equal-time.html, which opens offline."""
    line = standings[0].line
    about = f"kernelpick {__version__}, {line.settings} settings, {len(line.runs)} permutations of each dataset"
    parts = [tag("h2", text(heading)) + element(COLUMNS, rows) for heading, rows in by_table(standings)]
    return document(
        "kernelpick: the paper's tables in equal time",
        tag("h1", "The paper's tables in equal time"),
        tag("p", text(about), kind="soft"),
        tag("p", text(ABOUT)),
        tag("h2", "From the best to the worst"),
        element(ORDERS, orders(standings)),
        *parts,
    )
