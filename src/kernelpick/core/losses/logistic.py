"""ln(1 + exp(-y f)), without overflow for any f."""

import math
from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss
from kernelpick.core.numerics.compilation import inner


@loss(
    "logistic",
    classifies=True,
    smooth=1.0,
    radius=15.0,
    lipschitz=lambda radius: 1.0,
    largest=lambda radius: radius + math.log1p(math.exp(-radius)),
)
class Logistic(NamedTuple):
    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        return max(-y * f, 0.0) + math.log1p(math.exp(-abs(f)))

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        e = math.exp(-abs(f))
        return -y / (1.0 + e) * (e if y * f > 0.0 else 1.0)

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """The loss has its minimum at infinity: at most its slope, a step of 1 over the bound of its curvature."""
        e = math.exp(-abs(f))
        return abs(-y / (1.0 + e) * (e if y * f > 0.0 else 1.0))

    @staticmethod
    def parabola(loss: Any, f: float, y: float, v: float) -> tuple[float, float]:
        """The mean curvature on the way to where the step lands: then the step is the exact proximal one.

        With the curvature at f it would overshoot where v is large.
        """
        margin = y * f
        other = _other_label(margin)
        way = landing(margin, v) - margin
        h = (other - _other_label(margin + way)) / way if way > 1e-4 else other * (1.0 - other)
        return -y * other, h


@inner
def _other_label(margin: float) -> float:
    """The model's probability that the label is not the one with this margin y f."""
    e = math.exp(-abs(margin))
    return (e if margin > 0.0 else 1.0) / (1.0 + e)


@inner
def landing(margin: float, v: float) -> float:
    """a = margin + v * _other_label(a): where the loss and the trust in a prediction of variance v balance.

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
