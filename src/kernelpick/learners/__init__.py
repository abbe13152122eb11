"""How a hypothesis learns from one example. A learner is a named tuple; these are the operations asked of it.

Gradient learners share their way of answering and improving (gradient.py) and differ in the last four operations;
adagrad.py and newton.py hold more than a step size and do both on their own.
"""

from typing import Any

import numpy as np

from ..compilation import dispatch


@dispatch
def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
    """Scratch arrays for a call with that many rows; nothing in them outlives the call."""


@dispatch
def answer(
    learner: Any,
    notes: Any,
    space: Any,
    work: Any,
    X: np.ndarray,
    row: int,
    slot: int,
    arm: int,
    seat: int,
    expected: float,
    values: np.ndarray,
) -> None:
    """values[arm, m] = what output m of hypothesis arm says to X[row].

    seat is where the learner keeps what it knows of the arm. expected is the probability of the arm, and tells whether
    looking ahead pays; it is negative where nothing will be learned.
    """


@dispatch
def improve(
    learner: Any,
    notes: Any,
    space: Any,
    work: Any,
    ledger: Any,
    X: np.ndarray,
    Y: np.ndarray,
    row: int,
    slot: int,
    arm: int,
    seat: int,
    loss: int,
    at: np.ndarray,
    values: np.ndarray,
    weight: float,
    p: float,
    margin: float,
    capped: bool,
) -> None:
    """Learn from Y[row]. The slope is taken at at[m]; weight is that of the row, p the probability of the arm.

    It follows an answer to the same row by the same arm. For margin see :func:`kernelpick.selectors.select`; capped: no
    step moves a prediction beyond the label.
    """


@dispatch
def restart(learner: Any, space: Any, arm: int, seat: int) -> None:
    """Hypothesis arm forgets everything, and sits at seat from now on."""


@dispatch
def accepts(learner: Any, t: int, u: float) -> bool:
    """Whether anything is learned in round t = 1, 2, ..., whose random number is u."""


@dispatch
def rate(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    """The step size for output m of the arm.

    gradient is the norm of the importance-weighted gradient; for margin see :func:`kernelpick.selectors.select`.
    """


@dispatch
def shrinkage(learner: Any) -> float:
    """What the hypothesis is multiplied by in each update."""


@dispatch
def penalty(learner: Any) -> float:
    """What the squared norm of a hypothesis adds to its loss, as a factor."""


def plain(cls: type, *, always: bool = True, unregularised: bool = True) -> None:
    """Register the common case: learn in every round, neither shrinking nor a penalty."""
    if always:

        @accepts.register(cls)
        def _accepts(learner: Any, t: int, u: float) -> bool:
            return True

    if unregularised:

        @shrinkage.register(cls)
        def _shrinkage(learner: Any) -> float:
            return 1.0

        @penalty.register(cls)
        def _penalty(learner: Any) -> float:
            return 0.0
