"""The best weights of a box, |w_j| <= limit: what Theorems 4 and 5 compare with, in the random features of a kernel.

Newton's method with a logarithmic barrier, which counts less and less; a kink is rounded less and less as well.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernelpick.hindsight.curves import SummedLoss

STAGES, STEPS = 40, 12
FASTER = 6.0  # how much less the barrier counts from stage to stage
SHARE = 0.3  # of the gap that the rounding of a kink may make up, before it is rounded less
SMALL = 2e-4  # a mean loss below this is as good as this, when a gap is called small
INSIDE = 0.99  # of the way to the nearest side is the longest step


class Boxed(NamedTuple):
    """The summed loss of the best weights, a lower bound of it, and their predictions."""

    loss: float
    lower_bound: float
    predictions: np.ndarray


def best_in_box(summed: SummedLoss, Z: np.ndarray, limit: float, tolerance: float) -> Boxed:
    """Over the rows Z of features; the bound is -sum l*(b, y) - limit |Z'b|_1."""
    rows, w = len(Z), np.zeros(Z.shape[1])
    best = Boxed(summed.total(Z @ w), 0.0, Z @ w)
    barrier = best.loss / len(w)
    blur = 0.1 * best.loss / rows if summed.curve.kinked else 0.0
    for _ in range(STAGES):
        enough = tolerance * max(best.loss, SMALL * rows)
        if best.loss - best.lower_bound <= enough:
            break
        w = _centre(summed, Z, w, limit, barrier, blur)
        F = Z @ w
        b, total = summed.slopes(F, blur), summed.total(F)
        lower = max(-summed.conjugate(b) - limit * float(np.abs(Z.T @ b).sum()), best.lower_bound)
        best = Boxed(total, lower, F) if total < best.loss else best._replace(lower_bound=lower)
        barrier /= FASTER
        if total - summed.total(F, blur) - 0.5 * blur * float(b @ b) > SHARE * max(best.loss - lower, enough):
            blur /= 3
    return best


def _centre(summed: SummedLoss, Z: np.ndarray, w: np.ndarray, limit: float, barrier: float, blur: float) -> np.ndarray:
    """A step of the path: the least loss with a barrier before the sides of the box."""

    def value(w: np.ndarray) -> float:
        return summed.total(Z @ w, blur) - barrier * float(np.log1p(-((w / limit) ** 2)).sum())

    for _ in range(STEPS):
        F, up, down = Z @ w, 1 / (limit - w), 1 / (limit + w)
        gradient = Z.T @ summed.slopes(F, blur) + barrier * (up - down)
        curvature = Z.T @ (Z * summed.curvatures(F, blur)[:, None])
        nothing = 1e-12 * float(np.trace(curvature))  # what rounding may have taken away
        curvature[np.diag_indices(len(w))] += barrier * (up**2 + down**2) + nothing
        step = -cho_solve(cho_factor(curvature), gradient)
        gain = -float(gradient @ step)
        if gain <= 0.01 * barrier:
            break
        room = np.where(step > 0, limit - w, limit + w) / np.maximum(np.abs(step), 1e-300)
        length, now = min(1.0, INSIDE * float(room.min())), value(w)
        while value(w + length * step) > now - 0.1 * length * gain and length > 1e-9:
            length /= 2
        w = w + length * step
    return w
