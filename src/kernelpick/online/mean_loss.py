"""The mean loss of what was said before each target was used, in units of the target."""

import math
from typing import Any

import numpy as np

from kernelpick.core import Outcome
from kernelpick.core.losses import value
from kernelpick.core.numerics.compilation import compiled, fma, found_once
from kernelpick.core.record import LOSS, SAID
from kernelpick.online.units import in_unit


class MeanLoss:
    """The sums behind it. The loss is in units of the target to some power; several targets count as their mean."""

    def __init__(self, power: int, several: bool = False) -> None:
        self.power, self.several = power, several  # whether there are several targets, each with units of its own
        self.sums = np.zeros(3)  # of losses in units of the target; of the scaled losses; of weights

    @property
    def mean(self) -> float:
        return float(self.sums[0] / self.sums[2]) if self.weight else float("nan")

    @property
    def total(self) -> float:
        """The sum behind the mean."""
        return float(self.sums[0])

    @property
    def plain(self) -> float:
        """A sum of losses in units that do not change between fits."""
        return float(self.sums[1])

    @property
    def weight(self) -> float:
        return float(self.sums[2])

    def merged(self, others: "list[MeanLoss]", rows: list[int]) -> "MeanLoss":
        """Of all that was said by several models."""
        whole = MeanLoss(self.power, self.several)
        whole.sums[:] = np.sum([one.sums for one in (self, *others)], axis=0)
        return whole

    def add(self, outcome: Outcome, truth: np.ndarray, units: np.ndarray, weights: np.ndarray) -> None:
        """Losses against scaled targets (T, M), whose units are (4, T, M); rows that were passed over do not count."""
        loss, about = outcome.spec.loss_key, (self.power, self.several)
        units = units if units.flags.c_contiguous else np.ascontiguousarray(units)  # machine code does not look
        if type(loss) is int:
            _of_ours()(loss, self.sums, outcome.record, truth, units, weights, *about)
        else:
            add_losses(loss, self.sums, outcome.record, truth, units, weights, *about)


@compiled
def add_losses(
    loss: Any, sums: np.ndarray, record: np.ndarray, Y: np.ndarray, units: np.ndarray, weights: np.ndarray,
    power: int, several: bool,
) -> None:  # fmt: skip
    """Add weighted losses in units of the target to sums[0], as they are to sums[1], and their weights to sums[2].

    One by one in the order of the rows: a fused operation, other than a plain sum, is not reordered for speed.
    """
    for row in range(len(record)):
        scaled, weight = record[row, LOSS], weights[row] if len(weights) else 1.0
        if math.isfinite(scaled):
            own, factor = 0.0, 1.0
            for m in range(Y.shape[1]):
                said, spread = record[row, SAID + m], units[1, row, m]
                factor = spread * spread if power == 2 else spread
                plain = fma(said, spread, units[0, row, m])
                if units[2, row, m] > 0.0 or plain < units[3, row, m]:  # what was said is not that, scaled
                    shown = in_unit(said, units[0, row, m], spread, units[2, row, m], units[3, row, m])
                    y = fma(Y[row, m], spread, units[0, row, m])
                    own += value(loss, shown, math.exp(y) if units[2, row, m] > 0.0 else y) / Y.shape[1]
                    factor = -1.0
                elif several:
                    own += value(loss, said, Y[row, m]) * factor / Y.shape[1]
            if several or factor < 0.0:
                sums[0] = fma(own, weight, sums[0])
            else:
                sums[0] = fma(scaled, factor * weight, sums[0])
            sums[1] = fma(scaled, weight, sums[1])
            sums[2] += weight


_1, _2, _3 = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
_of_ours = found_once(add_losses, 0, _1, _2, _2, _3, _1, 2, False)
