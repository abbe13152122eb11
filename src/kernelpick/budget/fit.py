"""What a round costs as a function of a size: fixed + linear * x + square * x^2, none of them negative.

For the paper's algorithms x is the number D of frequencies, and linear is one over the beta of Assumption 3
(D = beta R); for stored examples it is their number B. Newton learners work on matrices of the order x = 2D + 1 + d.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Curve(NamedTuple):
    """Seconds of a round."""

    fixed: float
    linear: float
    square: float = 0.0

    def at(self, x: float) -> float:
        return self.fixed + self.moving(x)

    def moving(self, x: float) -> float:
        """What grows with the size, which every further hypothesis costs again."""
        return self.linear * x + self.square * x * x


def fitted(sizes: Sequence[float], times: Sequence[float], degree: int) -> Curve:
    """By least squares of relative errors, so that small sizes count as much as large ones.

    >>> curve = fitted([10, 20, 40], [3.0, 4.0, 6.0], degree=1)
    >>> [round(number, 6) for number in curve]
    [2.0, 0.1, 0.0]
    """
    from scipy.optimize import nnls

    x, y = np.asarray(sizes, dtype=float), np.asarray(times, dtype=float)
    top = float(x.max())  # columns of like size
    columns = np.stack([(x / top) ** power / y for power in range(degree + 1)], axis=1)
    found = nnls(columns, np.ones(len(y)))[0]
    return Curve(*(float(number) / top**power for power, number in enumerate(found)))
