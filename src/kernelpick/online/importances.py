"""How much each input moves the prediction: mean squared gradient times variance, over rows that are kept.

For a linear hypothesis of independent inputs that is the part of its variance that is due to each of them.
"""

import numpy as np

from kernelpick.core import State
from kernelpick.core.gradients import gradients

ROWS = 256  # the last rows that are looked at, at most


def importances(state: State, X: np.ndarray, n_outputs: int) -> np.ndarray:
    """(d,) of the inputs of scaled rows, which add up to 1, or all 0 where nothing moves the prediction."""
    shares = state.probabilities if state.selector.plays_all else np.eye(len(state.probabilities))[state.leader]
    total = np.zeros(X.shape[1])
    for output in range(n_outputs):
        slopes = sum(shares[arm] * gradients(state, arm, output, X) for arm in np.flatnonzero(shares).tolist())
        total += np.square(slopes).mean(axis=0)
    total *= X.var(axis=0)
    return np.asarray(total / total.sum()) if total.sum() > 0.0 else total
