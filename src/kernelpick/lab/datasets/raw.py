"""One file read as the dataset it is meant to be, and refused if it is something else."""

from __future__ import annotations

import numpy as np

from kernelpick.files.errors import DataError, at
from kernelpick.files.text import Floats, Source
from kernelpick.lab.datasets import whole
from kernelpick.lab.datasets.registry import Range, Registered
from kernelpick.lab.datasets.whole import FileRows, KnownFile


def read(entry: Registered, path: Source) -> tuple[Floats, Floats]:
    """Inputs and targets as the file has them (class labels as -1 and +1), checked against the registry."""
    known = KnownFile(entry.format, entry.features, -1 if entry.target is None else entry.target, entry.labels)
    rows = whole.read(path, known, entry.rows, entry.rows if entry.head else None)
    _check_range(entry, path, rows, rows.X, entry.inputs, "input")
    _check_range(entry, path, rows, rows.y[:, None], entry.targets, "target")
    y = rows.y
    positives = int(np.count_nonzero(y == 1.0))
    if entry.positives is not None and positives != entry.positives:
        found = f"{positives:,} rows are of the class +1 where {entry.name} has {entry.positives:,}"
        raise DataError(f"{path}: {found}; labels were changed or this is another dataset, get a fresh copy.")
    return rows.X, y


def _check_range(
    entry: Registered, path: Source, rows: FileRows, values: Floats, expected: Range | None, what: str
) -> None:
    if expected is None:
        return
    low, high = expected
    slack = 1e-6 * (high - low)  # copies are printed with different numbers of digits
    outside = np.flatnonzero(((values < low - slack) | (values > high + slack)).any(axis=1))
    if outside.size:
        line = int(rows.lines[outside[0]])
        raise at(
            path, line, f"one {what} lies outside [{low:g}, {high:g}], the range of {entry.name}; get a fresh copy"
        )
    least, largest = float(values.min()), float(values.max())
    if least > low + slack or largest < high - slack:
        found = f"the {what}s range over [{least:g}, {largest:g}] where {entry.name} has [{low:g}, {high:g}]"
        raise DataError(f"{path}: {found}; it was scaled or is another dataset, get the raw file.")
