"""Formats without a header, whose columns are those that have come so far.

A block ends where a column is new, so that which columns a row has depends on the rows before it alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from kernelpick.files.errors import DataError
from kernelpick.sources.blocks import CELLS, Block, passed_over
from kernelpick.sources.gathering import Batch, Fault, TextLine, numbered, tried
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading

ROWS = 1024


class Growing(ABC):
    """A file of such a format."""

    label: str | None = None
    names: tuple[str, ...] = ()

    def __init__(self, raw: Raw, reading: Reading) -> None:
        self.raw, self.limits = raw, reading.limits
        self.notes = [] if raw.encoding == "utf-8" else [f"{raw.name} is read as {raw.encoding}."]
        if not raw.first_lines().strip():
            raise DataError(f"{raw.name} is empty: there is no line to read.")

    @abstractmethod
    def read(self, text: str) -> dict[str, Any]:
        """The values of a line by the names of columns; Bad where it is none of the format."""

    @abstractmethod
    def columns(self, names: list[str], rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
        """The columns of some rows."""

    def record(self, text: str) -> str:
        """What of a line is a record; nothing if it is none."""
        return text.strip()

    def first_names(self) -> tuple[str, ...]:
        """Those of the first lines."""
        texts = self.raw.first_lines().decode("utf-8", "backslashreplace").split("\n")
        lines = [TextLine(0, self.record(text), None) for text in texts if self.record(text)]
        rows = [row for row in tried(lines, self.read) if isinstance(row, dict)]
        return tuple(dict.fromkeys(name for row in rows for name in row))[: self.limits.columns]

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, of which the first so many are passed over."""
        first, seen = 0, dict.fromkeys(self.names)
        for lines in numbered(self.raw, self.limits.line):
            kept = [line._replace(text=self.record(line.text)) for line in lines]
            kept = [line for line in kept if line.text or line.fault]
            found = tried(kept, self.read)
            start = 0
            while start < len(kept):
                names, stop = self._reach(seen, found, start)
                batch = self._batch(kept[start:stop], found[start:stop], first, names)
                yield batch if first + batch.count > skip else passed_over(first, batch.count, self.raw.name)
                first, start = first + batch.count, stop

    def _reach(self, seen: dict[str, None], found: Any, start: int) -> tuple[list[str], int]:
        """The names that the row at a place has, and up to which place those that follow have the same."""
        names: list[str] | None = None
        at = start
        while at < len(found):
            row = found[at]
            if isinstance(row, dict):
                fresh = [name for name in row if name not in seen]
                if len(seen) + len(fresh) > self.limits.columns:
                    told = f"there are more than {self.limits.columns:,} different columns, which are read at most"
                    found[at], fresh = Fault(fresh[0], fresh[0], f"{told}; is this the right format?"), []
                elif fresh and names is not None:
                    break
                elif names is None:
                    seen.update(dict.fromkeys(fresh))
                    names = list(seen)
            at += 1
            if (at - start) * max(len(seen), 1) >= CELLS or at - start == ROWS:
                break
        return list(seen) if names is None else names, at

    def _batch(self, lines: list[TextLine], found: Any, first: int, names: list[str]) -> Block:
        faults = {place: row for place, row in enumerate(found) if isinstance(row, Fault)}
        numbers = np.array([line.number for line in lines], dtype=np.int64)
        rows = [row for row in found if isinstance(row, dict)]
        return Batch(self.raw.name, first, numbers, faults).block(self.columns(names, rows))
