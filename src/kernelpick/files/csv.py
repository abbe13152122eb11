"""Comma-separated numbers, one row a line, as in the UCI repository."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from kernelpick.files import text
from kernelpick.files.labels import coder, unknown
from kernelpick.files.text import Floats, Lines, Source


def records(path: Source, header: bool = False) -> Lines:
    """Number and text of the lines that hold rows."""
    return ((line, row) for line, row in text.lines(path) if row.strip() and not (header and line == 1))


def read(
    path: Source,
    *,
    target: int = -1,
    features: int | None = None,
    labels: Mapping[str, float] | None = None,
    rows: int | None = None,
    first: int | None = None,
    header: bool = False,
) -> tuple[Floats, Floats]:
    """Inputs and targets of a CSV file, plain or gzip.

    `target` is the column of the target; `labels` gives the number of each class (else the target is a number);
    `features` and `rows`, where known, are checked; only the first `first` rows are read; `header` skips line 1.
    """
    return read_table(path, partial(records, header=header), target, features, labels, rows, first)


def read_table(
    path: Source,
    records: Callable[[Source], Lines],
    target: int,
    features: int | None,
    labels: Mapping[str, float] | None,
    rows: int | None,
    first: int | None,
) -> tuple[Floats, Floats]:
    """The comma-separated part of any format: what `records` yields, checked and split at the target column."""
    if features is None:
        head = next(records(path), None)
        features = head[1].count(",") if head else 1  # of an empty file text.read tells
    width = features + 1
    if features < 1 or not -width <= target < width:
        raise ValueError(f"Column {target} cannot be the target of {path}, whose rows have {width} column(s).")
    column, code = target % width, coder(labels)

    def parse(rows: Iterable[str]) -> tuple[Floats, Floats]:
        table = np.loadtxt(rows, delimiter=",", comments=None, ndmin=2, encoding=None, converters={column: code})
        if table.shape[1] != width:
            raise ValueError(f"the rows have {table.shape[1]} values where {width} are expected")
        return np.delete(table, column, axis=1), table[:, column]

    def fault(row: str) -> str | None:
        cells = row.split(",")
        if len(cells) != width:
            return f"{len(cells)} value(s) where {width} are expected"
        if not math.isfinite(code(cells[column])):
            return unknown(cells[column], labels)
        bad = next((i for i in range(width) if i != column and not math.isfinite(text.number(cells[i]))), None)
        return None if bad is None else f"{text.short(cells[bad])} in column {bad + 1} is not a finite number"

    return text.read(path, records, parse, fault, rows, first)
