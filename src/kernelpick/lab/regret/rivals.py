"""One comparator: the best hypothesis in hindsight for one kernel, over the first rows of a stream."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kernelpick.core.feature_map import features
from kernelpick.core.kernels.frequencies import draw_frequencies
from kernelpick.core.losses import LOSSES, key, values
from kernelpick.hindsight.best import best_in_hindsight
from kernelpick.hindsight.box import best_in_box
from kernelpick.hindsight.curves import summed_loss
from kernelpick.lab.regret.streams import NamedStream
from kernelpick.lab.running.curves import checkpoints

SMOOTH, KINKED = 1e-4, 2e-3  # gaps relative to the loss


class Rival(NamedTuple):
    """What is to be solved: over the ball of the kernel's space, or over |w| <= U/sqrt(D) in D features."""

    stream: NamedStream
    loss: str
    horizon: int
    kernels: int
    arm: int
    radius: float  # U
    features: int = 0


class Solved(NamedTuple):
    """What came out."""

    total: float  # loss
    lower_bound: float
    norm: float
    curve: list[float]  # its summed loss up to each of `checkpoints`


def solve(rival: Rival) -> Solved:
    """The best of all, certified."""
    from threadpoolctl import threadpool_limits

    X, y = rival.stream.rows(rival.horizon)
    loss, kernel = LOSSES[rival.loss], rival.stream.kernels(rival.kernels)[rival.arm]
    tolerance = SMOOTH if loss.smooth is not None else KINKED
    with threadpool_limits(1):
        if rival.features:
            Z = features(kernel, X, frequencies=draw_frequencies(rival.features, X.shape[1]))
            boxed = best_in_box(summed_loss(loss, y), Z, rival.radius / math.sqrt(rival.features), tolerance)
            told, norm, F = boxed[:2], float("nan"), boxed.predictions
        else:
            best = best_in_hindsight(X, y, kernel, loss=loss, radius=rival.radius, tolerance=tolerance)
            told, norm, F = (best.loss, best.lower_bound), best.norm, best.predictions
    sums = np.cumsum(values(key(loss), F, y))
    return Solved(*told, norm, [float(sums[step - 1]) for step in checkpoints(rival.horizon)])
