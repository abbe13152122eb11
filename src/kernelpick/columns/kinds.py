"""What one value is: a number, a text, a time, or missing.

The type of a value finds its reader in a table. What no reader takes is refused by whoever asked.
"""

import datetime
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

MISSING, NUMBER, TEXT, TIME = range(4)
EPOCH = datetime.date(1970, 1, 1).toordinal()
MICROSECOND = datetime.timedelta(microseconds=1)
LENGTH_OF_DAY = 86_400_000_000  # microseconds
NOTHING = (MISSING, None)

Read = tuple[int, Any]  # a kind, and a float, a str, or a pair of microseconds: the instant, and the local clock


def look(value: Any) -> Read | None:
    """What a value is; None for what can't be read."""
    if type(value) is float and math.isfinite(value):
        return NUMBER, value
    try:
        return _reader(type(value))(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None


def _number(value: Any) -> Read | None:
    number = float(value)
    return (NUMBER, number) if math.isfinite(number) else NOTHING if number != number else None


def _time(value: Any) -> Read:
    if value != value:  # NaT is a datetime
        return NOTHING
    seconds = value.hour * 3600 + value.minute * 60 + value.second
    clock = (value.toordinal() - EPOCH) * LENGTH_OF_DAY + seconds * 1_000_000 + value.microsecond
    offset = value.utcoffset()
    return TIME, (clock if offset is None else clock - int(offset // MICROSECOND), clock)


def _date(value: Any) -> Read:
    clock = (value.toordinal() - EPOCH) * LENGTH_OF_DAY
    return TIME, (clock, clock)


def _numpy_time(value: Any) -> Read:
    if np.isnat(value):
        return NOTHING
    clock = int(value.astype("M8[us]").astype(np.int64))
    return TIME, (clock, clock)


def _span(value: Any) -> Read:
    return NOTHING if np.isnat(value) else (NUMBER, float(value / np.timedelta64(1, "s")))


def _refused(value: Any) -> None:
    return None


# The first row whose types a value is of; those further down are more general.
READERS: tuple[tuple[Any, Callable[[Any], Read | None]], ...] = (
    (type(None), lambda value: NOTHING),
    (str, lambda value: (TEXT, str.__str__(value))),
    (np.datetime64, _numpy_time),
    (np.timedelta64, _span),
    (datetime.datetime, _time),
    (datetime.date, _date),
    (datetime.timedelta, lambda value: (NUMBER, float(value.total_seconds()))),
    ((bytes, complex, np.complexfloating), _refused),
    ((int, float, np.number, np.bool_, Decimal, Fraction), _number),
    (np.ndarray, lambda value: look(value[()]) if value.ndim == 0 else None),
)


@lru_cache(maxsize=256)
def _reader(kind: type) -> Callable[[Any], Read | None]:
    for types, reader in READERS:
        if issubclass(kind, types):
            return reader
    if kind.__name__ == "NAType" and kind.__module__.startswith("pandas"):
        return lambda value: NOTHING
    return _number if hasattr(kind, "__float__") else _refused
