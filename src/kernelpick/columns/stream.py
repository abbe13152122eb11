"""All columns of a stream: a table in, rows of numbers and the births of inputs out.

A key that is absent from a dict is a missing value where its column is mostly there, and zero where that is mostly
absent. To know that costs the usual row nothing: rows are counted, and absences, and not presences.
"""

import copy
from collections.abc import Hashable
from itertools import groupby
from typing import Any

import numpy as np

from kernelpick.columns import kinds, values
from kernelpick.columns.column import Column
from kernelpick.columns.inputs import NUMBER, Input, rank
from kernelpick.columns.tables import Table
from kernelpick.columns.values import Values
from kernelpick.online.names import plain

POLICIES = ("zero", "mean", "raise")
FEWEST = 8  # rows that a column which is mostly there has been in

Births = list[tuple[int, list[Input]]]  # rows, and the inputs that are born in each
Given = list[tuple[int, Values, int]]  # numbers of columns, their values, and up to which row these are written


class Columns:
    def __init__(self, missing: str | None, as_given: bool = False) -> None:
        self.missing = missing
        self.as_given = as_given  # whether the numbers of the first row keep their order, as those of a matrix do
        self.closed = False  # whether no input is born any more: what has none is left out
        self.rows = 0  # learned, or asked about
        self.numbers: dict[Hashable, int] = {}  # of the columns, by name, in the order in which they came
        self.columns: list[Column] = []
        self.since = np.zeros(0, dtype=np.int64)  # rows before the first one that had the column
        self.absences = np.zeros(0, dtype=np.int64)  # rows since then that did not have it
        self.width = 0  # inputs
        self.made = 0  # those of them that are not a column's own number
        self.new_ids: list[Hashable] = []  # columns that are ignored, and nobody was told of it
        self.changes = 0  # of the columns, their inputs, and what is ignored

    @property
    def only_numbers(self) -> bool:
        """Whether each column has become a number, and nothing else."""
        return not self.made and self.width == len(self.columns)

    def inputs(self) -> dict[Hashable, list[str]]:
        """What each column became, for people."""
        ignored = ["ignored: nearly all of its texts are different"]
        return {one.name: ignored if one.words.ignored else list(map(str, one.inputs())) for one in self.columns}

    def of_dict(self, x: dict[Hashable, Any]) -> Table:
        """A dict as a table of one row; refused is a value that is nothing that can be read."""
        names, columns, numbers = [], [], []
        for name, value in x.items():
            read = kinds.look(value)
            if read is None:
                raise values.refusal(name, value)
            number = self.numbers.get(name)
            if number is not None and read[0] == kinds.NUMBER and self.columns[number].is_plain:
                numbers.append((number, read[1]))
                continue
            names.append(plain(name))
            columns.append(values.of_one(read))
        return Table.of_row(names, columns, numbers)

    def check(self, table: Table) -> None:
        """Refuse what missing="raise" does not take."""
        if self.missing != "raise":
            return
        for name, column in zip(table.names, table.columns, strict=True):
            if column.missing is not None and column.missing.any():
                raise values.missing_one(name, int(column.missing.argmax()) if len(table) > 1 else None)
        absent, until = self._absent(self._present(table), 1)
        if until.any():
            raise values.missing_one(self.columns[absent[until.argmax()]].name)

    def read(self, table: Table) -> np.ndarray:
        """Rows (T, width); nothing changes, and what has no input yet is left out."""
        count = len(table)
        pairs = zip(table.names, table.columns, strict=True)
        given = [(self.numbers[name], column, count) for name, column in pairs if name in self.numbers]
        given = [(n, column, 0 if self.columns[n].words.ignored else end) for n, column, end in given]
        absent = self._given_absent(self._present(table), 1)  # no row that is read counts for the next one
        given += [(number, values.absent(count), count) for number, _, _ in absent]
        return self._written(table, given, {})

    def learn(self, table: Table) -> tuple[np.ndarray, Births]:
        """Rows (T, width) for a model to learn from, and which inputs it has to admit, before which rows."""
        count = len(table)
        if self.closed:
            rows = self.read(table)
            self.count(self._present(table), count)
            return rows, []
        given = [(self._number(name), column, count) for name, column in zip(table.names, table.columns, strict=True)]
        present = self._present(table)
        given += self._given_absent(present, count)
        born: list[tuple[int, Input]] = []
        for i, (number, column, until) in enumerate(given):
            one = self.columns[number]
            ignored = one.words.ignored
            more, until = one.learn(column, until, self.missing in (None, "mean"))
            if one.words.ignored and not ignored:
                self.new_ids.append(one.name)
                self.changes += 1
            born += more
            given[i] = number, column, until
        births = self._placed(born)
        rows = self._written(table, given, {one: row for row, one in born})
        self.count(present, count)
        return rows, births

    def count(self, present: list[int], count: int) -> None:
        """So many more rows, with these columns."""
        self.rows += count
        if len(present) < len(self.columns):
            self.absences += count
            self.absences[present] -= count

    def expect(self, table: Table) -> None:
        """The columns of the rows that a stream begins with: whoever reads before these are learned finds them."""
        for name in table.names:
            self._number(name)

    def blank(self) -> "Columns":
        """The same inputs with nothing counted, and no others to come: those of shards would be born in any order.

        What is mostly there stays so as long as nothing else is known.
        """
        new = copy.deepcopy(self)
        new.closed = True
        mostly = 2 * (self.rows - self.since - self.absences) > self.rows - self.since
        new.rows = FEWEST if self.rows else 0
        new.since = np.zeros_like(self.since)
        new.absences = np.where(mostly, 0, new.rows)
        return new

    def merged(self, others: "list[Columns]") -> "Columns":
        """Rows and absences of several streams with the same inputs."""
        new = copy.deepcopy(self)
        for name in ("rows", "since", "absences"):
            setattr(new, name, sum((getattr(one, name) for one in others), getattr(self, name)))
        return new

    def _number(self, name: Hashable) -> int:
        """The number of a column, which may be new."""
        number = self.numbers.setdefault(name, len(self.columns))
        if number == len(self.columns):
            self.columns.append(Column(name))
            self.changes += 1
            self.since = np.append(self.since, self.rows)
            self.absences = np.append(self.absences, 0)
        return number

    def _present(self, table: Table) -> list[int]:
        known = [self.numbers[name] for name in table.names if name in self.numbers]
        return known + [number for number, _ in table.numbers]

    def _absent(self, present: list[int], count: int) -> tuple[np.ndarray, np.ndarray]:
        """The columns that are not present, and up to which of the next rows they are mostly there."""
        away = np.ones(len(self.columns), dtype=bool)
        away[present] = False
        absent = np.flatnonzero(away)
        rows = self.rows - self.since[absent]
        there = rows - self.absences[absent]
        return absent, np.where(there >= FEWEST, np.minimum(np.maximum(2 * there - rows, 0), count), 0)

    def _given_absent(self, present: list[int], count: int) -> Given:
        """The columns that are not present, where that is a missing value."""
        if len(present) == len(self.columns) or self.missing in ("zero", "raise"):
            return []
        absent, until = self._absent(present, count)
        if self.missing == "mean":
            until = np.full(len(absent), count)
        ends = zip(absent[until > 0].tolist(), until[until > 0].tolist(), strict=True)
        return [(number, values.absent(count), end) for number, end in ends if not self.columns[number].words.ignored]

    def missed(self, present: list[int]) -> list[int]:
        """The columns that the next row would miss, if these are present."""
        return [number for number, _, _ in self._given_absent(present, 1)]

    def _placed(self, born: list[tuple[int, Input]]) -> Births:
        """Births in order, each input with the next place; the order of columns does not matter, but for as_given."""
        first = self.as_given and not self.rows

        def order(birth: tuple[int, Input]) -> tuple[int, int, int, str]:
            row, one = birth
            given = first and row == 0 and one.part == NUMBER
            return row, rank(one), self.numbers[one.column] if given else 0, repr(one.name)

        born = sorted(born, key=order)
        for _, one in born:
            self.columns[self.numbers[one.column]].place(one, self.width)
            self.width += 1
            self.made += one.part != NUMBER
            self.changes += 1
        return [(row, [one for _, one in group]) for row, group in groupby(born, key=lambda birth: birth[0])]

    def _written(self, table: Table, given: Given, born: dict[Input, int]) -> np.ndarray:
        out = np.zeros((len(table), self.width))
        if table.numbers:
            places = [self.columns[number].places[NUMBER] for number, _ in table.numbers]
            out[0, places] = [value for _, value in table.numbers]
        nothing = 0.0 if self.missing == "zero" else float("nan")
        starts: dict[Hashable, dict[tuple[str, Any], int]] = {}
        for one, row in born.items():
            starts.setdefault(one.column, {})[one.part, one.value] = row
        for number, column, until in given:
            if until:
                one_column = self.columns[number]
                one_column.write(column, out, starts.get(one_column.name, {}), until, nothing)
        ends = {number: until for number, _, until in given}
        for number, one_column in enumerate(self.columns):
            if one_column.words.ignored:  # its numbers are not known any longer
                out[ends.get(number, 0) :, one_column.clocks_and_numbers()] = nothing
        return out
