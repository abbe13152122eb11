"""One writer at a time for a folder, on every system, and never a lock left behind.

The lock is that of an SQLite file: the standard library knows it on all systems, and the system lifts it when the
process that holds it ends, however it ends. The file itself is empty and stays: who removed it could not know whether
another process has just opened it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from kernelpick.files.errors import DataError

NAME = ".lock"


class Lock:
    """The right to write to a folder, from `take` to `give_back`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: sqlite3.Connection | None = None

    def take(self) -> None:
        """Refuse, in a sentence, if another process writes there."""
        path = self._folder / NAME
        try:
            connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            if "locked" not in str(problem):
                raise DataError(
                    f"{path} cannot be locked ({problem}); name a folder by --out where files can be locked."
                ) from problem
            raise DataError(
                f"Another kernelpick command is writing to {self._folder}: "
                "wait until it has ended, or name another folder by --out."
            ) from problem
        self._held = connection

    def give_back(self) -> None:
        """Let others write."""
        if self._held is not None:
            self._held.close()
            self._held = None
