"""Mirror descent with Tsallis entropy and rates that rise for rare arms (IOKS, RF-IOKS)."""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.numerics.compilation import inner
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Cast, Ledger, Trial
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.bandit import plays_one
from kernelpick.core.selectors.weights import explore


@selector("tsallis", uses_horizon=True)
@plays_one
class Tsallis(NamedTuple):
    eta: float  # the rate that all arms start from
    delta: float
    rise: float  # upsilon: what a rate is multiplied by when its arm has become rare
    largest: float  # lmax: losses are divided by it
    q: Annotated[np.ndarray, Axes("arms", adds="mean")]
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]
    risen: Annotated[np.ndarray, Axes("arms", fresh=1.0, adds="most")]  # eta_i / eta
    rho: Annotated[np.ndarray, Axes("arms", adds="most")]  # the rarity 1/p at which an arm's rate rises next
    rates: Annotated[np.ndarray, Axes("arms", adds="most")]  # eta_i of the current round

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """eta = a lmax K^(3/8) / (U G1 sqrt(T ln T)), delta = T^(-3/4), upsilon = exp(2/(3 ln T)), rho_i = 2K.

        The published experiments take a = 8 and lmax = 1 where the theorem has 3/2 and the loss's own.
        """
        arms, horizon, radius = problem.arms, problem.horizon, problem.radius
        a, largest = (8.0, 1.0) if problem.published else (1.5, problem.loss.largest(radius))
        log_horizon = math.log(max(horizon, 3))
        slope = radius * problem.loss.lipschitz(radius)
        eta = a * largest * arms ** (3 / 8) / (slope * math.sqrt(horizon * log_horizon))
        delta, rise = min(1.0, horizon**-0.75), math.exp(2 / (3 * log_horizon))
        p, rho = problem.uniform(), np.full(arms, 2.0 * arms)
        return cls(eta, delta, rise, largest, problem.uniform(), p, np.ones(arms), rho, np.zeros(arms))

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        rates, largest_rate = selector.rates, 0.0
        for i in range(len(rates)):
            rates[i] = selector.eta * selector.risen[i]
            largest_rate = max(largest_rate, rates[i])
        arm, p = cast.arm[0], cast.chance[0]
        c = costs[arm] / selector.largest
        c = c / p if p > largest_rate else c / (p + largest_rate)
        if c > 0.0:
            mirror_step(selector.q, rates, c, arm)
        explore(selector.q, selector.delta, selector.p)
        for i in range(len(rates)):
            if 1.0 / selector.p[i] > selector.rho[i]:
                selector.rho[i] = 2.0 / selector.p[i]
                selector.risen[i] *= selector.rise
        return False


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
