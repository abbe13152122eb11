"""Which lines make a record, where quotes may hold ends of lines.

A record lies on one line; it runs over several if a quote is opened on the first of them and every quote of them is in
its place: one that opens stands at the beginning of a field, one that closes at its end, one inside is doubled. So a
quote that is never closed costs its own line, and not the rest of the file; and since a line that opens a quote has an
odd number of them, no line is looked at more than twice.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kernelpick.sources.lines import Piece
from kernelpick.sources.reading import Limits

UNCLOSED = "the quotes do not match: one is opened and not closed; mend them or double a quote that is meant as such"
TOO_LONG = "the line is longer than the {:,} bytes that are read; cut it, or leave such rows out by --on-error skip"
NEWLINE, RETURN, QUOTE, SPACE = b'\n\r" '


class Records(NamedTuple):
    """Records that follow each other; blank lines are none."""

    data: bytes
    starts: np.ndarray
    ends: np.ndarray  # without the end of the line
    lines: np.ndarray
    tidy: bool  # all quotes are in their places
    faults: dict[int, str]  # what is known to be wrong with some

    def part(self, start: int, stop: int | None = None) -> "Records":
        """Those from one place to another."""
        places = range(len(self.starts))[start:stop]
        faults = {place - start: fault for place, fault in self.faults.items() if place in places}
        starts, ends, lines = (array[start:stop] for array in (self.starts, self.ends, self.lines))
        return self._replace(starts=starts, ends=ends, lines=lines, faults=faults)

    def texts(self) -> list[bytes]:
        return [self.data[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def grouped(pieces: Iterable[Piece], delimiter: str, limits: Limits) -> Iterator[Records]:
    """The records of pieces of text."""
    rest, line = b"", 1
    for piece in pieces:
        data = rest if piece.too_long else rest + piece.data
        records, used = cut(data, line, delimiter, limits, final=piece.too_long)
        yield records
        line += data.count(b"\n", 0, used)
        rest = data[used:]
        if piece.too_long:
            one, place = np.array([len(piece.data)]), np.array([line])
            yield Records(piece.data, one - one, one, place, False, {0: TOO_LONG.format(limits.line)})
            line += 1
    yield cut(rest, line, delimiter, limits, final=True)[0]


def cut(data: bytes, line: int, delimiter: str, limits: Limits, final: bool) -> tuple[Records, int]:
    """The records of some lines, and how many bytes they take; the rest waits for more unless there is none."""
    array = np.frombuffer(data, dtype=np.uint8)
    newlines = np.flatnonzero(array == NEWLINE)
    ends = newlines
    if len(data) and array[-1] != NEWLINE:
        ends = np.append(newlines, len(data))
    if QUOTE not in data:
        return _kept(data, array, _starts(ends), ends, line + np.arange(len(ends)), True, {}), len(data)
    quotes = np.flatnonzero(array == QUOTE)
    closed = ends[np.searchsorted(quotes, ends) % 2 == 0]
    used = min(int(closed[-1]) + 1, len(data)) if len(closed) else 0
    longest = int((closed - _starts(closed)).max(initial=0))
    waits = not final and len(data) - used <= limits.quoted
    if (waits or used == len(data)) and longest <= limits.quoted and placed(array[:used], delimiter):
        lines = line + np.searchsorted(newlines, _starts(closed))
        return _kept(data, array, _starts(closed), closed, lines, True, {}), used
    return _looked_at(data, ends, line, delimiter, limits, final)


def _starts(ends: np.ndarray) -> np.ndarray:
    return np.concatenate(([0], ends[:-1] + 1))[: len(ends)]


def placed(array: np.ndarray, delimiter: str) -> bool:
    """Whether each quote opens or closes a field, or is one of a pair inside of one; for many lines at once."""
    quotes = np.flatnonzero(array == QUOTE)
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    padded = np.append(array, (NEWLINE, NEWLINE))  # what is at the end stands before the end of a line
    before, after = padded[opening - 1], padded[closing + 1]
    fine = (after == ord(delimiter)) | (after == NEWLINE) | (after == QUOTE)
    fine |= (after == RETURN) & (padded[closing + 2] == NEWLINE)
    return bool(fine.all() and ((before == ord(delimiter)) | (before == NEWLINE) | (before == QUOTE)).all())


@lru_cache(maxsize=16)
def _all_placed(delimiter: str) -> Callable[[bytes], object]:
    """The same for a few lines."""
    between = re.escape(delimiter.encode())
    quoted = rb'"[^"]*+(?:""[^"]*+)*+"(?:\r(?=\n|\Z))?+'
    field = rb"(?:" + quoted + rb"|[^\"" + between + rb"\n]*+)"
    return re.compile(field + rb"(?:[" + between + rb"\n]" + field + rb")*+").fullmatch


def _looked_at(
    data: bytes, ends: np.ndarray, line: int, delimiter: str, limits: Limits, final: bool
) -> tuple[Records, int]:
    """The same line by line, where quotes are not all in their places."""
    array = np.frombuffer(data, dtype=np.uint8)
    begins = _starts(ends)
    odd = np.diff(np.searchsorted(np.flatnonzero(array == QUOTE), ends), prepend=0) % 2 == 1
    odds = np.flatnonzero(odd)
    taken: list[tuple[int, int]] = []  # first and last line of each record
    faults: dict[int, str] = {}
    at, used = 0, len(data)
    while at < len(ends):
        last = at
        if odd[at] and not _alone(data[begins[at] : ends[at]], delimiter):
            following = int(np.searchsorted(odds, at, side="right"))
            if following == len(odds) and not final and len(data) - begins[at] <= limits.quoted:
                used = int(begins[at])
                break
            last = int(odds[following]) if following < len(odds) else at
            span = data[begins[at] : ends[last]]
            if last == at or len(span) > limits.quoted or not _all_placed(delimiter)(span):
                faults[len(taken)], last = UNCLOSED, at
        taken.append((at, last))
        at = last + 1
    first, final_lines = np.array(taken, dtype=np.intp).reshape(-1, 2).T
    return _kept(data, array, begins[first], ends[final_lines], line + first, False, faults), used


def _alone(text: bytes, delimiter: str) -> bool:
    """Whether a line with an odd number of quotes is a record: those inside a field that has none around it count."""
    try:
        return len(list(csv.reader([text.decode("latin-1")], delimiter=delimiter, strict=True))) == 1
    except csv.Error:
        return False


def _kept(
    data: bytes,
    array: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    lines: np.ndarray,
    tidy: bool,
    faults: dict[int, str],
) -> Records:
    """Without carriage returns at the ends, and without blank lines."""
    if not len(starts):
        return Records(data, starts, ends, lines, tidy, faults)
    ends = ends - ((ends > starts) & (array[np.maximum(ends, 1) - 1] == RETURN))
    blank = ends == starts
    for place in np.flatnonzero(~blank & (array[np.minimum(starts, len(array) - 1)] == SPACE)).tolist():
        if not data[starts[place] : ends[place]].strip(b" "):
            blank[place], tidy = True, False
    if blank.any():
        places = np.cumsum(~blank) - 1
        faults = {int(places[place]): fault for place, fault in faults.items()}
        starts, ends, lines = starts[~blank], ends[~blank], lines[~blank]
    return Records(data, starts, ends, lines, tidy, faults)
