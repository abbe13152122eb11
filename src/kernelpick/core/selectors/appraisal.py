"""What a round costs the players: the loss of what was said, or of what each of them says."""

from typing import Any

import numpy as np

from kernelpick.core.losses import value
from kernelpick.core.numerics.compilation import inner
from kernelpick.core.rounds import Cast, Trial


@inner
def loss_of_what_was_said(trial: Any, arm: int) -> float:
    total = trial.penalties[arm]
    for m in range(len(trial.truth)):
        total += value(trial.loss, trial.said[m], trial.truth[m])
    return total


@inner
def own_loss(trial: Any, arm: int) -> float:
    total = trial.penalties[arm]
    for m in range(len(trial.truth)):
        total += value(trial.loss, trial.values[arm, m], trial.truth[m])
    return total


def for_what_was_said(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
    """The operation appraise: every player that is charged pays for the prediction."""
    for j in range(count):
        if cast.charged[j]:
            costs[cast.arm[j]] = loss_of_what_was_said(trial, cast.arm[j])
