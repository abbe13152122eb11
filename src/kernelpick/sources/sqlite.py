"""Tables and queries of SQLite, read only, row after row."""

import math
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from kernelpick.files.errors import DataError
from kernelpick.sources import cells
from kernelpick.sources.blocks import Block, passed_over
from kernelpick.sources.gathering import INFINITE, SKIP, Bad, Batch, Fault
from kernelpick.sources.known import known
from kernelpick.sources.reading import Reading

SCHEME = "sqlite:///"
ROWS = 1024
TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY 1"
MAGIC = b"SQLite format 3\0"


def parsed(address: str, table: str | None) -> tuple[str, str | None]:
    """The path of the file, and the table or query.

    >>> parsed("sqlite:///shop.db?table=sales", None)
    ('shop.db', 'sales')
    """
    path, _, rest = address.removeprefix(SCHEME).partition("?")
    told = parse_qs(rest, keep_blank_values=True)
    if odd := set(told) - {"table", "query"}:
        raise DataError(f"{address}: {min(odd)!r} is not known; write {SCHEME}file.db?table=name or ?query=SELECT ...")
    named = [*told.get("table", ()), *told.get("query", ())]
    if len(named) > 1:
        raise DataError(f"{address}: name one table, or one query.")
    return path, named[0] if named else table


class Sqlite:
    """One table, or what a query gives."""

    label: str | None = None

    def __init__(self, path: str | None, reading: Reading) -> None:
        self.raw, self.limits = known(path, "SQLite"), reading.limits
        self.raw.size = None  # bytes say nothing of how far a query is
        self.notes: list[str] = []
        self.table = self._table(reading.table)
        self.raw.name = f"{path}, {self.table}"
        self.query = self.table if _is_query(self.table) else f"SELECT * FROM {_quoted(self.table)}"
        self.names = self._tried(self._names)

    def _connected(self) -> sqlite3.Connection:
        uri = f"{Path(self.raw.path).resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self.limits.line)
        return connection

    def _tried(self, call: Any) -> Any:
        try:
            return call()
        except sqlite3.Error as problem:
            raise DataError(f"{self.raw.name}: SQLite says: {problem}.") from problem

    def _table(self, given: str | None) -> str:
        """The table that is meant; the only one where none is named."""
        if given is not None and _is_query(given):
            return given

        def listed() -> list[str]:
            connection = self._connected()
            try:
                return [name for (name,) in connection.execute(TABLES)]
            finally:
                connection.close()

        tables = self._tried(listed)
        if given is None and len(tables) == 1:
            self.notes.append(f"{self.raw.path}: the table {tables[0]!r} is read, the only one.")
            return str(tables[0])
        if given is None or given not in tables:
            wrong = f"has no table {given!r}" if given else f"has {len(tables)} tables; name one by --table"
            raise DataError(f"{self.raw.path} {wrong}. Its tables are {', '.join(tables) or 'none'}.")
        return given

    def _names(self) -> tuple[str, ...]:
        connection = self._connected()
        try:
            told = connection.execute(self.query).description
        finally:
            connection.close()
        names = tuple(column[0] for column in told or ())
        if not names:
            raise DataError(f"{self.raw.name}: this gives no rows; write a query such as SELECT * FROM sales.")
        if len(set(names)) < len(names):
            raise DataError(f"{self.raw.name}: two columns have the same name; rename one of them, by AS in a query.")
        return names

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, of which the first so many are passed over."""
        connection = self._tried(self._connected)
        try:
            cursor = self._tried(lambda: connection.execute(self.query))
            first = 0
            while rows := self._tried(lambda: cursor.fetchmany(ROWS)):
                passed = min(max(skip - first, 0), len(rows))
                if passed:
                    yield passed_over(first, passed, self.raw.name)
                if passed < len(rows):
                    yield self._block(rows[passed:], first + passed)
                first += len(rows)
        finally:
            connection.close()

    def _block(self, rows: list[tuple[Any, ...]], first: int) -> Block:
        faults: dict[int, Fault] = {}
        good = []
        for place, row in enumerate(rows):
            try:
                good.append([_value(name, value) for name, value in zip(self.names, row, strict=True)])
            except Bad as problem:
                faults[place] = problem.fault
        columns = zip(*good, strict=True) if good else [()] * len(self.names)
        named = {name: cells.of_values(column) for name, column in zip(self.names, columns, strict=True)}
        lines = np.arange(first + 1, first + len(rows) + 1, dtype=np.int64)
        return Batch(self.raw.name, first, lines, faults).block(named)


def _value(name: str, value: Any) -> cells.Value:
    if isinstance(value, str):
        if not value.isascii() and any("\udc80" <= one <= "\udcff" for one in value):
            raise Bad(name, ascii(value), f"the text is not UTF-8; mend it, {SKIP}")
        value = cells.value(value)
    elif isinstance(value, int):
        value = float(value)
    elif isinstance(value, bytes):
        raise Bad(name, f"{len(value)} bytes", f"a blob can't be learned from; leave its column out by a query, {SKIP}")
    if isinstance(value, float) and math.isinf(value):
        raise Bad(name, value, INFINITE)
    return value


def _is_query(text: str) -> bool:
    return text.lstrip().lower().startswith(("select ", "with ", "values", "select\n"))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
