"""The short way of a dict: its row, where all inputs that it needs are there.

Reading a dict as a table (stream.py) takes longer than a round. Here values write what they would write there: numbers
together, where a row has all columns, and others one by one. A row that bears an input, or with which a text column is
judged, goes the long way, and so does what is refused.
"""

import datetime
import math
import struct
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from kernelpick.columns import kinds
from kernelpick.columns.column import Column
from kernelpick.columns.inputs import HOUR, MISSING, NUMBER, SECONDS
from kernelpick.columns.stream import Columns
from kernelpick.columns.values import Values, of_one
from kernelpick.online.columns import NamedModel, finite_sum, reader, writer

NOWHERE = -1
UNCHANGING = {float, int, bool, str, type(None), datetime.datetime, datetime.date}  # of values that stay what they are


class Home(NamedTuple):
    """Of a column: where some of its inputs are in a row, or NOWHERE."""

    number: int  # its own, among the columns
    column: Column
    place: int  # of its numbers,
    seconds: int  # of its times,
    indicator: int  # and of what tells that they are missing


class Written:
    """What values write, and those of them that are to be counted, or write more than that."""

    bears = False  # whether learning them bears an input, or a text column is judged
    present: list[int]  # columns

    def __init__(self) -> None:
        self.places: list[int] = []
        self.numbers: list[float] = []
        self.texts: list[tuple[Column, str]] = []
        self.times: list[tuple[Column, Values]] = []

    def add(self, place: int, number: float) -> None:
        if place >= 0:
            self.places.append(place)
            self.numbers.append(number)


class Short:
    """For columns as they are now."""

    asked: tuple[Any, ...] = ()  # the dict that was looked at last, and what it had
    written: Written

    def __init__(self, columns: Columns) -> None:
        self.columns, self.changes = columns, columns.changes
        self.nothing = 0.0 if columns.missing == "zero" else math.nan
        self.indicates = columns.missing in (None, "mean")
        self.homes: dict[Hashable, Home] = {}
        for number, one in enumerate(columns.columns):
            if one.words.ignored and one.clocks_and_numbers():  # which every row writes to
                self.homes = {}
                break
            places = (one.places.get(part, NOWHERE) for part in (NUMBER, SECONDS, MISSING))
            self.homes[one.name] = Home(number, one, *places)
        self.by_number = list(self.homes.values())
        plain = [home for home in self.homes.values() if home.column.is_plain]
        numbers = sorted((home.place, home.number) for home in plain)
        names = [columns.columns[number].name for _, number in numbers]
        self.read = reader(names)
        self.values, self.places = np.empty(len(names)), np.array([place for place, _ in numbers], dtype=np.intp)
        self.every = list(range(len(columns.columns)))
        self.others = [(name, home) for name, home in self.homes.items() if not home.column.is_plain]

    def is_of(self, columns: Columns) -> bool:
        return columns is self.columns and columns.changes == self.changes

    def row(self, model: NamedModel, x: dict[Hashable, Any], learns: bool) -> np.ndarray | None:
        """The row (1, d) of a dict as `learning.rows` has it, or `learning.ready` if it is to be learned, and counts.
        None where it goes the long way, and nothing has changed.

        It is the model's own array, for whoever holds the guard. A row that was predicted and is now to be learned is
        there already.
        """
        columns = self.columns
        asked = columns.rows, id(x), tuple(x.items()) if set(map(type, x.values())) <= UNCHANGING else None
        if model.asked is not self.asked or asked != self.asked or asked[2] is None:
            if not self._look(model, x):
                return None
            model.asked = self.asked = asked
        if learns and not columns.closed:
            if self.written.bears:
                return None
            for column, text in self.written.texts:
                column.words.note(text)
        if learns:
            columns.count(self.written.present, 1)
        return model.row

    def _look(self, model: NamedModel, x: dict[Hashable, Any]) -> bool:
        """Write a row; False where it goes the long way."""
        columns, written = self.columns, Written()
        if not self.homes:
            return False
        all_there = len(x) == len(self.homes) and len(model.names) >= columns.width
        if all_there and self._reads_numbers(x):
            for name, home in self.others:
                if name not in x or not self._write(home, kinds.look(x[name]), written):
                    return False
            row, written.present = model.blank_row(), self.every
            row[0, self.places] = self.values
        else:
            if not self._one_by_one(x, written) or not self._leave_out(model, written):
                return False
            row = model.blank_row()
        if written.places:
            row[0, written.places] = written.numbers
        for column, values in written.times:
            column.write(values, row, {}, 1, self.nothing)
        self.written = written
        return True

    def _reads_numbers(self, x: dict[Hashable, Any]) -> bool:
        """Whether all columns that may have a number do, which are the values then."""
        if self.read is None:
            return False
        try:
            values = self.read(x)
            if finite_sum(values) is None:
                return False
            writer(len(values))(self.values, 0, *values)
        except (KeyError, TypeError, ValueError, OverflowError, struct.error):
            return False
        return True

    def _one_by_one(self, x: dict[Hashable, Any], written: Written) -> bool:
        """What all values write, and columns that are not there, but mostly are."""
        written.present = []
        for name, value in x.items():
            home = self.homes.get(name)
            if home is None or not self._write(home, kinds.look(value), written):
                return False
            written.present.append(home.number)
        if len(written.present) == len(self.every):
            return True
        missed = self.columns.missed(written.present)
        return self.columns.missing != "raise" and all(self._miss(self.by_number[number], written) for number in missed)

    def _write(self, home: Home, read: kinds.Read | None, written: Written) -> bool:
        """What a value writes; False where it is not for the short way."""
        if read is None:
            return False
        kind, value = read
        column, words = home.column, home.column.words
        if kind == kinds.MISSING:
            return self._miss(home, written)
        if words.ignored:
            return True
        if kind == kinds.TIME:
            written.times.append((column, of_one(read)))
            written.bears |= HOUR[0] not in column.places and value[1] % kinds.LENGTH_OF_DAY != 0
            return home.seconds >= 0
        written.add(home.seconds, self.nothing)
        if kind == kinds.NUMBER:
            written.add(home.place, value)
            return home.place >= 0
        place, sign, _ = words.find(value)
        written.add(home.place, self.nothing)
        written.add(place, sign)
        written.texts.append((column, value))
        written.bears |= not words.only_counts(value)
        return True

    def _miss(self, home: Home, written: Written) -> bool:
        if not home.column.words.ignored:
            for place, number in ((home.place, self.nothing), (home.seconds, self.nothing), (home.indicator, 1.0)):
                written.add(place, number)
            written.bears |= home.indicator < 0 and self.indicates
        return self.columns.missing != "raise"

    def _leave_out(self, model: NamedModel, written: Written) -> bool:
        """What is written to inputs that wait."""
        width = len(model.names)
        if width < self.columns.width:
            known = {place: n for place, n in zip(written.places, written.numbers, strict=True) if place < width}
            written.places, written.numbers = list(known), list(known.values())
        return width >= self.columns.width or not written.times
