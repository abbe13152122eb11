"""The 88 numbers of the paper's tables 2 to 10, and which of them were asked for."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from kernelpick.lab.running.names import by_commas, unique
from kernelpick.messages import choice

GRID = (1.0, 5.0, 10.0, 25.0)  # step scales from which the paper takes the best in hindsight
TUNED = ("oks", "rf-oks", "raker")


class Cell(NamedTuple):
    """One number of the paper with all that is needed to compute it again."""

    table: int
    algorithm: str
    loss: str
    dataset: str
    size: int | None  # number of random features, or budget
    metric: str  # mistake_rate or mean_loss
    mean: float
    std: float
    seconds_per_run: float | None
    seconds_per_round: float | None

    @property
    def step_scales(self) -> tuple[float | None, ...]:
        """What the hindsight grid tries; None where there is no such parameter."""
        return GRID if self.algorithm in TUNED else (None,)


@cache
def all_cells() -> tuple[Cell, ...]:
    """Table by table, in the order of the paper."""
    with files("kernelpick.lab.reproduce").joinpath("paper_tables.csv").open(encoding="utf-8") as file:
        cells = [
            Cell(
                int(row["table"]),
                row["algorithm"],
                row["loss"],
                row["dataset"],
                int(row["features_or_budget"]) if row["features_or_budget"] else None,
                row["metric"],
                float(row["mean"]),
                float(row["std"]),
                *(float(row[name]) if row[name] else None for name in ("seconds_per_run", "seconds_per_round")),
            )
            for row in csv.DictReader(file)
        ]
    return tuple(sorted(cells, key=lambda cell: cell.table))


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
