"""Exponential weights with a fixed rate and fixed exploration (OKS, RF-OKS)."""

import math
from typing import Any, NamedTuple

import numpy as np

from . import explore, select, soften
from .bandit import plays_one


@plays_one
class Exp3(NamedTuple):
    eta: float
    delta: float
    q: np.ndarray
    p: np.ndarray


def exp3_rates(arms: int, horizon: int) -> tuple[float, float]:
    """eta and delta of OKS, with G = lmax = 1 as in the paper's experiments."""
    delta = min(1.0, (arms / horizon) ** (1 / 3))
    return math.sqrt(2 * (1 - delta) * math.log(arms)) / math.sqrt(arms * horizon), delta


@select.register(Exp3)
def _select(selector: Any, ledger: Any, arm: int, costs: np.ndarray, p: float, margin: float, u: float) -> None:
    soften(ledger.losses, selector.eta, selector.q)
    explore(selector.q, selector.delta, selector.p)
