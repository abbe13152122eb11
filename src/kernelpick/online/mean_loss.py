"""The mean loss of what was said before each target was used, in units of the target."""

import numpy as np

from kernelpick.core import Outcome
from kernelpick.core.losses import values
from kernelpick.online.scaling import add_losses


class MeanLoss:
    """The sums behind it. The loss is in units of the target to some power; several targets count as their mean."""

    def __init__(self, power: int, several: bool = False) -> None:
        self.power, self.several = power, several  # whether there are several targets, each with units of its own
        self.sums, self.weight = np.zeros(2), 0.0  # in units of the target; of the scaled losses

    @property
    def mean(self) -> float:
        return float(self.sums[0] / self.weight) if self.weight else float("nan")

    @property
    def plain(self) -> float:
        """A sum of losses in units that do not change between fits."""
        return float(self.sums[1])

    def add(self, outcome: Outcome, truth: np.ndarray, units: np.ndarray, weights: np.ndarray) -> None:
        """Losses against scaled targets (T, M), whose units are (2, T, M); rows that were passed over do not count."""
        losses = np.ascontiguousarray(outcome.losses)
        if outcome.diverged is not None:
            learned = np.isfinite(losses)
            losses, units = losses[learned], np.ascontiguousarray(units[:, learned])
            weights = weights[learned] if len(weights) else weights
            truth = truth[learned]
        if self.several:
            said = outcome.predictions if outcome.diverged is None else outcome.predictions[learned]
            each = values(outcome.spec.loss_key, said.ravel(), truth.ravel()).reshape(truth.shape)
            losses, units = (each * units[1] ** self.power).mean(axis=1), np.ones((2, len(losses), 1))
        add_losses(self.sums, losses, units, weights, self.power)
        if len(weights):
            self.weight = float(np.add.accumulate(np.append(self.weight, weights))[-1])
        else:
            self.weight += len(losses)
