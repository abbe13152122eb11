"""A whole file as inputs and targets, where every value must be a finite number: how the paper's datasets are read."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from kernelpick.files.errors import DataError, at
from kernelpick.files.text import Floats, Source, short
from kernelpick.lab.datasets.labels import coder, unknown
from kernelpick.sources import Block, Reading, open_source
from kernelpick.sources import Source as OpenSource

# When only the first rows are wanted, the rest is still read through so that gzip can compare its checksum: nothing
# else catches a wrong digit. Beyond this size (the whole of SUSY) that takes many seconds, and is left out.
CHECKSUM_LIMIT = 64 * 2**20
REMEDY = "mend that line or get a fresh copy of the file"


class FileRows(NamedTuple):
    X: Floats
    y: Floats
    lines: np.ndarray  # on which each row begins


class KnownFile(NamedTuple):
    """What is known of a file."""

    form: str
    """csv (without a header, by commas), arff or libsvm."""
    features: int
    target: int = -1
    """The column of the target, where the format does not fix it."""
    labels: Mapping[str, float] | None = None
    """The number of each class; else the target is a number."""


def read(path: Source, known: KnownFile, rows: int | None = None, first: int | None = None) -> FileRows:
    """The first so many rows of a file, or all; and that these are so many."""
    plain = {"delimiter": ",", "header": False} if known.form == "csv" else {}
    if os.path.isdir(path):
        raise DataError(f"{os.fspath(path)} is a folder; name the file inside it.")
    stream = open_source(os.fspath(path), Reading(known.form, **plain))  # type: ignore[arg-type]
    parts, count = [], 0
    for block in stream.blocks():
        parts.append(_rows(stream, block, known, None if first is None else first - count))
        count += len(parts[-1].y)
        if first is not None and count >= first:
            if os.path.getsize(path) <= CHECKSUM_LIMIT:
                for _ in stream.parts[0].raw.chunks():
                    pass
            break
    if not count:
        raise at(path, 1, "the file holds no rows; get a complete copy")
    X, y, lines = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    if rows is not None and count != rows:
        raise _wrong_count(path, lines, rows)
    return FileRows(np.ascontiguousarray(X), y, lines)


def _rows(stream: OpenSource, block: Block, known: KnownFile, most: int | None) -> FileRows:
    """The rows of a block, up to so many."""
    columns, lines = {name: column[:most] for name, column in block.columns.items()}, block.lines[:most]
    target = _target(stream, known)
    inputs = [name for name in columns if name != target]
    if stream.label is None and len(inputs) != known.features:
        told = f"{len(inputs) + 1} value(s) where {known.features + 1} are expected"
        raise at(stream.name, int(lines[0]), f"{told}; this is another dataset, get the one asked for")
    X, faults = np.zeros((len(lines), known.features)), []  # rows, and what is wrong with the first bad one of a column
    for place, name in enumerate(inputs):
        column = columns[name]
        if stream.label is not None and not 0 <= (place := int(name) - 1) < known.features:
            told = f"the index {name} is not one of 1 to {known.features}, the number of features"
            faults.append((int((column != 0).argmax()), told))
            continue
        X[:, place] = column if column.dtype != object else [_number(value) for value in column.tolist()]
        bad = np.flatnonzero(np.isnan(X[:, place]))
        if len(bad):
            faults.append((int(bad[0]), f"{short(_text(column[bad[0]]))} in column {name!r} is not a finite number"))
    code = coder(known.labels)
    y = np.array([code(_text(value)) for value in columns[target].tolist()], dtype=np.float64)
    if np.isnan(y).any():
        row = int(np.isnan(y).argmax())
        faults.append((row, unknown(_text(columns[target][row]), known.labels)))
    if faults:
        row, told = min(faults)
        raise at(stream.name, int(lines[row]), f"{told}; {REMEDY}")
    return FileRows(X, y, lines)


def _target(stream: OpenSource, known: KnownFile) -> str:
    if stream.label is not None:
        return stream.label
    if -len(stream.names) <= known.target < len(stream.names):
        return stream.names[known.target]
    width = len(stream.names)
    raise DataError(f"Column {known.target} cannot be the target of {stream.name}, whose rows have {width} column(s).")


def _number(value: object) -> float:
    return value if isinstance(value, float) else math.nan


def _text(value: object) -> str:
    """A value as it was written, or nearly so; a blank is nothing."""
    return "" if value is None or value != value else str(value)


def _wrong_count(path: Source, lines: np.ndarray, rows: int) -> DataError:
    found = len(lines)
    if found < rows:
        short_of = f"this is the last of {found:,} rows where {rows:,} are expected; the file is cut short"
        return at(path, int(lines[-1]), f"{short_of}, get a complete copy")
    beyond = f"this is the first row beyond the expected {rows:,}, of {found:,} in all"
    return at(path, int(lines[rows]), f"{beyond}; it may be another dataset, get the one named")
