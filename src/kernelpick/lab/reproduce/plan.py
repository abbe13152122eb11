"""Which runs there are, which of them are the same, and which should come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernelpick.lab.datasets.registry import Range, lookup
from kernelpick.lab.reproduce.cells import Cell
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.running.names import unique

SETTINGS = {"published": ("published",), "paper": ("paper",), "both": ("published", "paper")}
# Where the published experiments did something else than the paper says; None: whatever the loss.
DEPARTURES = {"oks++": "logistic", "rf-oks++": "logistic", "ioks": None, "rf-ioks": None, "raker": None}
FILLED = {"a9a": 0.4, "phishing": 0.5}  # what zeros among the inputs leave of the cost


def runs(cells: Iterable[Cell], settings: Sequence[str], repeats: int, inputs: Range | None = None) -> list[Run]:
    """Every run of these cells, hindsight grids included."""
    return [
        Run(cell, setting, permutation, scale, inputs)
        for cell in cells
        for setting in settings
        for scale in cell.step_scales
        for permutation in range(repeats)
    ]


def departs(cell: Cell) -> bool:
    """Whether the two settings differ for this cell; of a guest nobody knows."""
    return cell.published is None or (cell.algorithm in DEPARTURES and DEPARTURES[cell.algorithm] in (None, cell.loss))


def twin(run: Run) -> Run:
    """The run under the other settings that gives the same result, where they do not differ; else the run itself."""
    other = {"published": "paper", "paper": "published"}
    return run if departs(run.cell) else run._replace(settings=other[run.settings])


def distinct(runs: Iterable[Run]) -> list[Run]:
    """One of each pair of twins."""
    kept: dict[Run, None] = {}
    for run in runs:
        if twin(run) not in kept:
            kept[run] = None
    return list(kept)


def seconds(run: Run) -> float:
    """A rough guess, to begin with the longest and to tell the time left."""
    entry = lookup(run.cell.dataset)
    if run.cell.size is not None:
        return entry.rows * (15e-6 if run.cell.algorithm == "lkmbooks" else 5e-6)
    inputs = entry.features * FILLED.get(run.cell.dataset, 1.0)
    concentrated = 1.5 if run.cell.algorithm == "oks++" else 1.0  # it draws one arm most of the time, a longer sum
    return concentrated * entry.rows * (5e-6 + 4e-11 * entry.rows * inputs)


def in_order(pending: Iterable[Run]) -> list[Run]:
    """Longest first, so that all workers end together, and runs over the same rows side by side.

    Before that one run of each algorithm: its code is compiled by one worker while the others compile other code.
    """
    longest = sorted(pending, key=lambda run: (-seconds(run), run.cell.dataset, run.permutation))
    first = {run.cell.algorithm: run for run in reversed(longest)}
    return unique([*first.values(), *longest])
