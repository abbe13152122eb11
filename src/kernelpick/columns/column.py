"""One column: what it has been so far, which inputs came of that, and what its values write there."""

import math
from typing import Any

import numpy as np

from kernelpick.columns.inputs import DAY, HOUR, MISSING, NUMBER, SECONDS, SLOT, WORD, Input
from kernelpick.columns.kinds import LENGTH_OF_DAY
from kernelpick.columns.values import Times, Values
from kernelpick.columns.words import Starts, Words

WEEK = 7
SECOND = 1_000_000  # microseconds


class Column:
    def __init__(self, name: Any) -> None:
        self.name = name
        self.places: dict[str, int] = {}  # where the inputs of a part are in a row; words have their own
        self.words = Words()
        self.first: int | None = None  # the first time, in microseconds

    @property
    def is_plain(self) -> bool:
        """Whether a number is written as a number, and nothing else is."""
        return NUMBER in self.places and SECONDS not in self.places and not self.words.ignored

    def clocks_and_numbers(self) -> list[int]:
        """Where those inputs are that are not made of zeros and ones or points on a circle."""
        return [self.places[part] for part in (NUMBER, SECONDS) if part in self.places]

    def inputs(self) -> list[Input]:
        """In order of their places."""
        found = {Input(self.name, part): place for part, place in self.places.items()}
        found |= {Input(self.name, WORD, word): place for word, place in self.words.places.items()}
        found |= {Input(self.name, SLOT, slot): place for slot, place in self.words.slots.items()}
        return sorted(found, key=found.__getitem__)

    def all_places(self) -> list[int]:
        """Where its inputs are in a row."""
        return [*self.places.values(), *self.words.places.values(), *self.words.slots.values()]

    def place(self, one: Input, place: int) -> None:
        """Say where an input is."""
        homes: dict[str, dict[Any, int]] = {WORD: self.words.places, SLOT: self.words.slots}
        homes.get(one.part, self.places)[one.part if one.value is None else one.value] = place

    def learn(self, values: Values, until: int, indicates: bool) -> tuple[list[tuple[int, Input]], int]:
        """Inputs that are born, with their rows, and from which row on nothing is written, at most until."""
        if self.words.ignored:
            return [], 0
        born: list[tuple[int, Input]] = []
        if values.texts is not None:
            words, end = self.words.learn(values.texts)
            born, until = [(row, Input(self.name, part, value)) for row, part, value in words], min(until, end)
        if values.numbers is not None:
            self._bear(born, (NUMBER,), ~np.isnan(values.numbers), until)
        if values.times is not None:
            there = values.times.there
            if self.first is None and there[:until].any():
                self.first = int(values.times.instants[there.argmax()])
            self._bear(born, (SECONDS, *DAY), there, until)
            if HOUR[0] not in self.places:
                self._bear(born, HOUR, there & (values.times.clocks % LENGTH_OF_DAY != 0), until)
        if values.missing is not None and indicates:
            self._bear(born, (MISSING,), values.missing, until)
        return born, until

    def _bear(self, born: list[tuple[int, Input]], parts: tuple[str, ...], needs: np.ndarray, until: int) -> None:
        """The inputs of parts that are not there yet, in the first row that needs them."""
        if parts[0] in self.places or not needs[:until].any():
            return
        row = int(needs.argmax())
        for part in parts:
            self.places[part] = -1  # until all that are born with it have theirs
            born.append((row, Input(self.name, part)))

    def write(self, values: Values, out: np.ndarray, starts: Starts, until: int, nothing: float) -> None:
        """Its inputs in the rows (T, d), each from the row in which it was born; nothing is what no number reads as."""
        if values.texts is not None:
            self.words.write(values.texts, out, starts, until)

        def put(part: str, numbers: Any) -> None:
            start = starts.get((part, None), 0)
            if start < until:
                out[start:until, self.places[part]] = numbers if isinstance(numbers, float) else numbers[start:until]

        if NUMBER in self.places:
            if values.numbers is None:
                put(NUMBER, nothing)
            else:
                put(NUMBER, np.nan_to_num(values.numbers) if nothing == 0.0 else values.numbers)
        if SECONDS in self.places:
            if values.times is None:
                put(SECONDS, nothing)
            else:
                self._write_times(values.times, put, nothing)
        if values.missing is not None and MISSING in self.places:
            put(MISSING, values.missing)

    def _write_times(self, times: Times, put: Any, nothing: float) -> None:
        there, instants, clocks = times
        whole = bool(there.all())

        def put_where_there(part: str, numbers: np.ndarray, other: float) -> None:
            put(part, numbers if whole else np.where(there, numbers, other))

        put_where_there(SECONDS, (instants - self.first) / SECOND, nothing)
        days, time_of_day = np.divmod(clocks, LENGTH_OF_DAY)
        for parts, turns in ((HOUR, time_of_day / LENGTH_OF_DAY), (DAY, days % WEEK / WEEK)):
            if parts[0] in self.places:
                angle = 2 * math.pi * turns
                put_where_there(parts[0], np.sin(angle), 0.0)
                put_where_there(parts[1], np.cos(angle), 0.0)
