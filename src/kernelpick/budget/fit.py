"""What a round costs as a function of a size: fixed + linear * x + square * x^2, none of them negative.

For the paper's algorithms x is the number D of frequencies, and linear is one over the beta of Assumption 3
(D = beta R); for stored examples it is their number B. Newton learners work on matrices of the order x = 2D + 1 + d.
A line bends where the largest size takes clearly more than the line through the others: caches do not hold as many.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

CLEARLY = 1.1  # times what a line says


class Curve(NamedTuple):
    """Seconds of a round."""

    fixed: float
    linear: float
    square: float = 0.0
    bend: float = 0.0  # the x from which on
    more: float = 0.0  # so much is added to linear

    def at(self, x: float) -> float:
        return self.fixed + self.moving(x)

    def moving(self, x: float) -> float:
        """What grows with the size, which every further hypothesis costs again."""
        return self.linear * x + self.square * x * x + self.more * max(x - self.bend, 0.0)


def fitted(sizes: Sequence[float], times: Sequence[float], degree: int) -> Curve:
    """By least squares of relative errors, so that small sizes count as much as large ones.

    >>> curve = fitted([10, 20, 40], [3.0, 4.0, 6.0], degree=1)
    >>> [round(number, 6) for number in curve]
    [2.0, 0.1, 0.0, 0.0, 0.0]
    """
    x, y = np.asarray(sizes, dtype=float), np.asarray(times, dtype=float)
    curve = _through(x, y, degree)
    if degree > 1 or len(x) < 3 or y[-1] <= CLEARLY * curve.at(x[-1]):
        return curve
    before = _through(x[:-1], y[:-1], degree)
    missing = float(y[-1]) - before.at(x[-1])
    return before._replace(bend=float(x[-2]), more=missing / float(x[-1] - x[-2])) if missing > 0.0 else curve


def _through(x: np.ndarray, y: np.ndarray, degree: int) -> Curve:
    from scipy.optimize import nnls

    top = float(x.max())  # columns of like size
    columns = np.stack([(x / top) ** power / y for power in range(degree + 1)], axis=1)
    found = nnls(columns, np.ones(len(y)))[0]
    return Curve(*(float(number) / top**power for power, number in enumerate(found)))
