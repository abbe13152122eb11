"""Probabilities from losses: what several selectors are made of."""

import numpy as np

from kernelpick.core.numerics.compilation import inner
from kernelpick.core.numerics.elementary import exponential


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
