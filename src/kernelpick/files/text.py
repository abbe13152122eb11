"""Text files record by record: gzip or plain by content, and the first faulty line found when a parser gives up.

A fast parser rarely knows the line it stumbled over, and is silent about a NaN. So a file is read twice at most:
once by the parser of its format, and only if that fails once more, plainly, line by line, to say where and why.
"""

from __future__ import annotations

import gzip
import math
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kernelpick.files.errors import DataError, at

Source = str | os.PathLike[str]
Floats = npt.NDArray[np.float64]
Lines = Iterator[tuple[int, str]]

GZIP = b"\x1f\x8b"
# When only the first rows are wanted, the rest is still read through so that gzip can compare its checksum: nothing
# else catches a wrong digit. Beyond this size (the whole of SUSY) that takes many seconds, and is left out.
CHECKSUM_LIMIT = 64 * 2**20
NUMERIC = frozenset("0123456789+-.eE \t\r\n")
REMEDY = "mend that line or get a fresh copy of the file"


def lines(path: Source) -> Lines:
    """Number and text of every line, from 1. Any byte decodes, so that damage meets the parser and gets its line."""
    line = 0
    try:
        with Path(path).open("rb") as raw:
            packed = raw.peek(len(GZIP)).startswith(GZIP)
            file: Iterable[bytes] = gzip.GzipFile(fileobj=raw) if packed else raw
            for line, content in enumerate(file, start=1):
                yield line, content.decode("latin-1")
    except EOFError as problem:
        cut = "the gzip data break off after this line; the file is cut short, get a complete copy"
        raise at(path, line, cut) from problem
    except (gzip.BadGzipFile, zlib.error) as problem:
        damaged = f"the gzip data are readable up to this line but damaged ({problem}); get a fresh copy of the file"
        raise at(path, line, damaged) from problem
    except IsADirectoryError as problem:
        raise DataError(f"{path} is a folder; name the file inside it.") from problem
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from problem


def read(
    path: Source,
    records: Callable[[Source], Lines],
    parse: Callable[[Iterable[str]], tuple[Floats, Floats]],
    fault: Callable[[str], str | None],
    rows: int | None,
    first: int | None,
) -> tuple[Floats, Floats]:
    """Inputs and targets of the first `first` records as `parse` gives them: finite, and `rows` of them if given."""
    source = records(path)
    head = next(source, None)
    if head is None:
        raise at(path, 1, "the file holds no rows; get a complete copy")
    try:
        inputs, targets = parse(text for _, text in islice(chain([head], source), first))
        if os.path.getsize(path) <= CHECKSUM_LIMIT:
            for _ in source:
                pass
        cause = None if np.isfinite(inputs).all() and np.isfinite(targets).all() else "a value is not finite"
    except DataError:
        raise
    except (ValueError, OverflowError) as problem:
        cause = str(problem)
    if cause is not None:
        raise _first_fault(path, islice(records(path), first), fault, cause)
    if rows is not None and len(targets) != rows:
        raise _wrong_count(path, records(path), len(targets), rows)
    return np.ascontiguousarray(inputs, dtype=np.float64), np.ascontiguousarray(targets, dtype=np.float64)


def line_of_row(records: Lines, row: int) -> int:
    """The number of the line that holds data row `row`, counted from 0."""
    return next(islice(records, row, None))[0]


def number(text: str) -> float:
    """The number a text stands for, NaN if none. Python alone would take 1_0, and Unicode digits and blanks."""
    try:
        return float(text) if NUMERIC.issuperset(text) else math.nan
    except ValueError:
        return math.nan


def short(text: str) -> str:
    """A value as an error quotes it: the long ones that damage makes are cut."""
    text = text.strip(" \t\r\n")
    return repr(text if len(text) <= 30 else text[:30] + "...")


def _first_fault(path: Source, records: Lines, fault: Callable[[str], str | None], cause: str) -> DataError:
    for line, text in records:
        problem = "there is a NUL byte, which text never holds" if "\0" in text else fault(text)
        if problem:
            return at(path, line, f"{problem}; {REMEDY}")
    return DataError(f"{path} cannot be read: {cause}; get a fresh copy of the file.")


def _wrong_count(path: Source, records: Lines, found: int, rows: int) -> DataError:
    if found < rows:
        short_of = f"this is the last of {found:,} rows where {rows:,} are expected; the file is cut short"
        return at(path, line_of_row(records, found - 1), f"{short_of}, get a complete copy")
    beyond = f"this is the first row beyond the expected {rows:,}, of {found:,} in all"
    return at(path, line_of_row(records, rows), f"{beyond}; it may be another dataset, get the one named")
