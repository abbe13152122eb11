"""How a hypothesis learns from one example. A learner is a named tuple; these are the operations asked of it.

Gradient learners share their way of answering and improving (gradient.py) and say only their rate.

Facts: ``axis``, the word for this way of learning; ``projects``, whether its analysis wants hypotheses in a ball;
``needs_smooth``, whether the loss must be smooth; ``uses_horizon``, whether its rates depend on it; ``plain``, whether
it answers with what the space evaluates; ``linear``, whether it works on features only; ``works_on``, the names of the
spaces that it is made for, where these are not all; ``restarts``, whether a hypothesis can start afresh; ``wide``,
whether its weights are sums that stay in double precision where features are single (see problem.py); ``numbers``, how
many random numbers of a round are its own, the last ones; ``scale(loss)`` and ``usual_radius``, the step scale and
U where nobody has chosen them (None: that of the loss); ``only_loss``, the name of the one loss that it is made for.
"""

from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import making_operation, operation, woven_operation
from kernelpick.core.parts import Contract, declare, with_operations
from kernelpick.core.rounds import At, Cast, Lesson, Trial


@making_operation
def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
    """Scratch arrays for a call with that many rows; nothing in them outlives the call."""


@woven_operation
def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
    """values[arm, m] = what output m of the hypothesis says to the row."""


@woven_operation
def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
    """Learn from the lesson. It follows an answer to the same row by the same arm."""


@operation
def move(learner: Any, notes: Any, space: Any, work: Any, cast: Cast, trial: Trial) -> None:
    """After the players have learned: what else changes, arms that do not play included."""


@operation
def accepts(learner: Any, t: int, u: float) -> bool:
    """Whether anything is learned in round t = 1, 2, ..., whose random number is u."""


@operation
def penalty(learner: Any) -> float:
    """What the squared norm of a hypothesis adds to its loss, as a factor."""


def _five(loss: Any) -> float:
    return 5.0


OPERATIONS = (notes, answer, improve, move, accepts, penalty)
CONTRACT = Contract(
    "learner",
    {operation.__name__: operation for operation in OPERATIONS},  # type: ignore[attr-defined]
    {
        "axis": "own",
        "projects": False,
        "needs_smooth": False,
        "uses_horizon": False,
        "plain": False,
        "linear": False,
        "works_on": (),
        "restarts": True,
        "wide": False,
        "numbers": 0,
        "only_loss": None,
        "usual_radius": None,
        "scale": staticmethod(_five),
    },
)


def learner(name: str, **facts: Any) -> Any:
    """Declare a learner by its name, with facts about it."""
    return declare(CONTRACT, name, facts)


def always(cls: Any) -> Any:
    """The common case: it learns in every round, moves nobody else, and adds nothing to the losses."""

    def move(learner: Any, notes: Any, space: Any, work: Any, cast: Cast, trial: Trial) -> None:
        return None

    def accepts(learner: Any, t: int, u: float) -> bool:
        return True

    def penalty(learner: Any) -> float:
        return 0.0

    return with_operations(cls, move, accepts, penalty)
