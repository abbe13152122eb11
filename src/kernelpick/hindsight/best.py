"""kernelpick.best_in_hindsight."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernelpick.core import messages
from kernelpick.core.kernels import Kernel, check_kernel
from kernelpick.core.losses import LOSSES, check_loss
from kernelpick.hindsight.curves import summed_loss
from kernelpick.hindsight.functions import functions_of
from kernelpick.hindsight.gram import Gram
from kernelpick.hindsight.search import lower_bound, norm, search

# How near the bounds come to each other, relative to the loss; for few rows the last digits cost little.
KINKED, SMOOTH, SMOOTH_AND_FEW, FEW = 2e-3, 1e-5, 1e-9, 2_000


@dataclass(frozen=True)
class Hindsight:
    """The best hypothesis of a ball, over rows that are all known.

    Attributes
    ----------
    loss : its summed loss over the rows; the least that there is lies between `lower_bound` and this
    lower_bound : no hypothesis of the ball has a smaller summed loss
    norm : its norm in the space of the kernel, at most the radius
    predictions : (T,) its predictions
    coefficients : (T,) what the kernels at the rows are multiplied by
    """

    loss: float
    lower_bound: float
    norm: float
    predictions: np.ndarray
    coefficients: np.ndarray

    @property
    def gap(self) -> float:
        """How much smaller the least loss can be at most."""
        return self.loss - self.lower_bound


def best_in_hindsight(
    X: Any, y: Any, kernel: Kernel, *, loss: Any, radius: float | None = None, tolerance: float | None = None
) -> Hindsight:
    """The hypothesis with the least summed loss in the ball of that radius in the space of the kernel.

    What an online algorithm is measured against: its regret is its own summed loss minus this one. The answer comes
    with a certificate: a lower bound by duality, from sums over all pairs of rows, whose matrix is never stored as a
    whole. Both are exact but for the rounding of the kernel's values.

    Parameters
    ----------
    X, y : (T, d) inputs and (T,) targets; labels -1 or +1 for the classification losses
    kernel : such as kernelpick.Gaussian(0.5)
    loss : "logistic", "square", "absolute", "hinge", "squared_hinge" or "huber"
    radius : U, by default that of the loss (15 for logistic, 1 for all others)
    tolerance : the gap between the bounds to stop at, relative to the loss; by default 2e-3 for "absolute" and
        "hinge", and for all others 1e-5, or 1e-9 where there are at most 2,000 rows

    >>> import kernelpick, numpy as np
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> best = kernelpick.best_in_hindsight(X, np.sin(3 * X[:, 0]), kernelpick.Gaussian(0.5), loss="square", radius=1.2)
    >>> print(f"{best.loss:.4f}, at least {best.lower_bound:.4f}, by a function of norm {best.norm:.4f}")
    5.0227, at least 5.0227, by a function of norm 1.2000
    """
    check_loss(loss)
    row = LOSSES[loss] if isinstance(loss, str) else loss
    check_kernel(kernel, "kernel")
    X = messages.rows(X)
    y = messages.targets(y, len(X), row.classifies, row.name)
    summed = summed_loss(row, y)
    U = messages.positive("radius", row.radius if radius is None else radius)
    usual = KINKED if summed.curve.kinked else SMOOTH if len(X) > FEW else SMOOTH_AND_FEW
    within = messages.positive("tolerance", usual if tolerance is None else tolerance)
    with threadpool_limits(1 if len(X) <= FEW else None):  # threads take longer to meet than such products take
        functions = functions_of(Gram(kernel, X))
        f, b = search(summed, functions, U, within)
        combined = functions.combined(b)
        # Once more from the function alone, so that what is certified has no rounding of the way there.
        duals = functions.duals(np.column_stack([f, combined]))
        size = norm(f, duals[:, 0])
        shrink = min(1.0, U / size) if size > 0 else 1.0
        a, F = shrink * functions.coefficients(f), shrink * functions.values(duals[:, 0])
    value = summed.total(F)
    bound = lower_bound(summed, U, b, norm(combined, duals[:, 1]))
    return Hindsight(value, min(bound, value), min(size, U), F, a)
