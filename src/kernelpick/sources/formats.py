"""Which format a file has, and who reads it."""

from collections.abc import Callable, Iterator
from typing import Protocol

from kernelpick.sources.blocks import Block
from kernelpick.sources.delimited import Delimited
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading


class Part(Protocol):
    """One file or table of a source."""

    raw: Raw
    names: tuple[str, ...]
    label: str | None
    """The column that the format itself calls the target."""
    notes: list[str]

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, numbered from 0; of those passed over, only how many they are."""


READERS: dict[str, Callable[[Raw, Reading], Part]] = {"csv": Delimited, "tsv": Delimited}


def opened(path: str | None, reading: Reading) -> Part:
    """A file, or standard input, by the reader of its format."""
    raw = Raw(path, reading.encoding)
    return READERS[reading.format or "csv"](raw, reading)
