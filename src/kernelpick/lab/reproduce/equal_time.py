"""The paper's rule: the reference has 400 features, and each other algorithm the size that takes as long a round."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.spaces.tiles import TILE
from kernelpick.files.errors import DataError
from kernelpick.files.text import Floats
from kernelpick.lab.reproduce.cells import Cell, all_cells
from kernelpick.lab.reproduce.clock import seconds_a_round
from kernelpick.lab.reproduce.options import Options
from kernelpick.lab.reproduce.runs import Run, permuted
from kernelpick.lab.reproduce.sizes import keep, name, sizes_in
from kernelpick.lab.reproduce.sizing import Clock, SideBySide, Sizing, sized
from kernelpick.lab.reproduce.stamps import stamp_of
from kernelpick.lab.running.journal import Journal
from kernelpick.lab.running.pace import paced

REFERENCES = ("rf-oks++", "rf-ioks")  # the first that the table has: with the absolute loss, the second
FEATURES = 400  # of the reference
FIRST = (0.25, 0.5, 1.0, 1.5)  # numbers of features to measure at, as shares of the paper's
TILES = (1, 2, 3)  # budgets to measure at: a round meets stored examples by tiles, and a part of one takes no less


def constrained(cells: Sequence[Cell]) -> list[Cell]:
    """The cells that have a size. Exact hypotheses keep all examples: their rounds take longer and longer."""
    exact = dict.fromkeys(cell.algorithm for cell in cells if cell.size is None and cell.published is None)
    for algorithm in exact:
        print(f"{algorithm} is left out: its time a round grows with the stream, so no size fits.", file=sys.stderr)
    kept = [cell for cell in cells if cell.size is not None]
    if not kept:
        raise ValueError("--equal-time is about the tables with a time constraint, 5 to 10; ask for some of those.")
    return kept


def reference(cell: Cell) -> Cell:
    """The one with whose time a round this one is to come out."""
    beside = {other.algorithm: other for other in all_cells() if (other.table, *other[2:4]) == (cell.table, *cell[2:4])}
    return next(beside[one] for one in REFERENCES if one in beside)._replace(size=FEATURES)


def sizings(cells: Sequence[Cell], settings: str, options: Options, plugins: tuple[str, ...]) -> dict[Cell, Sizing]:
    """For each cell its size: that of the folder, or else measured, one after the other in this process, and kept."""
    folder = Path(options.out)
    stamps = {cell: stamp_of(_run(cell, settings), options.data, plugins) for cell in cells}
    with sizes_in(folder) as journal:
        missing = []
        for cell in cells:
            kept = journal[name(cell, settings)][0] if name(cell, settings) in journal else None
            if kept not in (None, stamps[cell]) and cell.published is not None:
                raise DataError(
                    f"{journal.path} holds sizes on {cell.dataset} by another version of kernelpick or on other data: "
                    "name another folder by --out, or remove the file to measure anew."
                )
            if kept != stamps[cell]:  # one's own algorithms change often, and are measured again
                missing.append(cell)
        if missing:
            with paced(missing, lambda cell: 1.0, "sizes") as advance:
                for cell in missing:
                    keep(journal, cell, settings, measured(cell, settings, options.data), stamps[cell])
                    advance(cell)
        return known(cells, settings, journal)


def known(cells: Iterable[Cell], settings: str, journal: Journal[tuple[str, Sizing]]) -> dict[Cell, Sizing]:
    """The sizes that were measured, cell by cell."""
    return {cell: journal[name(cell, settings)][1] for cell in cells}


def with_sizes(sizes: Mapping[Cell, Sizing]) -> list[Cell]:
    """The cells, each with its size."""
    return [cell._replace(size=found.size) for cell, found in sizes.items()]


def measured(cell: Cell, settings: str, data_dir: str | None) -> Sizing:
    """The size of a cell, by the clock of this process; the reference has its own, and only its time is taken."""
    X, y = permuted(_run(cell, settings), data_dir)
    clock = clock_over(cell, settings, X, y)
    if cell.algorithm == reference(cell).algorithm:
        times = clock([FEATURES])
        return Sizing(FEATURES, times.sizes[0], times.reference, [(FEATURES, times.sizes[0] / times.reference)])
    if not ALGORITHMS[cell.algorithm].space.linear:
        return sized(clock, [TILE * tiles for tiles in TILES], TILE)
    assert cell.size is not None
    return sized(clock, [max(1, round(share * cell.size)) for share in FIRST])


def clock_over(cell: Cell, settings: str, X: Floats, y: Floats) -> Clock:
    """Time a round over these rows; the reference is measured with the sizes each time."""

    def clock(sizes: Sequence[int]) -> SideBySide:
        contestants = [reference(cell), *(cell._replace(size=size) for size in sizes)]
        standard, *others = seconds_a_round([_run(contestant, settings) for contestant in contestants], X, y)
        return SideBySide(standard, others)

    return clock


def _run(cell: Cell, settings: str) -> Run:
    """What is timed: one permutation, with the least step scale, which hardly ever diverges."""
    return Run(cell, settings, 0, cell.step_scales[0])
