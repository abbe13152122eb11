"""The mean loss of what was said before each target was used, in units of the target."""

import numpy as np

from kernelpick.core import Outcome
from kernelpick.online.scaling import add_losses


class MeanLoss:
    """The sums behind it. The loss is in units of the target to some power."""

    def __init__(self, power: int) -> None:
        self.power = power
        self.loss, self.weight = np.zeros(1), 0.0

    @property
    def mean(self) -> float:
        return float(self.loss[0] / self.weight) if self.weight else float("nan")

    def add(self, outcome: Outcome, units: np.ndarray, weights: np.ndarray) -> None:
        """Losses scaled by units (2, T), one by one; rows that were passed over do not count."""
        losses = np.ascontiguousarray(outcome.losses)
        if outcome.diverged is not None:
            learned = np.isfinite(losses)
            losses, units = losses[learned], np.ascontiguousarray(units[:, learned])
            weights = weights[learned] if len(weights) else weights
        add_losses(self.loss, losses, units, weights, self.power)
        if len(weights):
            self.weight = float(np.add.accumulate(np.append(self.weight, weights))[-1])
        else:
            self.weight += len(losses)
