"""Exponential weights whose rate and exploration follow the losses seen so far (OKS++, RF-OKS++)."""

import math
from typing import Any, NamedTuple

import numpy as np

from . import explore, select, soften
from .bandit import plays_one


@plays_one
class Adaptive(NamedTuple):
    b: float  # (G C0)^(1/3) (U K)^(2/3)
    log_arms: float  # ln K
    q: np.ndarray
    p: np.ndarray
    variance: np.ndarray  # (1,) V = sum of q_I c~^2, q as it was when the arm was drawn


@select.register(Adaptive)
def _select(selector: Any, ledger: Any, arm: int, costs: np.ndarray, p: float, margin: float, u: float) -> None:
    b = margin if margin > 0.0 else selector.b
    selector.variance[0] += selector.q[arm] * (costs[arm] / p) ** 2
    eta = math.sqrt(2.0 * selector.log_arms) / math.sqrt(1.0 + selector.variance[0])
    delta = 0.5 * b / max(b, 2.0 * ledger.total[0] ** (1.0 / 3.0))
    soften(ledger.losses, eta, selector.q)
    explore(selector.q, delta, selector.p)
