"""What predicts beside the kernels: a part of another kind, joined with them by a stack (stack.py).

A companion is a named tuple of numbers and arrays, as all parts are (parts.py); these are the operations asked of it.
It sees the rows scaled, each before its target, and never what the kernels say. Its arrays that are not ``given`` are
what a model file has of it, and become ``fresh`` when it starts again, after a change of the stream.

Facts: ``most_inputs``, the number of inputs above which there is none of it.
"""

import math
from functools import partial
from typing import Any

import numpy as np

from kernelpick.core import messages
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.compilation import compiled, inner, making_operation, operation
from kernelpick.core.numerics.held import within
from kernelpick.core.parts import PARTS, Contract, arrays_of, declare, with_operations
from kernelpick.core.record import LOSS


@making_operation
def notes(companion: Any, rows: int, learns: bool) -> Any:
    """Scratch arrays for a call with so many rows, which are learned or not; nothing in them outlives it."""


@operation
def predict(companion: Any, notes: Any, X: np.ndarray, row: int, said: np.ndarray) -> None:
    """said[m] = the prediction of output m; NaN as long as it has none. It changes nothing but the notes."""


@operation
def learn(
    companion: Any, notes: Any, loss: Any, X: np.ndarray, row: int, truth: np.ndarray, weight: float, said: np.ndarray
) -> None:
    """Learn the targets truth[m] of a row. It follows a prediction of the same row, which is said."""


@operation
def settle(companion: Any, loss: Any) -> None:
    """Bring to an end what is under way: before it is saved, and before inputs or outputs become more."""


def _predict_again(companion: Any, notes: Any, X: np.ndarray, row: int, said: np.ndarray) -> None:
    predict(companion, notes, X, row, said)


@partial(operation, otherwise=_predict_again)
def recall(companion: Any, notes: Any, X: np.ndarray, row: int, said: np.ndarray) -> None:
    """The notes that a prediction of the row leaves, which was made in an earlier call and is said; a companion that
    does not tell predicts again."""


CONTRACT = Contract(
    "companion",
    {operation.__name__: operation for operation in (notes, predict, learn, settle)},  # type: ignore[attr-defined]
    {"most_inputs": 2**15 - 1},
)


def companion(name: str, **facts: Any) -> Any:
    """Declare a companion by its name, with facts about it."""
    return declare(CONTRACT, name, facts)


def done_at_once(cls: Any) -> Any:
    """The common case: it needs no scratch, and is done with a row when the next one comes."""

    def notes(companion: Any, rows: int, learns: bool) -> Any:
        return 0

    def settle(companion: Any, loss: Any) -> None:
        return None

    return with_operations(cls, notes, settle)


def companion_of(given: Any) -> Any:
    """The class that a name stands for, or a class that was declared."""
    known = PARTS["companion"]
    if isinstance(given, type) and known.get(getattr(given, "name", "")) is given:
        return given
    return known[messages.choice("companion", given, known)]


NOT_HEARD = np.zeros(1, np.int64)


def start_again(companion: Any) -> None:
    """Forget everything, in place."""
    for array, axes in arrays_of(companion).values():
        if not axes.given:
            array[...] = axes.fresh


@compiled
def learn_rows(held: Any, heard: np.ndarray, loss: Any, rows: Rows, record: np.ndarray, out: np.ndarray) -> None:
    """out (T, M): what is said to each row before its target is learned; rows that were passed over teach nothing.

    heard (1,) is 1 where that is there already. The companion is held alone (numerics/held.py).
    """
    (companion,) = within(held)
    _learn_rows(companion, notes(companion, len(rows.X), True), heard[0] == 1, loss, rows, record, out)


@inner
def _learn_rows(
    companion: Any, notes: Any, heard: bool, loss: Any, rows: Any, record: np.ndarray, out: np.ndarray
) -> None:
    for row in range(len(rows.X)):
        if heard:
            recall(companion, notes, rows.X, row, out[row])
        else:
            predict(companion, notes, rows.X, row, out[row])
        if math.isfinite(record[row, LOSS]):
            weight = rows.weights[row] if len(rows.weights) else 1.0
            learn(companion, notes, loss, rows.X, row, rows.Y[row], weight, out[row])


@compiled
def predict_rows(held: Any, X: np.ndarray, out: np.ndarray) -> None:
    """out (T, M): what is said to rows; nothing is learned."""
    (companion,) = within(held)
    _predict_rows(companion, notes(companion, len(X), False), X, out)


@inner
def _predict_rows(companion: Any, notes: Any, X: np.ndarray, out: np.ndarray) -> None:
    for row in range(len(X)):
        predict(companion, notes, X, row, out[row])


@compiled
def settle_all(companion: Any, loss: Any) -> None:
    settle(companion, loss)
