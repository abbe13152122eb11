"""What newton has found out about a row that it was asked about just before it learns it.

A row that comes alone is usually predicted, and then learned: its features, their products with the rows that wait, and
the prediction before it is bounded are the same both times, as long as the hypothesis has learned nothing in between.
Compiled code is given the learner with one more array, that is no part of the state; a seat has in it

    arm + 1, or 0 if nothing is known | the row | its features | L | f

The row has to be the same number by number, and whoever changes what a seat knows says so by `forget`.
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import inner


def room_for_asked(learner: Any) -> np.ndarray:
    """For rows that are no longer than the features are many; others are not noted."""
    seats, batch, order = learner.K.shape
    return np.zeros((seats, 1 + 2 * order + batch + learner.seen.shape[1]))


@inner
def forget(learner: Any, seat: int) -> None:
    learner.asked[seat, 0] = 0.0


@inner
def note_down(learner: Any, notes: Any, at: Any) -> None:
    """A prediction of one row: what is known of it by now."""
    asked, seat, order = learner.asked, at.seat, learner.K.shape[2]
    if at.X.shape[1] > order or notes.Z.shape[1] > 1:
        return
    asked[seat, 0] = at.arm + 1.0
    for k in range(at.X.shape[1]):
        asked[seat, 1 + k] = at.X[at.row, k]
    for j in range(order):
        asked[seat, 1 + order + j] = notes.Z[seat, 0, j]
    first = 1 + 2 * order
    for s in range(learner.waiting[seat]):
        asked[seat, first + s] = notes.L[seat, s]
    first += learner.K.shape[1]
    for m in range(notes.f.shape[1]):
        asked[seat, first + m] = notes.f[seat, m]


@inner
def recalled(learner: Any, notes: Any, at: Any) -> bool:
    """Whether this is the row that was noted down last; then the notes are as they were."""
    asked, seat, order = learner.asked, at.seat, learner.K.shape[2]
    if notes.Z.shape[1] > 1 or asked[seat, 0] != at.arm + 1.0 or at.X.shape[1] > order:
        return False
    for k in range(at.X.shape[1]):
        x, then = at.X[at.row, k], asked[seat, 1 + k]
        if x != then or (x == 0.0 and math.copysign(1.0, x) != math.copysign(1.0, then)):
            return False
    for j in range(order):
        notes.Z[seat, 0, j] = asked[seat, 1 + order + j]
    first = 1 + 2 * order
    for s in range(learner.waiting[seat]):
        notes.L[seat, s] = asked[seat, first + s]
    first += learner.K.shape[1]
    for m in range(notes.f.shape[1]):
        notes.f[seat, m] = asked[seat, first + m]
    return True
