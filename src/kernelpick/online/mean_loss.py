"""The mean loss of what was said before each target was used, in units of the target."""

import math

import numpy as np

from kernelpick.core import Outcome
from kernelpick.core.losses import values
from kernelpick.core.numerics.compilation import compiled, fma
from kernelpick.core.record import LOSS, SAID


class MeanLoss:
    """The sums behind it. The loss is in units of the target to some power; several targets count as their mean."""

    def __init__(self, power: int, several: bool = False) -> None:
        self.power, self.several = power, several  # whether there are several targets, each with units of its own
        self.sums = np.zeros(3)  # of losses in units of the target; of the scaled losses; of weights

    @property
    def mean(self) -> float:
        return float(self.sums[0] / self.sums[2]) if self.weight else float("nan")

    @property
    def plain(self) -> float:
        """A sum of losses in units that do not change between fits."""
        return float(self.sums[1])

    @property
    def weight(self) -> float:
        return float(self.sums[2])

    def add(self, outcome: Outcome, truth: np.ndarray, units: np.ndarray, weights: np.ndarray) -> None:
        """Losses against scaled targets (T, M), whose units are (2, T, M); rows that were passed over do not count."""
        if not self.several:
            add_losses(self.sums, outcome.record, units, weights, self.power)
            return
        said = outcome.record[:, SAID : SAID + truth.shape[1]]
        each = values(outcome.spec.loss_key, said.ravel(), truth.ravel()).reshape(truth.shape)
        losses = (each * units[1] ** self.power).mean(axis=1)
        own = np.where(np.isfinite(outcome.losses), losses, math.inf)[:, None]
        add_losses(self.sums, own, np.ones((2, len(own), 1)), weights, self.power)


@compiled
def add_losses(sums: np.ndarray, record: np.ndarray, units: np.ndarray, weights: np.ndarray, power: int) -> None:
    """Add weighted losses in units of the target to sums[0], as they are to sums[1], and their weights to sums[2].

    One by one in the order of the rows: a fused operation, other than a plain sum, is not reordered for speed.
    """
    for row in range(len(record)):
        loss, weight = record[row, LOSS], weights[row] if len(weights) else 1.0
        if math.isfinite(loss):
            spread = units[1, row, 0]
            factor = spread * spread if power == 2 else spread
            sums[0] = fma(loss, factor * weight, sums[0])
            sums[1] = fma(loss, weight, sums[1])
            sums[2] += weight
