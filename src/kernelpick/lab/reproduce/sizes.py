"""The sizes that were measured, kept beside the results: a command that goes on takes the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernelpick.lab.reproduce.cells import Cell
from kernelpick.lab.reproduce.sizing import Sizing
from kernelpick.lab.running.journal import Journal, JournalLayout

IDENTITY = ("table", "algorithm", "loss", "dataset", "settings")
COLUMNS = (*IDENTITY, "size", "seconds", "reference", "stamp")


def sizes_in(folder: Path) -> Journal[tuple[str, Sizing]]:
    """Stamps and sizes by `name`, those of a folder of results."""
    return Journal(folder / "sizes", JournalLayout(COLUMNS, IDENTITY, _parse))


def name(cell: Cell, settings: str) -> tuple[str, ...]:
    """That of a cell's size, whatever size the cell has."""
    return (str(cell.table), cell.algorithm, cell.loss, cell.dataset, settings)


def keep(journal: Journal[tuple[str, Sizing]], cell: Cell, settings: str, found: Sizing, stamp: str) -> None:
    """Write a size down."""
    row = dict(zip(IDENTITY, name(cell, settings), strict=True))
    row |= {"size": str(found.size), "stamp": stamp}
    row |= {"seconds": f"{found.seconds:.6g}", "reference": f"{found.reference:.6g}"}
    journal.add(row, [[size, round(share, 4)] for size, share in found.points])


def _parse(row: Mapping[str, str], curves: Sequence[Any]) -> tuple[str, Sizing]:
    points = [(int(size), float(share)) for size, share in curves[0]]
    return row["stamp"], Sizing(int(row["size"]), float(row["seconds"]), float(row["reference"]), points)
