"""Models by key in a SQLite file, as their bytes, safe against a crash at any moment.

What is spilled between two flushes lies in a table of its own; a flush moves it to where it counts, with all else that
has changed, in one transaction. Who opens the file after a crash finds what the last flush has left, whole.
"""

import json
import sqlite3
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any

from kernelpick.files.values import decode, encode

TABLES = (
    "CREATE TABLE IF NOT EXISTS models (key TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS spilled (key TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, content TEXT NOT NULL)",
)
FOUND = "SELECT content FROM spilled WHERE key = ?1 UNION ALL SELECT content FROM models WHERE key = ?1 LIMIT 1"
KEYS = "SELECT key FROM models UNION SELECT key FROM spilled ORDER BY key"


class Store:
    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                for table in TABLES:
                    self._file.execute(table)
                self._file.execute("DELETE FROM spilled")
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path} can't be used for models by key: {error}.") from error

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._file)

    def get(self, key: Hashable) -> bytes | None:
        row = self._file.execute(FOUND, (name_of(key),)).fetchone()
        return None if row is None else row[0]

    def spill(self, models: Iterable[tuple[Hashable, bytes]]) -> None:
        """Keep models that leave the memory, until the next flush for this process alone."""
        with self._transaction():
            self._file.executemany(
                "INSERT OR REPLACE INTO spilled VALUES (?, ?)", ((name_of(key), content) for key, content in models)
            )

    def flush(self, models: Iterable[tuple[Hashable, bytes]], mark: Any) -> None:
        """All that was spilled, and these, count from now on, with a mark of the user's own; or nothing of it."""
        told = json.dumps(mark, allow_nan=False)
        with self._transaction():
            self._file.execute("INSERT OR REPLACE INTO models SELECT key, content FROM spilled")
            self._file.execute("DELETE FROM spilled")
            self._file.executemany(
                "INSERT OR REPLACE INTO models VALUES (?, ?)", ((name_of(key), content) for key, content in models)
            )
            self._file.execute("INSERT OR REPLACE INTO notes VALUES ('mark', ?)", (told,))

    @property
    def mark(self) -> Any:
        row = self._file.execute("SELECT content FROM notes WHERE name = 'mark'").fetchone()
        return None if row is None else json.loads(row[0])

    def keys(self) -> Iterator[Hashable]:
        for (name,) in self._file.execute(KEYS).fetchall():
            yield key_of(name)

    def close(self) -> None:
        self._file.close()


class _Transaction:
    """All or nothing."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def __enter__(self) -> None:
        self._file.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: Any, *error: Any) -> None:
        self._file.execute("COMMIT" if kind is None else "ROLLBACK")


def name_of(key: Hashable) -> str:
    """A key as text: a string, a number, or a tuple of these."""
    try:
        return json.dumps(encode(key), allow_nan=False, separators=(",", ":"))
    except (ValueError, TypeError) as error:
        raise ValueError(f"A key is a string, a number or a tuple of these, not {key!r}.") from error


def key_of(name: str) -> Hashable:
    return decode(json.loads(name))  # type: ignore[no-any-return]
