"""One line a cell: the mean over the permutations beside the published one, where there is one."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from kernelpick.lab.datasets.registry import Range
from kernelpick.lab.reproduce.cells import Cell
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run, RunResult

COLUMNS = (
    "table", "algorithm", "loss", "dataset", "settings", "mean", "std", "paper_mean", "paper_std", "within",
)  # fmt: skip
LEAST_SHARE = 0.05  # of the published value: a difference that small counts as none


class Reproduction(NamedTuple):
    """A cell as computed here."""

    cell: Cell
    settings: str
    mean: float
    std: float
    seconds: float  # mean time of a run
    step_scale: float | None  # in a summary: the best in hindsight
    runs: tuple[RunResult, ...]  # with that step scale, permutation by permutation

    @property
    def difference(self) -> float | None:
        """Relative to the published value."""
        paper = self.cell.published
        return None if paper is None else self.mean / paper.mean - 1

    @property
    def tolerance(self) -> float | None:
        paper = self.cell.published
        return None if paper is None else tolerance(self.std, paper.mean, paper.std)

    @property
    def within(self) -> bool | None:
        """Whether ours is as near to the published value as the tolerance says; None where there is none."""
        paper = self.cell.published
        return None if paper is None else abs(self.mean - paper.mean) <= tolerance(self.std, paper.mean, paper.std)


def tolerance(std: float, paper_mean: float, paper_std: float) -> float:
    """How far two means may lie apart: two standard deviations of their difference, and at least 5 %."""
    return max(2 * math.hypot(std, paper_std), LEAST_SHARE * paper_mean)


def summarise(cells: Iterable[Cell], settings: Sequence[str], repeats: int, results: Results) -> list[Reproduction]:
    """Lines for complete cells, each with the step scale whose mean over the permutations is the best."""
    return [best(grid(cell, setting, repeats, results)) for cell in cells for setting in settings]


def best(tried: Iterable[Reproduction]) -> Reproduction:
    """What is chosen in hindsight."""
    return min(tried, key=lambda line: line.mean)


def grid(cell: Cell, settings: str, repeats: int, results: Results, inputs: Range | None = None) -> list[Reproduction]:
    """A line for each step scale that is tried."""
    return [
        _line(cell, settings, scale, [results[Run(cell, settings, j, scale, inputs)] for j in range(repeats)])
        for scale in cell.step_scales
    ]


def _line(cell: Cell, settings: str, step_scale: float | None, runs: list[RunResult]) -> Reproduction:
    values = [result.value for result in runs]
    mean = fmean(values)
    # A run that diverged is infinitely bad, and then there is no spread to speak of; nor is there in a single run.
    std = stdev(values) if len(runs) > 1 and math.isfinite(mean) else 0.0
    return Reproduction(cell, settings, mean, std, fmean(result.seconds for result in runs), step_scale, tuple(runs))


def as_csv(lines: Iterable[Reproduction]) -> str:
    """The text of summary.csv."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in lines:
        cell = line.cell
        ours = (f"{number:.6g}" for number in (line.mean, line.std))
        paper = ("", "") if cell.published is None else (f"{number:.6g}" for number in cell.published[:2])
        within = "" if line.within is None else line.within
        writer.writerow([cell.table, cell.algorithm, cell.loss, cell.dataset, line.settings, *ours, *paper, within])
    return text.getvalue()
