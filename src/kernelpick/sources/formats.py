"""Which format a file has, and who reads it."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from kernelpick.files.errors import DataError
from kernelpick.sources import cells, sqlite
from kernelpick.sources.arff import Arff
from kernelpick.sources.blocks import Block
from kernelpick.sources.delimited import Delimited
from kernelpick.sources.jsonlines import JsonLines
from kernelpick.sources.libsvm import Libsvm
from kernelpick.sources.parquet import Parquet
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading


class Part(Protocol):
    """One file or table of a source."""

    raw: Any
    """Its path, name and size, and how many of its bytes are done."""
    names: tuple[str, ...]
    label: str | None
    """The column that the format itself calls the target."""
    notes: list[str]

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, numbered from 0; of those passed over, only how many they are."""


OF_LINES: dict[str, Callable[[Raw, Reading], Part]] = {
    "csv": Delimited,
    "tsv": Delimited,
    "libsvm": Libsvm,
    "arff": Arff,
    "jsonl": JsonLines,
}
OF_FILES: dict[str, Callable[[str | None, Reading], Part]] = {"parquet": Parquet, "sqlite": sqlite.Sqlite}
MAGIC = {b"PAR1": "parquet", sqlite.MAGIC: "sqlite"}
ENDINGS = {".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".svm": "libsvm", ".libsvm": "libsvm"}
PACKED = (".gz", ".zst")


def opened(path: str | None, reading: Reading) -> Part:
    """A file, or standard input, by the reader of its format."""
    stated = reading.format or (path and _by_first_bytes(path))
    if stated in OF_FILES:
        return OF_FILES[stated](path, reading)
    raw = Raw(path, reading.encoding, reading.limits.line)
    form = stated or _by_ending(path) or _by_lines(raw)
    if form in OF_FILES:  # of standard input
        return OF_FILES[form](None, reading)
    return OF_LINES[form](raw, reading)


def _by_first_bytes(path: str) -> str | None:
    try:
        with Path(path).open("rb") as file:
            start = file.read(16)
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    return next((form for magic, form in MAGIC.items() if start.startswith(magic)), None)


def _by_ending(path: str | None) -> str | None:
    endings = [ending for ending in Path(path or "").suffixes if ending not in PACKED]
    return ENDINGS.get(endings[-1].lower()) if endings else None


def _by_lines(raw: Raw) -> str:
    """The format, by what is in the first lines."""
    head = raw.first_lines()
    if form := next((form for magic, form in MAGIC.items() if head.startswith(magic)), None):
        return form
    for line in head.decode("utf-8", "backslashreplace").split("\n"):
        words = line.partition("#")[0].split(maxsplit=2)
        if not words or words[0].startswith("%"):
            continue
        if words[0].lower() in ("@relation", "@attribute"):
            return "arff"
        if words[0].startswith("{"):
            return "jsonl"
        if len(words) > 1:
            return "libsvm" if _is_pair(words[1]) else "csv"
    return "csv"


def _is_pair(word: str) -> bool:
    index, colon, value = word.partition(":")
    number = cells.value(value)
    return bool(colon) and index.isdecimal() and isinstance(number, float) and math.isfinite(number)
