"""The six losses: value, slope, curvature, and the constants that the algorithms' rates ask for."""

import math
from typing import NamedTuple

import numpy as np

from .compilation import compiled, inner

LOGISTIC, SQUARE, SQUARED_HINGE, ABSOLUTE, HINGE, HUBER = range(6)
BEND = 0.5  # Huber's loss is the square up to this error, and straight beyond


class Loss(NamedTuple):
    """One row of the table in the paper's notation; U is the radius of the ball of hypotheses."""

    name: str
    code: int
    classifies: bool
    smooth: float | None  # C0 of a smooth loss, |slope|^2 <= C0 * loss; None where there is no such bound

    def lipschitz(self, radius: float) -> float:
        """G1: the largest slope on the ball."""
        if self.code == HUBER:
            return 2 * BEND
        return 2 * (radius + 1) if self.code in (SQUARE, SQUARED_HINGE) else 1.0

    def largest(self, radius: float) -> float:
        """The largest loss on the ball."""
        if self.code == LOGISTIC:
            return radius + math.log1p(math.exp(-radius))
        if self.code == HUBER:
            return BEND * (2 * (radius + 1) - BEND)
        return (radius + 1) ** 2 if self.code in (SQUARE, SQUARED_HINGE) else radius + 1


LOSSES = {
    loss.name: loss
    for loss in (
        Loss("logistic", LOGISTIC, True, 1.0),
        Loss("square", SQUARE, False, 4.0),
        Loss("squared_hinge", SQUARED_HINGE, True, 4.0),
        Loss("absolute", ABSOLUTE, False, None),
        Loss("hinge", HINGE, True, None),
        Loss("huber", HUBER, False, 4.0),
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
    if loss == HUBER:
        error = abs(f - y)
        return error * error if error <= BEND else BEND * (2.0 * error - BEND)
    margin = max(0.0, 1.0 - y * f)
    return margin * margin if loss == SQUARED_HINGE else margin


@compiled
def values(loss: int, F: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The loss of every entry."""
    out = np.empty(len(F))
    for i in range(len(F)):
        out[i] = value(loss, F[i], Y[i])
    return out


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
    if loss == HUBER:
        return 2.0 * min(max(f - y, -BEND), BEND)
    margin = max(0.0, 1.0 - y * f)
    if loss == SQUARED_HINGE:
        return -2.0 * y * margin
    return -y if margin > 0.0 else 0.0


@inner
def reach(loss: int, f: float, y: float) -> float:
    """How far a prediction may move in one update without overshooting the label.

    To the label for the regression losses, to the margin for the hinges; the logistic loss has its minimum at infinity
    and moves at most by its slope, a step of 1 over its curvature bound.
    """
    if loss == LOGISTIC:
        return abs(slope(loss, f, y))
    if loss == SQUARE or loss == ABSOLUTE or loss == HUBER:
        return abs(f - y)
    return max(0.0, 1.0 - y * f)


@inner
def _other_label(margin: float) -> float:
    """The logistic model's probability that the label is not the one with this margin y f."""
    e = math.exp(-abs(margin))
    return (e if margin > 0.0 else 1.0) / (1.0 + e)


@inner
def landing(margin: float, v: float) -> float:
    """a = margin + v * _other_label(a): where the logistic loss and the trust in a prediction of variance v balance.

    Newton's method between two bounds that close in on the only solution, and halving where it would leave them or does
    not get on: from where the function is flat, its steps may run in a circle.
    """
    low, a = margin, margin
    high = min(margin + v * _other_label(margin), max(margin, 0.0) + math.log1p(v))  # v e^-high <= v/(1+v) <= log1p(v)
    before = math.inf
    for _ in range(100):
        other = _other_label(a)
        rest = a - margin - v * other
        if rest > 0.0:
            high = a
        else:
            low = a
        step = rest / (1.0 + v * other * (1.0 - other))
        if abs(step) <= 1e-9 * (1.0 + abs(a)):
            return a - step
        if not low < a - step < high or abs(step) > 0.5 * before:
            step = a - 0.5 * (low + high)
        a -= step
        before = abs(step)
    return a


@inner
def parabola(loss: int, f: float, y: float, v: float) -> tuple[float, float]:
    """Slope at f and curvature h of the parabola that a second-order learner puts in the place of the loss.

    v is the variance of f. The square losses are halved, so that h = 1. Huber's takes the parabola that touches it at
    the error and lies above it elsewhere. The logistic loss takes its mean curvature on the way to where the step
    lands: then the step is the exact proximal one. With the curvature at f it would overshoot where v is large.
    """
    if loss == SQUARE:
        return f - y, 1.0
    if loss == HUBER:
        error = f - y
        h = 1.0 if abs(error) <= BEND else BEND / abs(error)
        return h * error, h
    margin = y * f
    if loss == SQUARED_HINGE:
        return (-y * (1.0 - margin), 1.0) if margin < 1.0 else (0.0, 0.0)
    other = _other_label(margin)
    way = landing(margin, v) - margin
    h = (other - _other_label(margin + way)) / way if way > 1e-4 else other * (1.0 - other)
    return -y * other, h
