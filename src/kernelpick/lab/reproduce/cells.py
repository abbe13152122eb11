"""The 88 numbers of the paper's tables 2 to 10, and which of them were asked for."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from kernelpick.core.messages import choice
from kernelpick.files.errors import at
from kernelpick.files.text import number, short
from kernelpick.lab.running.names import by_commas, unique

GRID = (1.0, 5.0, 10.0, 25.0)  # step scales from which the paper takes the best in hindsight
TUNED = ("oks", "rf-oks", "raker")


class Published(NamedTuple):
    """What the paper says."""

    mean: float
    std: float
    seconds_per_run: float | None
    seconds_per_round: float | None


class Cell(NamedTuple):
    """One number of the paper with all that is needed to compute it again, or the same for another algorithm."""

    table: int
    algorithm: str
    loss: str
    dataset: str
    size: int | None  # number of random features, or budget
    metric: str  # mistake_rate or mean_loss
    published: Published | None  # none for an algorithm that the paper does not have

    @property
    def step_scales(self) -> tuple[float | None, ...]:
        """What the hindsight grid tries; None where there is no such parameter."""
        return GRID if self.algorithm in TUNED else (None,)


class Row(NamedTuple):
    """A line of the file, whose values are told with their place if they are none."""

    path: Path
    line: int
    values: Mapping[str, str | None]

    def text(self, column: str) -> str:
        value = (self.values.get(column) or "").strip()
        if not value:
            raise at(self.path, self.line, f"the column {column} is blank; fill it in")
        return value

    def number(self, column: str) -> float:
        text = self.text(column)
        if not math.isfinite(number(text)):
            raise at(self.path, self.line, f"{short(text)} in the column {column} is not a finite number; mend it")
        return number(text)

    def perhaps(self, column: str) -> float | None:
        return self.number(column) if (self.values.get(column) or "").strip() else None


def read(path: Path) -> tuple[Cell, ...]:
    """The cells of a file, table by table, in the order of the paper."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        cells = [_cell(Row(path, reader.line_num, values)) for values in reader]
    return tuple(sorted(cells, key=lambda cell: cell.table))


def _cell(row: Row) -> Cell:
    size = row.perhaps("features_or_budget")
    return Cell(
        int(row.number("table")),
        row.text("algorithm"),
        row.text("loss"),
        row.text("dataset"),
        size if size is None else int(size),
        row.text("metric"),
        Published(
            row.number("mean"), row.number("std"), row.perhaps("seconds_per_run"), row.perhaps("seconds_per_round")
        ),
    )


@cache
def all_cells() -> tuple[Cell, ...]:
    """Those of the paper."""
    with as_file(files("kernelpick.lab.reproduce").joinpath("paper_tables.csv")) as path:
        return read(path)


def title(table: int) -> str:
    """What a table of the paper is about."""
    first = next(cell for cell in all_cells() if cell.table == table)
    limit = "without a time constraint" if first.size is None else "with a time constraint"
    return f"Table {table}: {first.loss} loss, {limit}"


def chosen(tables: str = "", datasets: str = "", algorithms: str = "") -> tuple[Cell, ...]:
    """The cells that lists such as "2,5" leave over; an empty list leaves all."""
    wanted = (
        _names("table", tables, lambda cell: str(cell.table)),
        _names("dataset", datasets, lambda cell: cell.dataset),
        _names("algorithm", algorithms, lambda cell: cell.algorithm),
    )
    cells = tuple(
        cell
        for cell in all_cells()
        if all(
            value in names for value, names in zip((str(cell.table), cell.dataset, cell.algorithm), wanted, strict=True)
        )
    )
    if not cells:
        raise ValueError(
            "No cell of the paper's tables is in all of these tables, datasets and algorithms; ask for less."
        )
    return cells


def _names(kind: str, text: str, of: Callable[[Cell], str]) -> Sequence[str]:
    known = unique(of(cell) for cell in all_cells())
    return [choice(kind, name, known) for name in by_commas(text)] or known
