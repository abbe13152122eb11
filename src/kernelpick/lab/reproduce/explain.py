"""Why a cell is off: each step scale of the grid, in the paper's range of the inputs and in another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kernelpick.lab.datasets.prepared import USUAL
from kernelpick.lab.datasets.registry import Range, lookup
from kernelpick.lab.reproduce import plan
from kernelpick.lab.reproduce.cells import Cell
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.reproduce.summary import Reproduction, best, grid
from kernelpick.lab.running.names import unique

SETTINGS = "published"  # those whose numbers are to be explained


class Variation(NamedTuple):
    """A cell as computed with another step scale, with inputs in another range, or both."""

    inputs: Range | None
    line: Reproduction
    hindsight: bool  # whether the step scale is the best of the grid in that range

    @property
    def departures(self) -> int:
        """In how many ways it differs from what the paper describes: best step scale, usual range."""
        return (self.inputs is not None) + (not self.hindsight)


class Explanation(NamedTuple):
    """A cell outside the tolerance, and all that was tried to explain it."""

    ours: Reproduction
    tried: tuple[Variation, ...]

    @property
    def nearest(self) -> Variation:
        """Of those that fit, or else of all: with the fewest departures, and of these the nearest to the paper."""
        return min(self.fitting or self.tried, key=lambda one: (one.departures, _distance(one.line)))

    @property
    def fitting(self) -> tuple[Variation, ...]:
        return tuple(one for one in self.tried if one.line.within)

    @property
    def explained(self) -> bool:
        return bool(self.fitting)


class Rescaled(NamedTuple):
    """A dataset in the range that explains some of its cells: does it spoil the others?"""

    dataset: str
    inputs: Range
    lines: tuple[tuple[Reproduction, Reproduction], ...]  # of each of its cells: in the usual range, and in the other

    def within(self, place: int) -> int:
        return sum(pair[place].within is True for pair in self.lines)

    @property
    def nearer(self) -> int:
        """Cells that are nearer to the paper in the other range."""
        return sum(_distance(there) < _distance(here) for here, there in self.lines)


def other_range(dataset: str) -> Range:
    """What inputs may have been scaled to instead: [0, 1]; and [-1, 1], as the paper says, where nothing is scaled."""
    return (0.0, 1.0) if lookup(dataset).scaled else USUAL


def outside(lines: Iterable[Reproduction]) -> list[Reproduction]:
    """What there is to explain."""
    return [line for line in lines if line.within is False]


def needed(cells: Iterable[Cell], repeats: int) -> list[Run]:
    """The runs of these cells in the other range."""
    return [run for cell in cells for run in plan.runs([cell], (SETTINGS,), repeats, other_range(cell.dataset))]


def explain(lines: Iterable[Reproduction], repeats: int, results: Results) -> list[Explanation]:
    """For each line outside the tolerance, all that was tried; needs the runs of its cell in both ranges."""
    return [Explanation(line, tuple(_tried(line, repeats, results))) for line in outside(lines)]


def _tried(ours: Reproduction, repeats: int, results: Results) -> Iterable[Variation]:
    for inputs in (None, other_range(ours.cell.dataset)):
        lines = grid(ours.cell, SETTINGS, repeats, results, inputs)
        chosen = best(lines).step_scale
        for line in lines:
            if inputs is not None or line.step_scale != ours.step_scale:
                yield Variation(inputs, line, line.step_scale == chosen)


def doubtful(lines: Iterable[Reproduction], explanations: Sequence[Explanation]) -> list[Reproduction]:
    """All lines of the datasets of which a cell is explained by another range."""
    names = unique(one.ours.cell.dataset for one in explanations if one.explained and one.nearest.inputs is not None)
    return [line for line in lines if line.cell.dataset in names and line.cell.published is not None]


def rescaled(lines: Sequence[Reproduction], repeats: int, results: Results) -> list[Rescaled]:
    """Such datasets in both ranges; needs the runs of all these lines in both."""
    found = []
    for dataset in unique(line.cell.dataset for line in lines):
        inputs = other_range(dataset)
        own = [line for line in lines if line.cell.dataset == dataset]
        there = (best(grid(line.cell, SETTINGS, repeats, results, inputs)) for line in own)
        found.append(Rescaled(dataset, inputs, tuple(zip(own, there, strict=True))))
    return found


def _distance(line: Reproduction) -> float:
    assert line.difference is not None
    return abs(line.difference)
