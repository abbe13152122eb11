"""How a hypothesis is held. A space is a named tuple of arrays; these are the operations the engine asks of it."""

from typing import Any

import numpy as np

from ..compilation import dispatch

BLOCK = 8  # rows that the engine looks ahead in one go,
LONG_BLOCK = 64  # or where second-order learners, which gain from it, do


@dispatch
def workspace(space: Any, rows: int, arms: int) -> Any:
    """Scratch arrays for a call with that many rows, and arms playing in a round; nothing in them outlives the call."""


@dispatch
def block_size(space: Any) -> int:
    """The number of rows that the engine looks ahead. Blocks begin at rounds that are multiples of it."""


@dispatch
def look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
    """Get ready for rows start .. stop - 1 of X, at most block_size of them, in whatever does not depend on labels."""


@dispatch
def evaluate(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, expected: float, f: np.ndarray
) -> None:
    """f[arm, m] = the value at X[row] of output m of hypothesis arm.

    slot is the row's place in its block; expected, the probability of the arm, says whether looking ahead will pay.
    """


@dispatch
def learn(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, f: np.ndarray, steps: np.ndarray, shrink: float
) -> None:
    """Hypothesis arm <- shrink * hypothesis - steps[m] * kernel(X[row], .) for every output m, then the projection.

    It follows an evaluate of the same row and arm, whose values are in f.
    """


@dispatch
def coordinates(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, Z: np.ndarray, z: int, at: int
) -> None:
    """Z[z, at] = the features of X[row] that hypothesis arm is linear in, then zeros."""


@dispatch
def clear(space: Any, arm: int) -> None:
    """Hypothesis arm becomes zero."""


@dispatch
def squared_norm(space: Any, arm: int) -> float:
    """The squared norm of hypothesis arm, summed over its outputs."""


@dispatch
def self_kernel(space: Any, X: np.ndarray, row: int, arm: int) -> float:
    """k(x, x) of the arm's kernel at X[row]."""


@dispatch
def hypotheses(space: Any, first: int, last: int) -> int:
    """Where the arms first .. last - 1 play, those from first up to this one have hypotheses of their own to update."""


@dispatch
def has_room(space: Any) -> bool:
    """Whether one more example can be stored."""
