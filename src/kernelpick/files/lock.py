"""One writer at a time, on every system, and never a lock left behind.

The lock is that of an SQLite file: the standard library knows it on all systems, and the system lifts it when the
process that holds it ends, however it ends. The file itself is empty and stays: who removed it could not know whether
another process has just opened it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Self

from kernelpick.files.errors import DataError


class Lock:
    """The right to write, from `take` to `give_back`, or within a with statement."""

    def __init__(self, path: Path, busy: str) -> None:
        self._path, self._busy = path, busy  # and the sentence for who comes while another process writes
        self._held: sqlite3.Connection | None = None

    def take(self) -> None:
        """Refuse, in a sentence, if another process writes there."""
        try:
            connection = sqlite3.connect(self._path, timeout=0, isolation_level=None)
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            if "locked" in str(problem):
                raise DataError(self._busy) from problem
            told = f"{self._path} cannot be locked ({problem}); name a folder where files can be locked."
            raise DataError(told) from problem
        self._held = connection

    def give_back(self) -> None:
        """Let others write."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.give_back()
