"""What reading yields: blocks of rows in columns, and the records that could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

CELLS = 2**22  # of one block at most, so that wide tables come in fewer rows


class Reject(NamedTuple):
    """A record that could not be read."""

    number: int  # of the record, from 0
    file: str
    line: int  # from 1; for tables without lines the row, from 1
    column: str  # the name of the column at fault, or nothing where it is the whole record
    found: str
    reason: str
    """What is wrong and what to do."""

    @property
    def sentence(self) -> str:
        """The same for people."""
        where = f", column {self.column!r}" if self.column else ""
        found = f" (found {short(self.found)})" if self.found else ""
        return f"{self.file}, line {self.line}{where}: {self.reason}{found}."


@dataclass(frozen=True)
class Block:
    """Some records in order."""

    first: int  # the number of its first record, from 0
    numbers: np.ndarray  # (T,) int64, the number of the record of each row
    columns: dict[str, np.ndarray]  # float64 (NaN is missing), or objects: float, str, datetime, None
    rejects: list[Reject]
    count: int  # records in all, rows and rejects
    file: str
    lines: np.ndarray  # (T,) int64, the line on which each row begins, from 1


def short(text: str) -> str:
    """A text as an error quotes it.

    >>> short("12,5"), short("x" * 100)
    ("'12,5'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    return repr(text if len(text) <= 40 else text[:40] + "...")


def passed_over(first: int, count: int, file: str) -> Block:
    """So many records that nobody wants."""
    none = np.zeros(0, dtype=np.int64)
    return Block(first, none, {}, [], count, file, none)


def later(block: Block, count: int) -> Block:
    """The same behind so many other records."""
    if not count:
        return block
    rejects = [reject._replace(number=reject.number + count) for reject in block.rejects]
    return replace(block, first=block.first + count, numbers=block.numbers + count, rejects=rejects)


def part(block: Block, start: int, stop: int) -> Block:
    """The records from start to stop, counted from the first one of the block."""
    low, high = block.first + start, block.first + min(stop, block.count)
    rows = slice(*np.searchsorted(block.numbers, (low, high)).tolist())
    return Block(
        low,
        block.numbers[rows],
        {name: settled(column[rows]) for name, column in block.columns.items()},
        [reject for reject in block.rejects if low <= reject.number < high],
        high - low,
        block.file,
        block.lines[rows],
    )


def cut(block: Block, rows: int) -> Iterator[Block]:
    """The block in pieces of at most so many records."""
    step = max(1, min(rows, CELLS // max(len(block.columns), 1)))
    for start in range(0, block.count, step):
        yield part(block, start, start + step)


def settled(column: np.ndarray) -> np.ndarray:
    """Numbers and blanks alone as float64, whatever else was read with them."""
    if column.dtype != object or not set(map(type, column.tolist())) <= {float, type(None)}:
        return column
    return np.array([np.nan if value is None else value for value in column.tolist()], dtype=np.float64)
