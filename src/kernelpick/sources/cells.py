"""What the text of a cell stands for: a number, a time, nothing, or itself. docs/sources.md#columns states the rule."""

import datetime
import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

Value = float | str | datetime.datetime | None

# Around a value: those of ASCII that Python's numbers may have around them, and the mark that some files begin with.
BLANK = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\ufeff"
BLANKS = frozenset(("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "Null", "null", "None", "NaT"))
CACHED = 64  # characters: longer texts are looked at anew

_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch
_not_a_number = re.compile(r"[+-]?nan(?:\([a-z0-9_]*\))?", re.IGNORECASE).fullmatch  # as programs print it
_infinite = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE).fullmatch
_time = re.compile(
    r"([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?\s?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?",
    re.ASCII,
).fullmatch


def value(text: str) -> Value:
    """The value of a cell; an infinite one is for the reader to reject.

    >>> value(" 1e3 "), value("1,5"), value("NA"), value("2024-05-01 12:30")
    (1000.0, '1,5', None, datetime.datetime(2024, 5, 1, 12, 30))
    """
    text = text.strip(BLANK)
    return _cached(text) if len(text) <= CACHED else _value(text)


def _value(text: str) -> Value:
    if text in BLANKS:
        return None
    if _number(text):
        return float(text)
    if _not_a_number(text):
        return None
    if _infinite(text):
        return -math.inf if text[0] == "-" else math.inf
    found = _time(text)
    return text if found is None else _moment(*found.groups()) or text


_cached = lru_cache(maxsize=2**14)(_value)


def _moment(*parts: str | None) -> datetime.datetime | None:
    """The time of the parts of a text; None where there is no such day or hour."""
    year, _, month, day, hour, minute, second, fraction, zone = parts
    try:
        micro = (fraction or "").ljust(6, "0")[:6]
        parts_of_time = (int(part or 0) for part in (year, month, day, hour, minute, second, micro))
        return datetime.datetime(*parts_of_time).replace(tzinfo=_zone(zone))  # type: ignore[arg-type]
    except ValueError:
        return None


def _zone(text: str | None) -> datetime.timezone | None:
    if text is None:
        return None
    if text == "Z":
        return datetime.UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:] if len(text) > 3 else 0)
    return datetime.timezone(datetime.timedelta(minutes=-minutes if text[0] == "-" else minutes))


def column(texts: Sequence[str]) -> np.ndarray:
    """A column of cells: float64 if all are numbers or blanks, else objects."""
    joined = "".join(texts)
    if joined.isascii() and "_" not in joined:  # else Python takes more for numbers than we do
        try:
            numbers = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
            if np.isfinite(numbers).all():
                return numbers
        except ValueError:
            pass
    return of_values([value(text) for text in texts])


def of_values(values: Sequence[Value]) -> np.ndarray:
    """A column of values: float64 if all are numbers or missing, else objects."""
    if set(map(type, values)) <= {float, type(None)}:
        return np.array([math.nan if one is None else one for one in values], dtype=np.float64)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def infinite(column: np.ndarray) -> np.ndarray:
    """The places of infinite numbers."""
    if column.dtype != object:
        return np.flatnonzero(np.isinf(column))
    return np.flatnonzero([type(one) is float and math.isinf(one) for one in column.tolist()])
