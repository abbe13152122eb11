"""The search: a space of functions that grows by two in each pass over all pairs of rows, and the best one in it.

With f the best function of the space, b its slopes and m the multiplier of |f| <= U, the best of all functions has the
coefficients -b/m. So b itself is one of the two that join, since its norm is what the lower bound needs; the other is
Newton's step for what is left, b + m a, where a are the coefficients of f.
"""

from typing import NamedTuple, Self

import numpy as np

from kernelpick.hindsight.ball import best_in_ball
from kernelpick.hindsight.curves import Task
from kernelpick.hindsight.gram import Gram
from kernelpick.hindsight.newton import direction, near

LEAST_RANK, ROWS_A_RANK = 250, 16  # of the matrix that stands for K where steps are made: this, or a rank for 16 rows
LEAST_PASSES, MOST_PASSES, ROWS_OF_ALL = 60, 240, 1_000_000  # as many as have so many rows together, within limits
SHARE = 0.3  # of the gap that the rounding of a kink may make up, before it is rounded less
SMALL = 1e-3  # a mean loss below this is as good as this, when a gap is called small


class Found(NamedTuple):
    """Coefficients of a function in the ball, and slopes that bound the loss of all others from below."""

    coefficients: np.ndarray
    slopes: np.ndarray


class Space(NamedTuple):
    """Functions that are orthonormal in the kernel's space: their coefficients, and their values at all rows."""

    coefficients: np.ndarray
    values: np.ndarray

    def joined(self, columns: np.ndarray, values: np.ndarray) -> Self:
        """With those of these functions that are new."""
        A, G = self
        for a, g in zip(columns.T, values.T, strict=True):
            size = _norm(a, g)
            for _ in range(2):  # the second time removes what rounding has left
                shares = G.T @ a
                a, g = a - A @ shares, g - G @ shares
            left = _norm(a, g)
            if left > 1e-7 * size:
                A, G = np.column_stack([A, a / left]), np.column_stack([G, g / left])
        return self._replace(coefficients=A, values=G)


def lower_bound(task: Task, radius: float, b: np.ndarray, Kb: np.ndarray) -> float:
    """-sum l*(b, y) - U sqrt(b'Kb): no function of the ball has a smaller loss, whatever b is.

    Since l(f, y) >= b f - l*(b, y), and the sum of b_t f(x_t) is at least -U |sum b_t k(x_t, .)|. None is below 0.
    """
    return max(-task.conjugate(b) - radius * _norm(b, Kb), 0.0)


def search(task: Task, gram: Gram, radius: float, tolerance: float) -> Found:
    """Until the bounds are as near to each other as told, or for so many passes."""
    n = len(gram)
    nothing, about = np.zeros(n), near(gram, min(n, max(LEAST_RANK, n // ROWS_A_RANK)))
    blur = 0.1 * task.total(nothing) / n if task.curve.kinked else 0.0
    space, z = Space(np.empty((n, 0)), np.empty((n, 0))), np.empty(0)
    b = task.slopes(nothing, blur)
    columns, best = b[:, None], Found(nothing, b)
    upper, lower = task.total(nothing), 0.0
    for _ in range(min(MOST_PASSES, max(LEAST_PASSES, ROWS_OF_ALL // n))):
        values = gram.times(columns)
        bound = lower_bound(task, radius, b, values[:, 0])
        if bound >= lower:
            lower, best = bound, best._replace(slopes=b)
        enough = tolerance * max(upper, SMALL * n)
        if upper - lower <= enough:
            break
        space = space.joined(columns, values)
        if space.values.shape[1] == 0:  # all that is not fitted is where the kernel is zero
            break
        z = best_in_ball(task, space.values, np.pad(z, (0, space.values.shape[1] - len(z))), radius, blur)
        F, a = space.values @ z, space.coefficients @ z
        total = task.total(F)
        if total < upper:
            upper, best = total, best._replace(coefficients=a)
        b = task.slopes(F, blur)
        # The conjugate of a rounded loss is larger by blur b^2/2: the rest is what rounding adds to the gap.
        if total - task.total(F, blur) - 0.5 * blur * float(b @ b) > SHARE * max(upper - lower, enough):
            blur /= 3
            b = task.slopes(F, blur)
        multiplier = max(-float(b @ F) / max(float(z @ z), 1e-300), 1e-9 * n / radius**2)
        step = direction(about, task.curvatures(F, blur), multiplier, b + multiplier * a)
        columns = np.column_stack([b, step])
    return best


def _norm(a: np.ndarray, Ka: np.ndarray) -> float:
    """In the kernel's space, of the function with coefficients a."""
    return float(np.sqrt(max(float(a @ Ka), 0.0)))
