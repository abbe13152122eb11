"""Losses as functions of one number u, with their conjugates: what duality needs beside value and slope.

A regression loss is a function of the error, l(f, y) = phi(f - y), so l*(b, y) = phi*(b) + b y. A classification loss
is one of the margin, l(f, y) = phi(y f), so l*(b, y) = phi*(y b). All is for whole arrays. ``blur`` rounds a kink over
that length, from below: the slope of what is rounded is a slope of a line below the loss, so it is where the
conjugate is finite. Losses without a kink ignore it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.losses import OURS
from kernelpick.core.losses.huber import BEND

Array = np.ndarray


class LossCurve(NamedTuple):
    """phi, told by its parts."""

    value: Callable[[Array, float], Array]
    slope: Callable[[Array, float], Array]
    curvature: Callable[[Array, float], Array]
    conjugate: Callable[[Array], Array]
    domain: tuple[float, float]  # where the conjugate is finite
    kinked: bool = False


def _straightened(u: Array, blur: float) -> Array:
    """max(0, u), rounded between 0 and blur."""
    return np.where(u >= blur, u - blur / 2, np.maximum(u, 0.0) ** 2 / (2 * blur)) if blur else np.maximum(u, 0.0)


def _step(u: Array, blur: float) -> Array:
    """The slope of what _straightened gives."""
    return np.clip(u / blur, 0.0, 1.0) if blur else (u > 0).astype(float)


def _between(u: Array, low: float, high: float, height: float) -> Array:
    """height where u lies between, and 0 elsewhere."""
    return np.where((u > low) & (u < high), height, 0.0)


def _logistic_slope(m: Array) -> Array:
    e = np.exp(-np.abs(m))
    return -np.where(m > 0, e, 1.0) / (1.0 + e)


def _entropy(p: Array) -> Array:
    """p ln p, which is 0 at 0."""
    return p * np.log(np.where(p > 0, p, 1.0))


CURVES = {
    "square": LossCurve(
        lambda u, blur: u**2, lambda u, blur: 2 * u, lambda u, blur: np.full_like(u, 2.0),
        lambda b: b**2 / 4, (-np.inf, np.inf),
    ),
    "huber": LossCurve(
        lambda u, blur: np.where(np.abs(u) <= BEND, u**2, BEND * (2 * np.abs(u) - BEND)),
        lambda u, blur: 2 * np.clip(u, -BEND, BEND), lambda u, blur: _between(u, -BEND, BEND, 2.0),
        lambda b: b**2 / 4, (-2 * BEND, 2 * BEND),
    ),
    "absolute": LossCurve(
        lambda u, blur: _straightened(np.abs(u), blur), lambda u, blur: np.sign(u) * _step(np.abs(u), blur),
        lambda u, blur: _between(u, -blur, blur, 1 / blur if blur else 0.0), np.zeros_like, (-1.0, 1.0), kinked=True,
    ),
    "hinge": LossCurve(
        lambda m, blur: _straightened(1 - m, blur), lambda m, blur: -_step(1 - m, blur),
        lambda m, blur: _between(1 - m, 0.0, blur, 1 / blur if blur else 0.0), lambda b: b, (-1.0, 0.0), kinked=True,
    ),
    "squared_hinge": LossCurve(
        lambda m, blur: np.maximum(1 - m, 0.0) ** 2, lambda m, blur: -2 * np.maximum(1 - m, 0.0),
        lambda m, blur: _between(1 - m, 0.0, np.inf, 2.0), lambda b: b + b**2 / 4, (-np.inf, 0.0),
    ),
    "logistic": LossCurve(
        lambda m, blur: np.logaddexp(0.0, -m), lambda m, blur: _logistic_slope(m),
        lambda m, blur: -_logistic_slope(m) * (1 + _logistic_slope(m)),
        lambda b: _entropy(-b) + _entropy(1 + b), (-1.0, 0.0),
    ),
}  # fmt: skip


class SummedLoss(NamedTuple):
    """The sum of losses over labelled rows, as a function of the predictions, and its conjugate."""

    curve: LossCurve
    y: Array
    classifies: bool

    def _at(self, F: Array) -> Array:
        return self.y * F if self.classifies else F - self.y

    def total(self, F: Array, blur: float = 0.0) -> float:
        """The summed loss of predictions."""
        return float(self.curve.value(self._at(F), blur).sum())

    def slopes(self, F: Array, blur: float) -> Array:
        """(T,) the derivatives in the predictions."""
        slopes = self.curve.slope(self._at(F), blur)
        return self.y * slopes if self.classifies else slopes

    def curvatures(self, F: Array, blur: float) -> Array:
        """(T,) the second derivatives."""
        return self.curve.curvature(self._at(F), blur)

    def conjugate(self, B: Array) -> float:
        """Sum of l*(b, y); infinite where one is."""
        b = self.y * B if self.classifies else B
        low, high = self.curve.domain
        if b.min() < low or b.max() > high:
            return float("inf")
        linear = 0.0 if self.classifies else float(self.y @ B)
        return float(self.curve.conjugate(b).sum()) + linear


def summed_loss(loss: Any, y: Array) -> SummedLoss:
    """The sum of a loss of ours; another one has no conjugate that we know."""
    if type(loss) not in map(type, OURS.values()):
        raise ValueError(
            f"The loss {loss.name!r} is not of kernelpick, so its conjugate is not known, which the best hypothesis in "
            f"hindsight is certified by: take one of {', '.join(CURVES)}."
        )
    return SummedLoss(CURVES[loss.name], y, loss.classifies)
