"""Blocks from what a reader found, record by record."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from kernelpick.sources import cells
from kernelpick.sources.blocks import Block, Reject
from kernelpick.sources.lines import pieces, split
from kernelpick.sources.raw import Raw
from kernelpick.sources.records import TOO_LONG

SKIP = "or leave such rows out by --on-error skip"
SHOWN = 1000  # characters of a text that is rejected
INFINITE = f"an infinite number can't be learned from; mend it, {SKIP}"
NUL = "there is a NUL byte, which text never holds; is it UTF-16? Then say --encoding utf-16"


class Fault(NamedTuple):
    """What is wrong with a record."""

    column: str
    found: str
    reason: str


class Bad(ValueError):
    """Raised where a record turns out to be no good."""

    def __init__(self, column: str, found: object, reason: str) -> None:
        super().__init__(reason)
        self.fault = Fault(column, str(found), reason)


class Batch(NamedTuple):
    """Records that follow each other, and what is wrong with some of them."""

    file: str
    first: int
    lines: np.ndarray
    faults: dict[int, Fault]

    @property
    def kept(self) -> list[int]:
        """The places of the good ones."""
        return [place for place in range(len(self.lines)) if place not in self.faults]

    def block(self, columns: dict[str, np.ndarray]) -> Block:
        """With the columns of the good ones."""
        lines = np.asarray(self.lines, dtype=np.int64)
        kept = np.array(self.kept, dtype=np.int64)
        rejects = [
            Reject(self.first + place, self.file, int(lines[place]), fault.column, fault.found[:SHOWN], fault.reason)
            for place, fault in sorted(self.faults.items())
        ]
        return Block(self.first, self.first + kept, columns, rejects, len(lines), self.file, lines[kept])


def checked(batch: Batch, columns: dict[str, np.ndarray], found: Callable[[int, int], object]) -> Block:
    """The block of columns without the rows that hold infinite numbers; found tells a text by row and column."""
    bad: dict[int, Fault] = {}
    for place, (name, column) in enumerate(columns.items()):
        for row in cells.infinite(column).tolist():
            bad.setdefault(row, Fault(name, str(found(row, place)), INFINITE))
    if bad:
        kept = batch.kept
        good = np.array([row not in bad for row in range(len(kept))], dtype=bool)
        batch = batch._replace(faults=batch.faults | {kept[row]: fault for row, fault in bad.items()})
        columns = {name: column[good] for name, column in columns.items()}
    return batch.block(columns)


class TextLine(NamedTuple):
    number: int
    text: str
    fault: Fault | None


def numbered(raw: Raw, limit: int) -> Iterator[list[TextLine]]:
    """The lines of a file, some at a time; what is no text has a fault."""
    number = 0
    for piece in pieces(raw.chunks(), limit):
        lines = []
        for data in [piece.data] if piece.too_long else split(piece.data):
            number += 1
            lines.append(_line(number, data.rstrip(b"\r\n"), raw.encoding, limit if piece.too_long else None))
        yield lines


def _line(number: int, data: bytes, encoding: str, limit: int | None) -> TextLine:
    text = data.decode("utf-8", "backslashreplace")
    if limit is not None:
        return TextLine(number, text, Fault("", text, TOO_LONG.format(limit)))
    if b"\0" in data:
        return TextLine(number, text, Fault("", text, NUL))
    try:
        return TextLine(number, data.decode("utf-8"), None)
    except UnicodeDecodeError as problem:
        return TextLine(number, text, undecodable("", data, problem.start, encoding))


def undecodable(column: str, data: bytes, place: int, encoding: str) -> Fault:
    around = data[max(0, place - 10) : place + 10].decode("utf-8", "backslashreplace")
    told = f"there are bytes that {encoding} does not have; say the file's encoding, as in --encoding cp1252, {SKIP}"
    return Fault(column, around, told)


def tried(lines: Iterable[TextLine], read: Callable[[str], Any]) -> list[Any]:
    """What a reader makes of each line, or its fault."""
    found: list[Any] = []
    for line in lines:
        try:
            found.append(line.fault or read(line.text))
        except Bad as problem:
            found.append(problem.fault)
    return found
