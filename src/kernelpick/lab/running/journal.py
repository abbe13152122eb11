"""What is done, on disk: results.csv, and beside it curves.jsonl with what is too long for a row.

Lines are appended as work ends, so an interrupted command goes on where it was. A process that is killed leaves at most
one torn line behind; the next one that writes cuts it off, and that piece of work is done again. One process writes at
a time; any number may read, and reading changes nothing.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Generic, NamedTuple, Self, TypeVar

from kernelpick.files.errors import at
from kernelpick.files.lock import Lock

R = TypeVar("R")
Name = tuple[str, ...]


class JournalLayout(NamedTuple, Generic[R]):
    """The columns of results.csv, those of them that tell one piece of work from others, and the way back."""

    columns: Sequence[str]
    identity: Sequence[str]
    parse: Callable[[Mapping[str, str], Sequence[Any]], R]
    """A row and the curves that were kept with it, as a result; ValueError, KeyError or TypeError if it is none."""


class Journal(Generic[R]):
    """Results by name, read from a folder; within a `with` block also written to it, one by one."""

    def __init__(self, folder: Path, layout: JournalLayout[R]) -> None:
        self.path, self.curves = folder / "results.csv", folder / "curves.jsonl"
        busy = f"Another kernelpick command is writing to {folder}: wait until it has ended, or name another by --out."
        self._layout, self._lock = layout, Lock(folder / ".lock", busy)
        self._files: list[IO[str]] = []
        self._done = self._read()

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.take()
        try:
            self._done = self._read()  # again: another process may have written in between
            for path in (self.path, self.curves):
                _cut(path)
                self._files.append(path.open("a", encoding="utf-8", newline=""))
            if self._files[0].tell() == 0:
                self._write(self._files[0], _line(self._layout.columns))
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._close()

    def __contains__(self, name: Name) -> bool:
        return name in self._done

    def __getitem__(self, name: Name) -> R:
        return self._done[name]

    def __iter__(self) -> Iterator[Name]:
        return iter(self._done)

    def add(self, row: Mapping[str, str], *curves: Any) -> None:
        """Keep a result. The curves go first: a line in results.csv means that all of it is there."""
        name = self._name(row)
        self._write(self._files[1], json.dumps([name, *curves], separators=(",", ":")))
        self._write(self._files[0], _line(row[column] for column in self._layout.columns))
        self._done[name] = self._layout.parse(row, curves)

    def _close(self) -> None:
        while self._files:
            self._files.pop().close()
        self._lock.give_back()

    def _name(self, row: Mapping[str, str]) -> Name:
        return tuple(row[column] for column in self._layout.identity)

    @staticmethod
    def _write(file: IO[str], line: str) -> None:
        file.write(line + "\n")
        file.flush()  # survives the death of this process; lines lost with the whole machine are just done again

    def _read(self) -> dict[Name, R]:
        """What is there; of a name that stands there twice, the later one."""
        curves: dict[Name, list[Any]] = {}
        done: dict[Name, R] = {}
        # Rows first: a row that another process adds meanwhile then has its curves, which were written before it.
        rows = _whole_lines(self.path)
        for number, line in enumerate(_whole_lines(self.curves), start=1):
            try:
                name, *rest = json.loads(line)
                curves[tuple(name)] = rest
            except (ValueError, TypeError) as problem:
                raise at(self.curves, number, "this is no curve of a run; remove the file or the line") from problem
        table = csv.DictReader(rows)
        if rows and not set(self._layout.columns) <= set(table.fieldnames or ()):
            told = "these are the columns of another version of kernelpick; name another folder, or remove the file"
            raise at(self.path, 1, told)
        for number, row in enumerate(table, start=2):
            try:
                if None in row or None in row.values():
                    raise ValueError("the number of values is not that of the columns")
                if (name := self._name(row)) in curves:
                    done[name] = self._layout.parse(row, curves[name])
            except (KeyError, ValueError, TypeError) as problem:
                raise at(self.path, number, "this is no result of a run; remove the file or the line") from problem
        return done


def _line(values: Iterable[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(values)
    return text.getvalue()


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file, without a last one that has no end."""
    content = path.read_bytes() if path.exists() else b""
    return content[: _whole(content)].decode("utf-8", "replace").splitlines()


def _cut(path: Path) -> None:
    """Cut a last line off that has no end."""
    content = path.read_bytes() if path.exists() else b""
    if _whole(content) < len(content):
        with path.open("r+b") as file:
            file.truncate(_whole(content))


def _whole(content: bytes) -> int:
    return content.rfind(b"\n") + 1
