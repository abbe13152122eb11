"""A source: one file or several after each other, or a table; its columns, and its rows in blocks."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernelpick.files.errors import DataError
from kernelpick.sources import raw, sqlite
from kernelpick.sources.blocks import Block, cut, later, part
from kernelpick.sources.formats import Part, opened
from kernelpick.sources.raw import STDIN
from kernelpick.sources.reading import Reading


class Source:
    """Rows to come.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "events.csv"
    ...     _ = path.write_text("city;when;price\\nBonn;2024-05-01;12.5\\nKiel;;NA\\n")
    ...     source = open_source(str(path))
    ...     [block] = source.blocks()
    >>> source.names, block.columns["price"], block.columns["when"].tolist()
    (('city', 'when', 'price'), array([12.5,  nan]), [datetime.datetime(2024, 5, 1, 0, 0), None])
    """

    def __init__(self, name: str, parts: list[Part], on_error: str) -> None:
        self.name, self.parts, self.on_error = name, parts, on_error
        self.names: tuple[str, ...] = parts[0].names
        self.label: str | None = parts[0].label
        """The name of the column that the format itself calls the target."""
        self.notes = [note for part in parts for note in part.notes]
        _check_same(parts)

    @property
    def size(self) -> int | None:
        """Bytes to be read; None where nobody knows."""
        sizes = [part.raw.size for part in self.parts]
        return None if None in sizes else sum(size for size in sizes if size)

    @property
    def done(self) -> int:
        """Bytes read so far."""
        return sum(part.raw.done for part in self.parts)

    def fingerprint(self) -> dict[str, Any]:
        """What tells whether a source is still the same, without reading it all."""
        files = [(one.raw.path, one.raw.name) for one in self.parts]
        told = [raw.fingerprint(path) | {"name": name} for path, name in files if path is not None]
        return {"names": list(self.names), "files": told}

    def blocks(self, skip: int = 0, rows: int = 1024) -> Iterator[Block]:
        """The records after the first `skip`, good and bad, in blocks of at most so many.

        A record that can't be read is among the rejects of its block; or, if errors stop, it is raised as a ValueError
        after what comes before it was yielded.
        """
        first = 0  # the number of the next record
        for one in self.parts:
            before = first
            for block in one.blocks(max(0, skip - before)):
                start, first = first, first + block.count
                if first <= skip:
                    continue
                block = later(block, before)
                for piece in cut(part(block, skip - start, block.count) if start < skip else block, rows):
                    yield from self._checked(piece)

    def _checked(self, block: Block) -> Iterator[Block]:
        if block.rejects and self.on_error == "stop":
            first = block.rejects[0]
            if first.number > block.first:
                yield part(block, 0, first.number - block.first)
            raise DataError(first.sentence)
        yield block


def open_source(name: str, reading: Reading = Reading()) -> Source:  # noqa: B008
    """A file, a folder of files, - for standard input, or sqlite:///file.db?table=name."""
    if name == "-":
        return Source(STDIN, [opened(None, reading)], reading.on_error)
    if name.startswith(sqlite.SCHEME):
        file, table = sqlite.parsed(name, reading.table)
        return Source(name, [opened(file, replace(reading, format="sqlite", table=table))], reading.on_error)
    path = Path(name).expanduser()
    if path.is_dir():
        return Source(name, [opened(str(file), reading) for file in _files(path)], reading.on_error)
    return Source(name, [opened(str(path), reading)], reading.on_error)


def _files(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise DataError(f"{folder} is a folder without files; name one that holds some.")
    return files


def _check_same(parts: list[Part]) -> None:
    """Files that follow each other have the same columns."""
    for one in parts[1:]:
        if one.names != parts[0].names:
            raise DataError(
                f"{one.raw.name} has other columns than {parts[0].raw.name}: {_difference(parts[0].names, one.names)}; "
                "the files of a folder must have the same header, so move it elsewhere or mend it."
            )


def _difference(first: tuple[str, ...], other: tuple[str, ...]) -> str:
    for word, names, known in (("lacks", first, other), ("also has", other, first)):
        if odd := [name for name in names if name not in known]:
            return f"it {word} {', '.join(map(repr, odd[:5]))}"
    return "they come in another order"
