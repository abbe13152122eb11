"""The five losses: value, slope, and the constants that the algorithms' rates ask for."""

import math
from typing import NamedTuple

from .compilation import inner

LOGISTIC, SQUARE, SQUARED_HINGE, ABSOLUTE, HINGE = range(5)


class Loss(NamedTuple):
    """One row of the table in the paper's notation; U is the radius of the ball of hypotheses."""

    name: str
    code: int
    classifies: bool
    smooth: float | None  # C0 of a smooth loss, |slope|^2 <= C0 * loss; None where there is no such bound

    def lipschitz(self, radius: float) -> float:
        """G1: the largest slope on the ball."""
        return 2 * (radius + 1) if self.code in (SQUARE, SQUARED_HINGE) else 1.0

    def largest(self, radius: float) -> float:
        """The largest loss on the ball."""
        if self.code == LOGISTIC:
            return radius + math.log1p(math.exp(-radius))
        return (radius + 1) ** 2 if self.code in (SQUARE, SQUARED_HINGE) else radius + 1


LOSSES = {
    loss.name: loss
    for loss in (
        Loss("logistic", LOGISTIC, True, 1.0),
        Loss("square", SQUARE, False, 4.0),
        Loss("squared_hinge", SQUARED_HINGE, True, 4.0),
        Loss("absolute", ABSOLUTE, False, None),
        Loss("hinge", HINGE, True, None),
    )
}


@inner
def value(loss: int, f: float, y: float) -> float:
    """The loss of predicting f where y was true."""
    if loss == SQUARE:
        return (f - y) ** 2
    if loss == LOGISTIC:  # ln(1 + exp(-y f)) without overflow for any f
        return max(-y * f, 0.0) + math.log1p(math.exp(-abs(f)))
    if loss == ABSOLUTE:
        return abs(f - y)
    margin = max(0.0, 1.0 - y * f)
    return margin * margin if loss == SQUARED_HINGE else margin


@inner
def slope(loss: int, f: float, y: float) -> float:
    """The derivative in f."""
    if loss == SQUARE:
        return 2.0 * (f - y)
    if loss == LOGISTIC:
        e = math.exp(-abs(f))
        return -y / (1.0 + e) * (e if y * f > 0.0 else 1.0)
    if loss == ABSOLUTE:
        return 1.0 if f > y else (-1.0 if f < y else 0.0)
    margin = max(0.0, 1.0 - y * f)
    if loss == SQUARED_HINGE:
        return -2.0 * y * margin
    return -y if margin > 0.0 else 0.0


@inner
def reach(loss: int, f: float, y: float) -> float:
    """How far a prediction may move in one update without overshooting the label.

    To the label for square and absolute, to the margin for the hinges; the logistic loss has its minimum at infinity
    and moves at most by its slope, a step of 1 over its curvature bound.
    """
    if loss == LOGISTIC:
        return abs(slope(loss, f, y))
    if loss == SQUARE or loss == ABSOLUTE:
        return abs(f - y)
    return max(0.0, 1.0 - y * f)
