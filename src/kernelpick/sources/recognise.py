"""What a file of fields looks like, told from its first lines: which delimiter, which names."""

import csv
from typing import NamedTuple

from kernelpick.files.errors import DataError
from kernelpick.sources import cells
from kernelpick.sources.blocks import short
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Limits
from kernelpick.sources.records import TOO_LONG, cut

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars (|)"}


class Layout(NamedTuple):
    delimiter: str
    names: tuple[str, ...]
    header: bool
    notes: list[str]


def layout(raw: Raw, delimiter: str | None, header: bool | None, limits: Limits) -> Layout:
    """Delimiter and names of columns, and what there is to say of them."""
    notes = [] if raw.encoding == "utf-8" else [f"{raw.name} is read as {raw.encoding}."]
    head = raw.first_lines()
    if delimiter is None:
        delimiter = _delimiter(head, limits)
        if delimiter != ",":
            notes.append(f"{raw.name}: fields are parted by {DELIMITERS[delimiter]}.")
    rows = _rows(head, delimiter, limits)
    if not rows:
        raise DataError(f"{raw.name} is empty: there is no line to read.")
    _check_text(raw, head, limits)
    first, below = rows[0], rows[1:]
    if len(first) > limits.columns:
        raise DataError(
            f"{raw.name}: the first line has {len(first):,} fields, and {limits.columns:,} are read at most."
        )
    if header is None:
        header, doubt = _is_header(first, below)
        if doubt:
            notes.append(f"{raw.name}: {doubt}")
    if not header:
        return Layout(delimiter, tuple(str(place) for place in range(1, len(first) + 1)), False, notes)
    return Layout(delimiter, _names(raw.name, first, notes), True, notes)


def _check_text(raw: Raw, head: bytes, limits: Limits) -> None:
    """Refuse a first line that is no text."""
    line = head.lstrip(b"\r\n").partition(b"\n")[0]
    if len(line) > limits.line:
        raise DataError(f"{raw.name}, line 1: {TOO_LONG.format(limits.line)}.")
    try:
        if b"\0" not in line:
            line.decode("utf-8")
            return
        problem = "holds NUL bytes, which text never does; is it UTF-16, or no text file at all? Say --encoding"
    except UnicodeDecodeError:
        problem = f"holds bytes that {raw.encoding} does not have; say --encoding, as in --encoding cp1252"
    raise DataError(f"{raw.name}, line 1: the first line {problem}, or --format.")


def _rows(head: bytes, delimiter: str, limits: Limits) -> list[list[str]]:
    records, _ = cut(head, 1, delimiter, limits, final=True)
    rows = []
    for place, text in enumerate(records.texts()):
        try:
            rows.append(next(csv.reader([text.decode("utf-8", "backslashreplace")], delimiter=delimiter, strict=True)))
        except csv.Error:
            if not place:
                rows.append([text.decode("utf-8", "backslashreplace")])
    return rows


def _delimiter(head: bytes, limits: Limits) -> str:
    """The one by which most of the first records have as many fields as the first; then by which they have most."""

    def merit(delimiter: str) -> tuple[int, int]:
        rows = _rows(head, delimiter, limits)
        width = len(rows[0]) if rows else 0
        return (sum(len(row) == width for row in rows), width) if width > 1 else (0, 0)

    return max(DELIMITERS, key=merit)


def _is_header(first: list[str], below: list[list[str]]) -> tuple[bool, str]:
    """Whether the first record names the columns, and what to say if that is not plain."""
    kinds = [type(cells.value(cell)) for cell in first]
    texts = [place for place, kind in enumerate(kinds) if kind is str]
    told = f"the first line ({short(','.join(first))})"
    if not texts:
        doubt = f"{told} holds no names, so it is read as data and columns are named by their numbers from 1"
        return False, f"{doubt}; if it is a header, say --header yes."
    if len(texts) + kinds.count(type(None)) == len(kinds):
        return True, ""
    under = [[type(cells.value(row[place])) for row in below if len(row) == len(first)] for place in texts]
    if any(kinds and str not in kinds for kinds in under):
        return (
            True,
            f"{told} is read as the header, though some of its names are numbers; if it is data, say --header no.",
        )
    doubt = f"{told} holds numbers, so it is read as data and columns are named by their numbers from 1"
    return False, f"{doubt}; if it is a header, say --header yes."


def _names(name: str, cells_of_header: list[str], notes: list[str]) -> tuple[str, ...]:
    names = [cell.strip(cells.BLANK) for cell in cells_of_header]
    for place, one in enumerate(names):
        if not one:
            names[place] = f"column {place + 1}"
            notes.append(f"{name}: column {place + 1} has no name in the header, and is called {names[place]!r}.")
    seen: set[str] = set()
    twice = next((one for one in names if one in seen or seen.add(one)), None)  # type: ignore[func-returns-value]
    if twice is not None:
        raise DataError(
            f"{name}: two columns have the name {twice!r}; rename one of them, or say --header no if the first line "
            "is no header."
        )
    return tuple(names)
