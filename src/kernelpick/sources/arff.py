"""WEKA's ARFF: a header that names and types the columns, then rows of values by commas."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from kernelpick.files.errors import DataError, at
from kernelpick.sources import cells
from kernelpick.sources.blocks import Block, passed_over, short
from kernelpick.sources.gathering import SKIP, Bad, Batch, Fault, TextLine, checked, numbered, tried
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading

REMEDY = "mend that line or get a fresh copy of the file"
_quoted = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_attribute = re.compile(rf"@attribute\s+({_quoted}|[^\s{{}}'\"]+)\s*(.*)", re.IGNORECASE).fullmatch
_field = re.compile(rf"[ \t]*({_quoted}|[^,'\"]*)[ \t]*(,|$)").match
KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric", "string": "string", "date": "date"}


class Attribute(NamedTuple):
    name: str
    kind: str  # numeric, nominal, string or date
    values: frozenset[str] = frozenset()  # of a nominal one


class Arff:
    """One file."""

    label: str | None = None

    def __init__(self, raw: Raw, reading: Reading) -> None:
        self.raw, self.limits = raw, reading.limits
        self.notes = [] if raw.encoding == "utf-8" else [f"{raw.name} is read as {raw.encoding}."]
        header, rest = self._opened()
        self.attributes = self._declared(header)
        self.names = tuple(attribute.name for attribute in self.attributes)
        self._rest = rest if raw.path is None else None  # a file is opened again when it is read

    def _opened(self) -> tuple[list[TextLine], Iterator[list[TextLine]]]:
        """The lines before @data, and those after it."""
        header: list[TextLine] = []
        lists = numbered(self.raw, self.limits.line)
        for lines in lists:
            place = next((place for place, line in enumerate(lines) if _word(line.text) == "@data"), len(lines))
            header += lines[:place]
            if place < len(lines):
                return header, chain([lines[place + 1 :]], lists)
            if len(header) > 2 * self.limits.columns:
                break
        last = header[-1].number if header else 1
        raise at(self.raw.name, last, "the file ends without a line @data; it is cut short, get a complete copy")

    def _declared(self, header: list[TextLine]) -> list[Attribute]:
        found: dict[str, Attribute] = {}
        for line in header:
            if line.fault:
                raise at(self.raw.name, line.number, line.fault.reason)
            word = _word(line.text)
            if word == "@attribute":
                one = _parsed(self.raw.name, line)
                if one.name in found:
                    raise at(self.raw.name, line.number, f"two attributes are called {one.name!r}; rename one of them")
                found[one.name] = one
            elif word not in ("", "@relation") and not word.startswith("%"):
                raise at(self.raw.name, line.number, f"{short(line.text)} has no place in an ARFF header; {REMEDY}")
        if not found:
            raise DataError(f"{self.raw.name}: the header names no attribute; get a complete copy.")
        return list(found.values())

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, of which the first so many are passed over."""
        rest, self._rest = self._rest or self._opened()[1], None
        first = 0
        for lines in rest:
            kept = [line for line in lines if line.fault or not (line.text.strip() or "%").startswith("%")]
            passed = min(max(skip - first, 0), len(kept))
            if passed:
                yield passed_over(first, passed, self.raw.name)
            if passed < len(kept):
                yield self._block(kept[passed:], first + passed)
            first += len(kept)

    def _block(self, lines: list[TextLine], first: int) -> Block:
        found = tried(lines, self._fields)
        faults = {place: row for place, row in enumerate(found) if isinstance(row, Fault)}
        numbers = np.array([line.number for line in lines], dtype=np.int64)
        batch = Batch(self.raw.name, first, numbers, faults)
        kept = batch.kept
        rows = [found[place] for place in kept]
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(self.names)
        named = {}
        for one, column in zip(self.attributes, columns, strict=True):
            named[one.name] = _column(one, column)
            for row, told in _strange(one, column, named[one.name]):
                faults.setdefault(kept[row], Fault(one.name, column[row], f"{told}; mend it, {SKIP}"))
        good = [row for row, place in enumerate(kept) if place not in faults]
        if len(good) < len(kept):
            named = {name: column[good] for name, column in named.items()}
        return checked(batch, named, lambda row, place: columns[place][good[row]])

    def _fields(self, text: str) -> list[str | None]:
        """The values of a row as texts; None is missing."""
        text = text.strip()
        if text.startswith("{"):
            raise Bad("", text, "sparse rows of ARFF are not read; write all values, or use LIBSVM text")
        if "'" in text or '"' in text:
            fields = _unquoted(text)
        else:
            fields = [None if (field := cell.strip()) == "?" else field for cell in text.split(",")]
        if len(fields) != len(self.names):
            told = f"{len(fields)} value(s) where {len(self.names)} are expected; mend the line, {SKIP}"
            raise Bad("", text, told)
        return fields


def _column(attribute: Attribute, fields: tuple[str | None, ...]) -> np.ndarray:
    """What is called a category or a text is one, even if it looks like a number."""
    if attribute.kind == "numeric":
        return cells.column(["" if field is None else field for field in fields])
    if attribute.kind == "date":
        return cells.of_values([None if field is None else cells.value(field) for field in fields])
    return cells.of_values(fields)


def _strange(attribute: Attribute, fields: tuple[str | None, ...], column: np.ndarray) -> list[tuple[int, str]]:
    """The rows whose value is not of the attribute's kind, and what to say of it."""
    if attribute.kind == "nominal":
        odd = set(fields) - attribute.values - {None}
        return [
            (row, "this is none of the values that the header names") for row, one in enumerate(fields) if one in odd
        ]
    if attribute.kind == "numeric" and column.dtype == object:
        return [(row, "this is not a number") for row, one in enumerate(column.tolist()) if not _is_number(one)]
    return []


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, float)


def _word(text: str) -> str:
    """What a line of the header begins with."""
    return text.split(maxsplit=1)[0].lower() if text.strip() else ""


def _parsed(name: str, line: TextLine) -> Attribute:
    found = _attribute(line.text.strip())
    if found is None:
        raise at(name, line.number, f"{short(line.text)} is no attribute with a name and a type; {REMEDY}")
    called, kind = _bare(found[1]), found[2].strip()
    if kind.startswith("{") and kind.endswith("}"):
        try:
            return Attribute(called, "nominal", frozenset(value or "" for value in _unquoted(kind[1:-1].strip())))
        except Bad as problem:
            raise at(name, line.number, str(problem)) from None
    word = _word(kind)
    if word not in KINDS:
        raise at(name, line.number, f"the attribute {called!r} has the type {short(kind)}, which is not read; {REMEDY}")
    return Attribute(called, KINDS[word])


def _unquoted(text: str) -> list[str | None]:
    """Fields, of which some are quoted."""
    fields: list[str | None] = []
    place = 0
    while True:
        found = _field(text, place)
        if found is None:
            raise Bad("", text, f"the quotes do not match; mend the line, {SKIP}")
        bare = found[1].strip()
        fields.append(None if bare == "?" else _bare(bare))
        place = found.end()
        if not found[2]:
            return fields


def _bare(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
