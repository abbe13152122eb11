"""The values of one column in some rows, read and checked. What can't be read is refused, with its column and row."""

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np

from kernelpick.columns.kinds import MISSING, NUMBER, TEXT, TIME, Read, look


class Texts(NamedTuple):
    codes: np.ndarray  # (T,) the place of a row's text in words; -1 where it has none
    words: list[str]

    def part(self, rows: Any) -> "Texts":
        codes = self.codes[rows]
        if len(self.words) <= len(codes):
            return Texts(codes, self.words)
        present, places = np.unique(codes, return_inverse=True)
        first = int(len(present) > 0 and present[0] < 0)  # -1 sorts before all others
        return Texts(places - first, [self.words[code] for code in present[first:]])


class Times(NamedTuple):
    there: np.ndarray  # (T,) whether a row has one
    instants: np.ndarray  # (T,) microseconds since 1970 in UTC, which a time without a zone is in
    clocks: np.ndarray  # (T,) the same as the local clock shows it

    def part(self, rows: Any) -> "Times":
        return Times(*(array[rows] for array in self))


class Values(NamedTuple):
    """The values of a column in some rows; None where there are none of a kind."""

    n_rows: int
    numbers: np.ndarray | None = None  # (T,) NaN where a row has no number
    texts: Texts | None = None
    times: Times | None = None
    missing: np.ndarray | None = None  # (T,) bool

    def part(self, rows: Any) -> "Values":
        texts, times = self.texts, self.times
        return Values(
            n_of(self.n_rows, rows),
            None if self.numbers is None else self.numbers[rows],
            None if texts is None else texts.part(rows),
            None if times is None else times.part(rows),
            None if self.missing is None else self.missing[rows],
        )


def n_of(count: int, rows: Any) -> int:
    """How many of so many rows a slice takes, or a list of them has."""
    return len(range(count)[rows]) if isinstance(rows, slice) else len(rows)


def refusal(name: Hashable, value: Any, row: int | None = None) -> ValueError:
    where = "" if row is None else f" in row {row},"
    return ValueError(
        f"{name!r} is {value!r}{where} where a finite number is expected, or a text, a date, or nothing; "
        "encode, replace or drop it first."
    )


def missing_one(name: Hashable, row: int | None = None) -> ValueError:
    where = "" if row is None else f" in row {row}"
    return ValueError(f"{name!r} is missing{where}; replace or drop it first, or set missing to 'mean' or 'zero'.")


def of_one(read: Read) -> Values:
    """The values of a column in a single row."""
    kind, value = read
    if kind == NUMBER:
        return Values(1, np.array([value]))
    if kind == TEXT:
        return Values(1, texts=Texts(np.zeros(1, dtype=np.intp), [value]))
    if kind == TIME:
        return Values(1, times=Times(np.ones(1, dtype=bool), np.array([value[0]]), np.array([value[1]])))
    return absent(1)


def absent(count: int) -> Values:
    return Values(count, missing=np.ones(count, dtype=bool))


# many values


def of_numbers(name: Hashable, numbers: np.ndarray) -> Values:
    """A column of numbers; NaN is missing."""
    finite = np.isfinite(numbers)
    if finite.all():
        return Values(len(numbers), numbers)
    missing = np.isnan(numbers)
    wrong = np.flatnonzero(~finite & ~missing)
    if len(wrong):
        raise refusal(name, float(numbers[wrong[0]]), int(wrong[0]))
    return Values(len(numbers), None if missing.all() else numbers, missing=missing)


def of_times(instants: np.ndarray, clocks: np.ndarray | None = None) -> Values:
    """A column of datetime64; NaT is missing."""
    instants = instants.astype("M8[us]")
    missing = np.isnat(instants)
    clocks = instants if clocks is None else clocks.astype("M8[us]")
    times = Times(~missing, instants.astype(np.int64), clocks.astype(np.int64))
    return Values(len(instants), times=None if missing.all() else times, missing=missing if missing.any() else None)


def of_words(codes: np.ndarray, words: list[str]) -> Values:
    """A column of texts; -1 is missing."""
    missing = codes < 0
    texts = None if missing.all() else Texts(codes, words)
    return Values(len(codes), texts=texts, missing=missing if missing.any() else None)


def of_objects(name: Hashable, given: list[Any]) -> Values:
    """A column of values of any kind."""
    if set(map(type, given)) <= {str, type(None)}:
        return of_words(*_numbered(given))
    count = len(given)
    kinds, numbers = np.empty(count, dtype=np.int8), np.full(count, np.nan)
    texts: list[str | None] = [None] * count
    instants, clocks = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for row, value in enumerate(given):
        read = look(value)
        if read is None:
            raise refusal(name, value, row)
        kinds[row] = read[0]
        if read[0] == NUMBER:
            numbers[row] = read[1]
        elif read[0] == TEXT:
            texts[row] = read[1]
        elif read[0] == TIME:
            instants[row], clocks[row] = read[1]
    there = {kind: kinds == kind for kind in range(4)}
    return Values(
        count,
        numbers if there[NUMBER].any() else None,
        Texts(*_numbered(texts)) if there[TEXT].any() else None,
        Times(there[TIME], instants, clocks) if there[TIME].any() else None,
        there[MISSING] if there[MISSING].any() else None,
    )


def _numbered(texts: Iterable[str | None]) -> tuple[np.ndarray, list[str]]:
    """The place of each text in the list of different ones, in order of appearance."""
    places: dict[str, int] = {}
    codes = [-1 if text is None else places.setdefault(text, len(places)) for text in texts]
    return np.array(codes, dtype=np.intp), list(places)
