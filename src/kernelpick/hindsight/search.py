"""The search: a space of functions that grows by two in each pass over all pairs of rows, and the best one in it.

With f the best function of the space, b its slopes and m the multiplier of |f| <= U, the best of all functions has the
coefficients -b/m. So b itself is one of the two that join, since its norm is what the lower bound needs; the other is
Newton's step for what is left, b + m a, where a are the coefficients of f. How functions are told is in functions.py.
"""

from typing import NamedTuple, Self

import numpy as np

from kernelpick.hindsight.ball import best_in_ball
from kernelpick.hindsight.curves import SummedLoss
from kernelpick.hindsight.functions import Functions

LEAST_PASSES, MOST_PASSES, ROWS_OF_ALL = 60, 240, 1_000_000  # as many as have so many rows together, within limits
SHARE = 0.3  # of the gap that the rounding of a kink may make up, before it is rounded less
NOISE = 1e-12  # of the largest that a'Ka can be for coefficients of that size: below it, too much is rounding
SMALL = 1e-3  # a mean loss below this is as good as this, when a gap is called small


class Certified(NamedTuple):
    """A function in the ball, and slopes that bound the loss of all others from below."""

    function: np.ndarray
    slopes: np.ndarray


class Space(NamedTuple):
    """Functions that are orthonormal in the kernel's space, and their duals."""

    functions: np.ndarray
    duals: np.ndarray

    def joined(self, columns: np.ndarray, duals: np.ndarray) -> Self:
        """With those of these functions that are new."""
        A, G = self
        for a, g in zip(columns.T, duals.T, strict=True):
            size = norm(a, g)
            for _ in range(2):  # the second time removes what rounding has left
                shares = G.T @ a
                a, g = a - A @ shares, g - G @ shares
            left = norm(a, g)
            if left > 1e-7 * size and left**2 > NOISE * len(a) * float(a @ a):
                A, G = np.column_stack([A, a / left]), np.column_stack([G, g / left])
        return self._replace(functions=A, duals=G)


def lower_bound(summed: SummedLoss, radius: float, b: np.ndarray, size: float) -> float:
    """-sum l*(b, y) - U sqrt(b'Kb): no function of the ball has a smaller loss, whatever b is; size is the root.

    Since l(f, y) >= b f - l*(b, y), and the sum of b_t f(x_t) is at least -U |sum b_t k(x_t, .)|. None is below 0.
    """
    return max(-summed.conjugate(b) - radius * size, 0.0)


def search(summed: SummedLoss, functions: Functions, radius: float, tolerance: float) -> Certified:
    """Until the bounds are as near to each other as told, or for so many passes."""
    n = len(summed.y)
    nothing, none = np.zeros(n), np.empty((functions.size, 0))
    blur = 0.1 * summed.total(nothing) / n if summed.curve.kinked else 0.0
    space, z = Space(none, none), np.empty(0)
    b = summed.slopes(nothing, blur)
    columns, best = functions.combined(b)[:, None], Certified(np.zeros(functions.size), b)
    upper, lower = summed.total(nothing), 0.0
    for _ in range(min(MOST_PASSES, max(LEAST_PASSES, ROWS_OF_ALL // n))):
        duals = functions.duals(columns)
        bound = lower_bound(summed, radius, b, norm(columns[:, 0], duals[:, 0]))
        if bound >= lower:
            lower, best = bound, best._replace(slopes=b)
        enough = tolerance * max(upper, SMALL * n)
        if upper - lower <= enough:
            break
        space = space.joined(columns, duals)
        dimensions = space.duals.shape[1]
        if dimensions == 0:  # all that is not fitted is where the kernel is zero
            break
        values = functions.values(space.duals)
        new = dimensions - len(z)
        z = best_in_ball(summed, values, np.pad(z, (0, new)), radius, blur, to_the_end=new == 0)
        F, f = values @ z, space.functions @ z
        total = summed.total(F)
        if total < upper:
            upper, best = total, best._replace(function=f)
        b = summed.slopes(F, blur)
        # The conjugate of a rounded loss is larger by blur b^2/2: the rest is what rounding adds to the gap.
        if total - summed.total(F, blur) - 0.5 * blur * float(b @ b) > SHARE * max(upper - lower, enough):
            blur /= 3
            b = summed.slopes(F, blur)
        multiplier = max(-float(b @ F) / max(float(z @ z), 1e-300), 1e-9 * n / radius**2)
        step = functions.step(summed.curvatures(F, blur), multiplier, b, f)
        columns = np.column_stack([functions.combined(b), step])
    return best


def norm(function: np.ndarray, dual: np.ndarray) -> float:
    """In the kernel's space."""
    return float(np.sqrt(max(float(function @ dual), 0.0)))
