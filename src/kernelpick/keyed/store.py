"""Models by key in a SQLite file, as their bytes, safe against a crash at any moment.

What is spilled between two flushes lies in a file of its own beside it; a flush moves it to where it counts, with all
else that has changed, in one transaction. Who opens the file after a crash finds what the last flush has left, whole.
"""

import errno
import json
import os
import sqlite3
from collections.abc import Hashable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kernelpick.files.container import BY_KEY
from kernelpick.files.saving import sync_folder
from kernelpick.files.values import decode, encode

TABLES = (
    "CREATE TABLE IF NOT EXISTS models (key TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
)
SPILLED = (
    "ATTACH ? AS beside",
    "PRAGMA beside.journal_mode = MEMORY",  # of some models at a time; a crash may cost it: nobody looks for it then
    "PRAGMA beside.synchronous = OFF",
    "CREATE TABLE beside.spilled (key TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
)
FOUND = "SELECT content FROM {} WHERE key = ?"
PUT = "INSERT OR REPLACE INTO {} VALUES (?, ?)"
PATIENCE = 60.0  # seconds, while another process writes


class Store:
    """The file; `reads_only` leaves it as it is, and may look on while another process writes to it."""

    def __init__(self, path: Path, reads_only: bool = False) -> None:
        self.path, self._spills = path, False
        mode = "rw" if reads_only else "rwc"  # a reader, too, undoes what a crash has left half done
        with self._told():
            name = f"file:{quote(os.path.abspath(path))}?mode={mode}"
            self._file = sqlite3.connect(name, PATIENCE, isolation_level=None, check_same_thread=False, uri=True)
            if reads_only:
                self._file.execute("PRAGMA query_only = ON")
                self._file.execute("SELECT key FROM notes").fetchall()
                return
            with self._transaction():
                for table in TABLES:
                    self._file.execute(table)
            _remove(beside_of(path))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite complains of, with the name of the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if "disk is full" in str(error):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path)) from error
            raise ValueError(f"{self.path} can't be used for models by key: {error}.") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.DatabaseError):  # a full disk has undone it already
                self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    def get(self, key: Hashable) -> bytes | None:
        name = (name_of(key),)
        with self._told():
            row = self._file.execute(FOUND.format("beside.spilled"), name).fetchone() if self._spills else None
            row = row or self._file.execute(FOUND.format("models"), name).fetchone()
        return None if row is None else row[0]

    def spill(self, models: Iterable[tuple[Hashable, bytes]]) -> None:
        """Keep models that leave the memory, until the next flush for this process alone."""
        with self._told():
            if not self._spills:
                for line in SPILLED:
                    self._file.execute(line, (str(beside_of(self.path)),) * line.count("?"))
                self._spills = True
            with self._transaction():
                self._file.executemany(PUT.format("beside.spilled"), ((name_of(key), c) for key, c in models))

    def flush(self, models: Iterable[tuple[Hashable, bytes]], mark: Any) -> None:
        """All that was spilled, and these, count from now on, with a mark of the user's own; or nothing of it."""
        told = json.dumps(mark, allow_nan=False)
        with self._told():
            with self._transaction():
                if self._spills:
                    self._file.execute("INSERT OR REPLACE INTO models SELECT key, content FROM beside.spilled")
                self._file.executemany(PUT.format("models"), ((name_of(key), content) for key, content in models))
                self._file.execute(PUT.format("notes"), ("mark", told))
            self._forget_spilled()

    def _forget_spilled(self) -> None:
        """With the whole file: SQLite would note every page of it in memory before it let go of it."""
        if self._spills:
            self._file.execute("DETACH beside")
            self._spills = False
            _remove(beside_of(self.path))

    @property
    def mark(self) -> Any:
        row = self._file.execute(FOUND.format("notes"), ("mark",)).fetchone()
        return None if row is None else json.loads(row[0])

    @property
    def begin(self) -> bytes | None:
        """What every key begins with."""
        row = self._file.execute(FOUND.format("notes"), ("begin",)).fetchone()
        return None if row is None else row[0]

    @begin.setter
    def begin(self, content: bytes) -> None:
        with self._told():
            self._file.execute(PUT.format("notes"), ("begin", content))

    def keys(self) -> Iterator[Hashable]:
        """All of them."""
        spilled = " UNION SELECT key FROM beside.spilled" if self._spills else ""
        for (name,) in self._file.execute(f"SELECT key FROM models{spilled}").fetchall():
            yield key_of(name)

    def close(self) -> None:
        """What was spilled and not flushed did not happen."""
        self._file.close()
        if self._spills:
            _remove(beside_of(self.path))

    def copy_to(self, path: Path) -> None:
        """Write a file of the same models whose bytes follow from these alone, whatever became of this one before."""
        _remove(path)
        with self._told():
            self._file.execute("PRAGMA query_only = OFF")  # this writes to no table, and is yet refused
            self._file.execute("VACUUM INTO ?", (str(path),))


def is_store(path: Path) -> bool:
    with suppress(OSError), open(path, "rb") as file:
        return file.read(len(BY_KEY)) == BY_KEY
    return False


def beside_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.spilled")


def move(new: Path, path: Path) -> None:
    """Put a file that nobody uses in the place of another, safely; what a crash has left there is undone before."""
    if is_store(path):
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as file:
            file.execute("SELECT name FROM sqlite_master").fetchall()
    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    with open(new, "r+b") as file:
        os.fsync(file.fileno())
    os.replace(new, path)
    sync_folder(path.absolute())


def _remove(path: Path) -> None:
    for one in (path, path.with_name(f"{path.name}-journal")):
        one.unlink(missing_ok=True)


def name_of(key: Hashable) -> str:
    """A key as text: a string, a number, or a tuple of these. Keys that are equal have one name: 7 and 7.0."""
    try:
        return json.dumps(encode(_plain(key)), allow_nan=False, separators=(",", ":"))
    except (ValueError, TypeError) as error:
        raise ValueError(f"A key is a string, a number or a tuple of these, not {key!r}.") from error


def _plain(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(_plain(one) for one in key)
    return int(key) if isinstance(key, bool) or (isinstance(key, float) and key.is_integer()) else key


def key_of(name: str) -> Hashable:
    return decode(json.loads(name))  # type: ignore[no-any-return]
