"""Mirror descent with Tsallis entropy and rates that rise for rare arms (IOKS, RF-IOKS)."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import inner
from . import explore, select
from .bandit import plays_one


@plays_one
class Tsallis(NamedTuple):
    eta: float  # the rate that all arms start from
    delta: float
    rise: float  # upsilon: what a rate is multiplied by when its arm has become rare
    largest: float  # lmax: losses are divided by it
    q: np.ndarray
    p: np.ndarray
    risen: np.ndarray  # (K,) eta_i / eta
    rho: np.ndarray  # (K,) the rarity 1/p at which an arm's rate rises next
    rates: np.ndarray  # (K,) eta_i of the current round


def tsallis_rates(
    arms: int, horizon: int, radius: float, lipschitz: float, largest: float, a: float
) -> tuple[float, float, float]:
    """eta, delta and upsilon of IOKS."""
    log_horizon = math.log(max(horizon, 3))
    eta = a * largest * arms ** (3 / 8) / (radius * lipschitz * math.sqrt(horizon * log_horizon))
    return eta, min(1.0, horizon**-0.75), math.exp(2 / (3 * log_horizon))


@select.register(Tsallis)
def _select(selector: Any, ledger: Any, arm: int, costs: np.ndarray, p: float, margin: float, u: float) -> None:
    rates, largest_rate = selector.rates, 0.0
    for i in range(len(rates)):
        rates[i] = selector.eta * selector.risen[i]
        largest_rate = max(largest_rate, rates[i])
    c = costs[arm] / selector.largest
    c = c / p if p > largest_rate else c / (p + largest_rate)
    if c > 0.0:
        mirror_step(selector.q, rates, c, arm)
    explore(selector.q, selector.delta, selector.p)
    for i in range(len(rates)):
        if 1.0 / selector.p[i] > selector.rho[i]:
            selector.rho[i] = 2.0 / selector.p[i]
            selector.risen[i] *= selector.rise


@inner
def mirror_step(q: np.ndarray, rates: np.ndarray, c: float, arm: int) -> None:
    """q_i <- (q_i^(-7/8) + eta_i (c_i - mu))^(-8/7), c_i = 0 but for the arm, with mu such that they sum to 1.

    The sum is convex and increasing in mu, so Newton's method comes down from above; where it would leave the
    interval known to hold the solution, the interval is halved instead.
    """
    arms = len(q)
    if arms == 1:
        return
    low, high = 0.0, c
    for i in range(arms):
        q[i] = q[i] ** -0.875
        if i == arm:
            q[i] += rates[i] * c
        else:
            high = min(high, q[i] / rates[i])
    mu = 0.0
    for _ in range(200):
        total, derivative = -1.0, 0.0
        for i in range(arms):
            base = q[i] - rates[i] * mu
            if base <= 0.0:
                total = math.inf
                break
            power = base ** (-8.0 / 7.0)
            total += power
            derivative += (8.0 / 7.0) * rates[i] * power / base
        if total > 0.0:
            high = mu
        else:
            low = mu
        following = mu - total / derivative if total < math.inf else math.inf
        if not low < following < high:
            following = 0.5 * (low + high)
        if following == mu or abs(total) < 1e-15 or not low < following < high:
            break
        mu = following
    for i in range(arms):
        q[i] = (q[i] - rates[i] * mu) ** (-8.0 / 7.0)
