"""How a source is to be read: what is stated, what is recognised, and how large its parts may be."""

import codecs
from dataclasses import dataclass

FORMATS = ("csv", "tsv", "libsvm", "arff", "jsonl", "parquet", "sqlite")
ON_ERROR = ("stop", "skip")


@dataclass(frozen=True)
class Limits:
    """What no honest file exceeds; beyond it a record is rejected before it can exhaust the machine."""

    line: int = 16 * 2**20
    """Bytes of a line."""
    quoted: int = 2**20
    """Bytes of a record that runs over several lines, inside quotes."""
    field: int = 2**17
    """Characters of a field."""
    columns: int = 100_000
    """Columns of a table, or different indices and keys of a file without a header."""


@dataclass(frozen=True)
class Reading:
    """How to read; None is to be recognised.

    >>> Reading(delimiter="semicolon").delimiter
    ';'
    """

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    table: str | None = None
    """A table of SQLite, or a query."""
    on_error: str = "stop"
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        from kernelpick.core.messages import choice  # which brings NumPy; whoever only lists the options can do without

        if self.format is not None:
            choice("format", self.format, FORMATS)
        choice("on_error", self.on_error, ON_ERROR)
        if self.delimiter is not None:
            object.__setattr__(self, "delimiter", _delimiter(self.delimiter))
        if self.encoding is not None:
            object.__setattr__(self, "encoding", _encoding(self.encoding))


SPELLED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}


def _delimiter(given: str) -> str:
    one = SPELLED.get(given.lower(), given)
    if len(one) != 1 or not one.isascii() or one in '"\r\n\0' or one.isalnum():
        raise ValueError(
            f"A delimiter is a single character such as ',', ';', 'tab' or '|', and not {given!r}; it can't be a "
            "quote, a letter or a digit."
        )
    return one


def _encoding(given: str) -> str:
    try:
        b"a".decode(given, "replace")  # some codecs are not for text
        name = codecs.lookup(given).name
    except (LookupError, ValueError):
        raise ValueError(f"There is no encoding {given!r}; use utf-8, utf-16, cp1252, latin-1 or another.") from None
    return name.removesuffix("-sig")
