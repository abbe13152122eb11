"""Targets as they come, for both faces: which of them are missing, and what may be a label beside what."""

import sys
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from numbers import Number
from typing import Any

import numpy as np

from kernelpick.core.messages import choice

WAYS = ("raise", "skip")  # what becomes of a row whose label is missing
ONE_KIND = "numbers, texts and other kinds can't be labels of one model; give all of them as one kind."
UNEQUAL = (float, np.floating, datetime, np.datetime64, np.timedelta64, Decimal)  # NaN and NaT are no equal of theirs


def skips(missing_label: str) -> bool:
    """Whether rows without a label are passed over."""
    return choice("missing_label", missing_label, WAYS) == "skip"


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has in their place."""
    if value is None:
        return True
    if isinstance(value, UNEQUAL):
        return bool(value != value)
    return value is getattr(sys.modules.get("pandas"), "NA", None)


def is_absent(value: Any, missing_label: str, where: str = "y") -> bool:
    """Whether a label is missing; refused if such rows are not to be passed over."""
    if not is_missing(value):
        return False
    if skips(missing_label):
        return True
    raise ValueError(
        f"{where} is {value}, so its row can't be learned from: drop it, or set missing_label='skip', with which such "
        "rows are predicted and not learned."
    )


def absent(y: np.ndarray, missing_label: str) -> np.ndarray:
    """(T,) whether each label is missing; refused if such rows are not to be passed over."""
    if y.dtype == object:
        found = np.fromiter(map(is_missing, y), dtype=bool, count=len(y))
    else:
        found = y != y if y.dtype.kind in "fmM" else np.zeros(len(y), dtype=bool)
    if found.any():
        row = int(found.argmax())
        is_absent(y[row], missing_label, f"y[{row}]")
    return found


def as_given(y: Any) -> Any:
    """A list whose values stay what they are: NumPy would make texts of the numbers, and of NaN, among texts."""
    if not isinstance(y, list | tuple) or all(isinstance(label, str) for label in y):
        return y
    if np.asarray(y).dtype.kind not in "US":
        return y
    apart = np.empty(len(y), dtype=object)
    apart[:] = y
    return apart


def kind(label: Any) -> str:
    """Labels of different kinds can't be told apart for sure, nor sorted: is "1" the class 1?"""
    if isinstance(label, str):
        return "text"
    return "number" if isinstance(label, Number | np.bool_) else type(label).__name__


def check_one_kind(labels: Iterable[Any]) -> None:
    first: dict[str, Any] = {}
    for label in labels:
        first.setdefault(kind(label), label)
    if len(first) > 1:
        raise ValueError(f"The labels {list(first.values())} are of different kinds: {ONE_KIND}")
