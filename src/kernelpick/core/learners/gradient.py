"""What gradient learners have in common: hypothesis <- shrinkage * hypothesis - rate * slope / p * kernel(x, .).

Such a learner says its ``rate``, and its ``shrinkage`` if it has one.
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.learners import always
from kernelpick.core.losses import reach, slope
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import operation
from kernelpick.core.parts import with_operations
from kernelpick.core.rounds import At, Ledger, Lesson
from kernelpick.core.spaces import evaluate, self_kernel, step


@operation
def rate(learner: Any, ledger: Ledger, arm: int, m: int, gradient: float, margin: float) -> float:
    """The step size for output m of the arm.

    gradient is the norm of the importance-weighted gradient; for margin see :class:`kernelpick.core.rounds.Trial`.
    """


@operation
def shrinkage(learner: Any) -> float:
    """What the hypothesis is multiplied by in each update."""


def steps_down(cls: Any) -> Any:
    """Add the operations of a gradient learner to a class with a rate."""

    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        return empty(outputs)

    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        evaluate(space, work, at, values)

    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        itself, loss = self_kernel(space, at), lesson.loss
        for m in range(len(lesson.at)):
            f, y = lesson.at[m], lesson.truth[m]
            gradient = lesson.weight * slope(loss, f, y) / at.chance
            size = gradient * rate(learner, lesson.ledger, at.arm, m, gradient * math.sqrt(itself), lesson.margin)
            if lesson.capped and itself > 0.0:
                furthest = reach(loss, f, y) / itself
                size = min(max(size, -furthest), furthest)
            notes[m] = size
        step(space, work, at, lesson.values, notes, shrinkage(learner))

    if not hasattr(cls, "rate"):
        raise TypeError(f"The gradient learner {cls.__name__} does not say its rate.")
    cls.plain, cls.axis = True, "gradient"
    if not hasattr(cls, "shrinkage"):
        cls.shrinkage = staticmethod(_keep_all)
    return with_operations(always(cls), notes, answer, improve)


def _keep_all(learner: Any) -> float:
    return 1.0
