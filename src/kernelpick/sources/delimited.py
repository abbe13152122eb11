"""CSV and TSV: fields parted by a delimiter, quoted where they hold one."""

import csv
from collections.abc import Iterator

import numpy as np

from kernelpick.sources import arrow, cells, recognise
from kernelpick.sources.blocks import Block, Reject, passed_over
from kernelpick.sources.lines import pieces
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading
from kernelpick.sources.records import Records, grouped

SKIP = "or leave such rows out by --on-error skip"
# What the csv module says, and what that means.
FAULTS = (
    ("field larger", "a field is longer than the {:,} characters that are read"),
    ("expected after", "text follows a quote that closes a field; double a quote that is meant as such"),
    ("unexpected end", "a quote is opened and not closed; double a quote that is meant as such"),
    ("new-line", "there is a carriage return in the middle of the line; end all lines in one way"),
)


class Delimited:
    """One file of fields."""

    label: str | None = None

    def __init__(self, raw: Raw, reading: Reading) -> None:
        self.raw, self.limits = raw, reading.limits
        tab = "\t" if reading.format == "tsv" else None
        layout = recognise.layout(raw, reading.delimiter or tab, reading.header, reading.limits)
        self.delimiter, self.names, self.header, self.notes = layout

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, of which the first so many are passed over."""
        first, header, left = 0, int(self.header), skip
        reader = arrow.Reader.where_installed(self.delimiter, len(self.names))
        for records in grouped(pieces(self.raw.chunks(), self.limits.line), self.delimiter, self.limits):
            if header and len(records.starts):
                records, header = records.after(1), 0
            passed = min(left, len(records.starts))
            if passed:
                yield passed_over(first, passed, self.raw.name)
                left, first, records = left - passed, first + passed, records.after(passed)
            if len(records.starts):
                yield self._block(records, first, reader)
                first += len(records.starts)

    def _block(self, records: Records, first: int, reader: "arrow.Reader | None") -> Block:
        columns = None
        if reader is not None and len(self.names) > 1 and arrow.takes(records, self.limits.field):
            columns = reader.columns(records)
        if columns is not None:
            numbers = first + np.arange(len(records.starts), dtype=np.int64)
            named = dict(zip(self.names, columns, strict=True))
            return Block(first, numbers, named, [], len(numbers), self.raw.name, records.lines)
        return self._looked_at(records, first)

    def _looked_at(self, records: Records, first: int) -> Block:
        """Record by record."""
        faults: dict[int, tuple[str, str, str]] = {}  # column, text and reason by place
        texts = self._decoded(records, faults)
        rows = self._split(texts, faults)
        kept = [place for place in range(len(rows)) if place not in faults]
        columns = [cells.column(column) for column in zip(*(rows[place] for place in kept), strict=True)]
        bad = {
            int(row): (name, rows[kept[row]][at], f"an infinite number can't be learned from; mend it, {SKIP}")
            for at, (name, column) in enumerate(zip(self.names, columns, strict=False))
            for row in cells.infinite(column)
        }
        if bad:
            faults |= {kept[row]: fault for row, fault in bad.items()}
            good = np.array([row not in bad for row in range(len(kept))])
            kept = [place for place in kept if place not in faults]
            columns = [column[good] for column in columns]
        lines = records.lines.astype(np.int64)
        rejects = [Reject(first + place, self.raw.name, int(lines[place]), *faults[place]) for place in sorted(faults)]
        places = np.array(kept, dtype=np.int64)
        named = dict(zip(self.names, columns or [np.zeros(0)] * len(self.names), strict=True))
        return Block(first, first + places, named, rejects, len(rows), self.raw.name, lines[places])

    def _decoded(self, records: Records, faults: dict[int, tuple[str, str, str]]) -> list[str]:
        """Texts; in place of those that have no characters, nothing."""
        found = []
        for place, raw in enumerate(records.texts()):
            reason = records.faults.get(place)
            if reason is None and b"\0" in raw:
                reason = "there is a NUL byte, which text never holds; is it UTF-16? Then say --encoding utf-16"
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as problem:
                text = raw.decode("utf-8", "backslashreplace")
                column = self._column_at(raw[: problem.start])
                reason = reason or (
                    f"there are bytes that {self.raw.encoding} does not have; say the file's encoding, "
                    f"as in --encoding cp1252, {SKIP}"
                )
                faults[place] = column, _around(raw, problem.start), reason
            if reason is not None:
                faults.setdefault(place, ("", text, reason))
            found.append(text)
        return found

    def _column_at(self, before: bytes) -> str:
        """The name of the column whose field follows some bytes of a record; delimiters in quotes are rare there."""
        place = before.count(self.delimiter.encode())
        return self.names[place] if b'"' not in before and place < len(self.names) else ""

    def _split(self, texts: list[str], faults: dict[int, tuple[str, str, str]]) -> list[list[str]]:
        """The fields of each text."""
        try:
            rows = [] if faults else list(csv.reader(texts, delimiter=self.delimiter, strict=True))
        except csv.Error:
            rows = []
        if len(rows) != len(texts):
            rows = [[] if place in faults else self._fields(place, text, faults) for place, text in enumerate(texts)]
        width = len(self.names)
        for place, row in enumerate(rows):
            if len(row) != width and place not in faults:
                reason = (
                    f"{len(row)} field(s) where {width} are expected, parted by {self.delimiter!r}; mend it, {SKIP}"
                )
                faults[place] = "", texts[place], reason
        return rows

    def _fields(self, place: int, text: str, faults: dict[int, tuple[str, str, str]]) -> list[str]:
        try:
            return next(csv.reader([text], delimiter=self.delimiter, strict=True))
        except csv.Error as problem:
            told = next((told for said, told in FAULTS if said in str(problem)), str(problem))
            faults[place] = "", text, f"{told.format(csv.field_size_limit())}; mend it, {SKIP}"
            return []


def _around(raw: bytes, place: int) -> str:
    return raw[max(0, place - 10) : place + 10].decode("utf-8", "backslashreplace")
