"""What is to be learned: numbers or classes, told from the first targets, and said aloud."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from kernelpick.sources.options import CLASSIFICATION, FEW, REGRESSION

NUMBERS, WHOLE, TEXTS = KINDS_OF_TARGETS = ("numbers", "whole numbers", "texts")
SIGNS = ({0.0, 1.0}, {-1.0, 1.0})  # classes, even if only one of them has come
WHOLE_BELOW = 2.0**53
SHOWN = 5


class Task(NamedTuple):
    name: str
    kind: str  # of targets: numbers in regression, whole numbers or texts in classification


class Targets(NamedTuple):
    """The targets of some rows."""

    values: np.ndarray  # floats, whole numbers or texts; anything where there is none
    missing: np.ndarray  # (T,) bool
    bad: dict[int, str]  # why, by row


def recognised(first: np.ndarray, wanted: str | None, target: str) -> tuple[Task, str]:
    """The task for the first targets of a stream, and the sentence that is said of it."""
    texts, numbers = _sorted_out(first)
    if not texts and not len(numbers) and wanted is None:
        raise ValueError(
            f"{target!r} is blank in the first {len(first):,} rows, so nobody knows what to learn; "
            "name another --target, or say --task regression or classification."
        )
    task, why = _told(texts, numbers, wanted)
    if wanted is not None and wanted != task.name:
        why, task = "as --task says", Task(wanted, _kind_of(wanted, texts, numbers))
    other = CLASSIFICATION if task.name == REGRESSION else REGRESSION
    hint = f" (--task {other} if that is wrong)" if wanted is None and task.kind == WHOLE else ""
    ambiguous = task.kind == NUMBERS and wanted is None and _are_whole(numbers) and len(np.unique(numbers)) <= FEW
    return task, f"{target}: {task.name}, {why}{' (--task classification if they are classes)' if ambiguous else hint}"


def _sorted_out(first: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The texts, and the numbers, among targets."""
    if first.dtype == np.float64:
        return [], first[~np.isnan(first)]
    texts = [_text(value) for value in first if isinstance(value, str | datetime)]
    return texts, np.array([value for value in first if isinstance(value, float) and value == value])


def _told(texts: Sequence[str], numbers: np.ndarray, wanted: str | None) -> tuple[Task, str]:
    if len(texts) > len(numbers):
        return Task(CLASSIFICATION, TEXTS), f"since it holds texts: {_shown(sorted(set(texts)))}"
    kinds = np.unique(numbers)
    two = len(kinds) == 2 or any(signs.issuperset(kinds.tolist()) for signs in SIGNS)
    if wanted != REGRESSION and len(kinds) and two and _are_whole(numbers):
        values = _shown([f"{one:.0f}" for one in kinds])
        why = f"two whole numbers: {values}" if len(kinds) == 2 else f"nothing but {values}"
        return Task(CLASSIFICATION, WHOLE), f"since it holds {why}"
    span = f" from {kinds[0]:g} to {kinds[-1]:g}" if len(kinds) else ""
    return Task(REGRESSION, NUMBERS), f"since it holds numbers{span}"


def _kind_of(task: str, texts: Sequence[str], numbers: np.ndarray) -> str:
    if task == REGRESSION:
        return NUMBERS
    return WHOLE if len(numbers) > len(texts) and _are_whole(numbers) else TEXTS


def _are_whole(numbers: np.ndarray) -> bool:
    return bool((np.abs(numbers) < WHOLE_BELOW).all() and (numbers == np.floor(numbers)).all())


def _shown(kinds: Sequence[str]) -> str:
    return ", ".join(kinds[:SHOWN]) + (f" and {len(kinds) - SHOWN} more" if len(kinds) > SHOWN else "")


def _text(value: object) -> str:
    """A label as a text: of a number that is whole without a point, of a time as ISO writes it."""
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) < WHOLE_BELOW and value == int(value) else repr(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def targets(column: np.ndarray, kind: str) -> Targets:
    """The targets in a column, by what they are to be; a value decides by itself whether it is one."""
    if column.dtype == np.float64:
        return _of_numbers(column, kind)
    missing = np.array([value is None or value != value for value in column], dtype=bool)
    if kind == TEXTS:
        values = np.array(
            [None if gone else _text(one) for one, gone in zip(column, missing, strict=True)], dtype=object
        )
        return Targets(values, missing, {})
    is_number = np.array([isinstance(value, float) for value in column], dtype=bool)
    found = _of_numbers(np.array([one if isinstance(one, float) else np.nan for one in column]), kind)
    others = {int(row): "is no number" for row in np.flatnonzero(~is_number & ~missing)}
    return Targets(found.values, missing, dict(sorted((found.bad | others).items())))


def _of_numbers(column: np.ndarray, kind: str) -> Targets:
    missing = np.isnan(column)
    if kind == TEXTS:
        values = np.array([None if one != one else _text(one) for one in column.tolist()], dtype=object)
        return Targets(values, missing, {})
    bad = {int(row): "is not finite" for row in np.flatnonzero(np.isinf(column))}
    if kind == NUMBERS:
        return Targets(column, missing, bad)
    with np.errstate(invalid="ignore"):
        whole = (np.abs(column) < WHOLE_BELOW) & (column == np.floor(column))
    bad |= {int(row): "is no whole number, as the classes are" for row in np.flatnonzero(~whole & ~missing)}
    return Targets(np.where(whole, column, 0.0).astype(np.int64), missing, dict(sorted(bad.items())))
