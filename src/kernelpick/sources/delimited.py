"""CSV and TSV: fields parted by a delimiter, quoted where they hold one."""

import csv
from collections.abc import Iterator

import numpy as np

from kernelpick.sources import arrow, cells, recognise
from kernelpick.sources.blocks import Block, passed_over
from kernelpick.sources.gathering import NUL, SKIP, Batch, Fault, checked, undecodable
from kernelpick.sources.lines import pieces
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading
from kernelpick.sources.records import Records, grouped

SOME = 2**13  # records
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
                records, header = records.part(1), 0
            passed = min(left, len(records.starts))
            if passed:
                yield passed_over(first, passed, self.raw.name)
                left, first, records = left - passed, first + passed, records.part(passed)
            for block in self._blocks(records, first, reader):
                yield block
                first += block.count

    def _blocks(self, records: Records, first: int, reader: "arrow.Reader | None") -> Iterator[Block]:
        """All at once where that can be, else record by record, some at a time."""
        count = len(records.starts)
        if not count:
            return
        columns = None
        if reader is not None and len(self.names) > 1 and arrow.takes(records, self.limits.field):
            columns = reader.columns(records)
        if columns is not None:
            named = dict(zip(self.names, columns, strict=True))
            numbers = first + np.arange(count, dtype=np.int64)
            yield Block(first, numbers, named, [], count, self.raw.name, records.lines)
            return
        for start in range(0, count, SOME):
            yield self._looked_at(records.part(start, start + SOME), first + start)

    def _looked_at(self, records: Records, first: int) -> Block:
        """Record by record."""
        faults: dict[int, Fault] = {}
        rows = self._split(self._decoded(records, faults), faults)
        batch = Batch(self.raw.name, first, records.lines, faults)
        good = [rows[place] for place in batch.kept]
        columns = zip(*good, strict=True) if good else [()] * len(self.names)
        named = {name: cells.column(column) for name, column in zip(self.names, columns, strict=True)}
        return checked(batch, named, lambda row, place: good[row][place])

    def _decoded(self, records: Records, faults: dict[int, Fault]) -> list[str]:
        """Texts, and what is wrong with those that are none."""
        found = []
        for place, raw in enumerate(records.texts()):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as problem:
                text = raw.decode("utf-8", "backslashreplace")
                column = self._column_at(raw[: problem.start])
                faults[place] = undecodable(column, raw, problem.start, self.raw.encoding)
            reason = records.faults.get(place) or (NUL if b"\0" in raw else None)
            if reason is not None:
                faults[place] = Fault("", text, reason)
            found.append(text)
        return found

    def _column_at(self, before: bytes) -> str:
        """The name of the column whose field follows some bytes of a record; delimiters in quotes are rare there."""
        place = before.count(self.delimiter.encode())
        return self.names[place] if b'"' not in before and place < len(self.names) else ""

    def _split(self, texts: list[str], faults: dict[int, Fault]) -> list[list[str]]:
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
                faults[place] = Fault("", texts[place], reason)
        return rows

    def _fields(self, place: int, text: str, faults: dict[int, Fault]) -> list[str]:
        try:
            return next(csv.reader([text], delimiter=self.delimiter, strict=True))
        except csv.Error as problem:
            told = next((told for said, told in FAULTS if said in str(problem)), str(problem))
            faults[place] = Fault("", text, f"{told.format(csv.field_size_limit())}; mend it, {SKIP}")
            return []
