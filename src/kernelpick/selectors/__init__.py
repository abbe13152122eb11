"""Who plays this round. A selector is a named tuple of rates and arrays; these are the operations asked of it.

Every selector has ``p``, the probabilities of the next round. The losses so far are in the ledger, see engine.py.
"""

from typing import Any

import numpy as np

from ..compilation import dispatch, inner
from ..elementary import exponential


@dispatch
def draw(selector: Any, u: float) -> tuple[int, int, float]:
    """The arms first .. last - 1 that play, decided by the number u in [0, 1), and the probability that they do."""


@dispatch
def place(selector: Any, arm: int) -> int:
    """Where a learner keeps what it knows of the arm, by default at the arm's number; -1 if the arm does not play."""


@dispatch
def speaker(selector: Any, first: int) -> int:
    """The arm to name as the one that was drawn, where first .. play."""


@dispatch
def renew(selector: Any, learner: Any, space: Any) -> None:
    """Restart the hypotheses that are to start afresh."""


@dispatch
def combine(selector: Any, values: np.ndarray, first: int, last: int, f: np.ndarray) -> None:
    """The prediction f[m] from the values[arm, m] of the arms that play."""


@dispatch
def appraise(
    selector: Any,
    loss: int,
    values: np.ndarray,
    predictions: np.ndarray,
    Y: np.ndarray,
    row: int,
    first: int,
    last: int,
    penalties: np.ndarray,
    costs: np.ndarray,
) -> None:
    """costs[arm]: what the round costs each arm that plays, when predictions[row] was said and the label was Y[row]."""


@dispatch
def select(selector: Any, ledger: Any, arm: int, costs: np.ndarray, p: float, margin: float, u: float) -> None:
    """New probabilities, after the ledger has taken in the round.

    arm and p tell which arm was drawn and its probability (where all play: the first arm and 1), costs what the round
    has cost those that played. margin is exp(-y f) where the published settings replace the paper's b by it, else 0;
    u is the random number of the round.
    """


@inner
def pick(p: np.ndarray, u: float) -> int:
    """The first arm with u < p_1 + ... + p_i; the last one if rounding leaves none."""
    total = 0.0
    for i in range(len(p)):
        total += p[i]
        if u < total:
            return i
    return len(p) - 1


@inner
def soften(losses: np.ndarray, eta: float, q: np.ndarray) -> None:
    """q_i proportional to exp(-eta L_i), from the differences to the smallest: the plain exponentials underflow."""
    smallest = losses[0]
    for i in range(len(losses)):
        smallest = min(smallest, losses[i])
    for i in range(len(losses)):
        q[i] = exponential(-eta * (losses[i] - smallest))
    total = 0.0
    for i in range(len(losses)):
        total += q[i]
    for i in range(len(losses)):
        q[i] /= total


@inner
def explore(q: np.ndarray, delta: float, p: np.ndarray) -> None:
    """p = (1 - delta) q + delta/K."""
    floor = delta / len(q)
    for i in range(len(q)):
        p[i] = (1.0 - delta) * q[i] + floor


def takes_all(cls: type) -> type:
    """Register the common case: whoever is drawn plays, arms are their own seats, and none starts afresh."""

    @place.register(cls)
    def _place(selector: Any, arm: int) -> int:
        return arm

    @speaker.register(cls)
    def _speaker(selector: Any, first: int) -> int:
        return first

    @renew.register(cls)
    def _renew(selector: Any, learner: Any, space: Any) -> None:
        return None

    return cls
