"""What `kernelpick reproduce --explain` shows: on the terminal, in explained.csv and explained.html, in the docs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from kernelpick import __version__
from kernelpick.lab.datasets.registry import Range
from kernelpick.lab.pages.charts import tag, text
from kernelpick.lab.pages.html import document
from kernelpick.lab.pages.tables import ShownColumn, element, filled, terminal
from kernelpick.lab.reproduce.explain import Explanation, Rescaled, Variation
from kernelpick.lab.reproduce.summary import Reproduction
from kernelpick.lab.reproduce.tables import published, spread

ABOUT = (
    "Each cell that is outside the tolerance was computed again with every step scale of the grid, with inputs in the "
    "range that the paper names and in another one: [0, 1], or [-1, 1] for data that are used as they were shipped. "
    "Shown is, of the settings that fit, the one with the fewest departures from what the paper describes, and of "
    "these the nearest; the last column says how many fit of those that were tried. This is an inference from the "
    "numbers: nobody but the authors knows what was run."
)
COLUMNS: tuple[ShownColumn[Explanation], ...] = (
    ShownColumn("table", lambda one: str(one.ours.cell.table)),
    ShownColumn("algorithm", lambda one: one.ours.cell.algorithm, numeric=False),
    ShownColumn("dataset", lambda one: one.ours.cell.dataset, numeric=False),
    ShownColumn("loss", lambda one: one.ours.cell.loss, numeric=False),
    ShownColumn("published", lambda one: published(one.ours.cell)),
    ShownColumn("ours", lambda one: spread(one.ours.mean, one.ours.std)),
    ShownColumn("other setting", lambda one: setting(one.nearest, one.ours), numeric=False),
    ShownColumn("gives", lambda one: spread(one.nearest.line.mean, one.nearest.line.std)),
    ShownColumn("within", lambda one: "yes" if one.explained else "no", numeric=False),
    ShownColumn("fit", lambda one: f"{len(one.fitting)} of {len(one.tried)}"),
)
WHOLE: tuple[ShownColumn[Rescaled], ...] = (
    ShownColumn("dataset", lambda one: one.dataset, numeric=False),
    ShownColumn("inputs in", lambda one: interval(one.inputs), numeric=False),
    ShownColumn("cells", lambda one: str(len(one.lines))),
    ShownColumn("within as usual", lambda one: str(one.within(0))),
    ShownColumn("within so", lambda one: str(one.within(1))),
    ShownColumn("nearer so", lambda one: str(one.nearer)),
)
FIELDS = (
    "table", "algorithm", "loss", "dataset", "paper_mean", "paper_std", "inputs", "step_scale", "mean", "std", "within",
    "shown",
)  # fmt: skip


def interval(inputs: Range) -> str:
    """A range as it is written.

    >>> interval((0.0, 1.0))
    '[0, 1]'
    """
    return f"[{inputs[0]:g}, {inputs[1]:g}]"


def setting(variation: Variation, ours: Reproduction) -> str:
    """In what a variation differs from ours."""
    scale = "" if variation.line.step_scale is None else f"s = {variation.line.step_scale:g}"
    if variation.inputs is None:
        return f"{scale}, not {ours.step_scale:g}"
    return ", ".join(part for part in (f"in {interval(variation.inputs)}", scale) if part)


def verdict(lines: Sequence[Reproduction], explanations: Sequence[Explanation]) -> str:
    """One sentence about all cells."""
    told = [line for line in lines if line.within is not None]
    found = sum(one.explained for one in explanations)
    left = len(explanations) - found
    rest = "none is left" if left == 0 else f"{left} of them stay unexplained"
    return (
        f"{len(told) - len(explanations)} of {len(told)} cells are within the tolerance; of the other "
        f"{len(explanations)}, {found} come out within it in another setting, and {rest}."
    )


def show(lines: Sequence[Reproduction], explanations: Sequence[Explanation], whole: Sequence[Rescaled]) -> None:
    """Print the tables and the sentence."""
    console = terminal()
    if explanations:
        console.print(filled(COLUMNS, explanations, title="What explains the cells outside"))
    if whole:
        console.print(filled(WHOLE, whole, title="All cells of a dataset in that range"))
    console.print(verdict(lines, explanations))


def as_csv(explanations: Iterable[Explanation]) -> str:
    """The text of explained.csv: ours, then all that was tried, for each cell."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(FIELDS)
    for one in explanations:
        cell = one.ours.cell
        assert cell.published is not None
        head = (cell.table, cell.algorithm, cell.loss, cell.dataset, *cell.published[:2])
        for tried in (Variation(None, one.ours, True), *one.tried):
            inputs = "" if tried.inputs is None else interval(tried.inputs)
            scale = "" if tried.line.step_scale is None else f"{tried.line.step_scale:g}"
            numbers = (f"{number:.6g}" for number in (tried.line.mean, tried.line.std))
            writer.writerow([*head, inputs, scale, *numbers, tried.line.within, tried == one.nearest])
    return sheet.getvalue()


def page(lines: Sequence[Reproduction], explanations: Sequence[Explanation], whole: Sequence[Rescaled]) -> str:
    """explained.html, which opens offline."""
    parts = [tag("p", text(verdict(lines, explanations))), tag("p", text(ABOUT))]
    if explanations:
        parts += [tag("h2", "The cells outside the tolerance"), element(COLUMNS, explanations)]
    if whole:
        parts += [tag("h2", "All cells of a dataset in that range"), element(WHOLE, whole)]
    permutations = f"kernelpick {__version__}, {len(lines[0].runs)} permutations of each dataset"
    return document(
        "kernelpick: the paper explained",
        tag("h1", "What explains the cells that are off"),
        tag("p", text(permutations), kind="soft"),
        *parts,
    )
