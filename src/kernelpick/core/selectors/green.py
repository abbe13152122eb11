"""Two arms a round: one by p, which predicts and pays, and any of them, which learns (B(AO)2KS).

The selector is GREEN-IX. Loss estimates are divided by p + zeta (implicit exploration), arms that have become unlikely
are frozen, and epsilon, on which all rates depend, is halved whenever the estimates have outgrown it.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.numerics.compilation import inner
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Cast, Ledger, Trial, enlist
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.appraisal import loss_of_what_was_said
from kernelpick.core.selectors.weights import pick, soften

OMEGA = 0.01  # the probability that the bound of its analysis fails


@selector("green", drawn=2, shown=2, numbers=2, first_learns=False)
class Green(NamedTuple):
    largest: float  # lmax: costs are divided by it
    enough: float  # K ln(K/omega): epsilon^2 times all estimates may be so large
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]
    estimates: Annotated[np.ndarray, Axes("arms", adds="own")]  # L_i, since epsilon was halved
    epsilon: Annotated[np.ndarray, Axes(1, fresh=0.5, adds="own")]

    @classmethod
    def build(cls, problem: Problem) -> Self:
        arms, largest = problem.arms, float(problem.loss.largest(problem.radius))
        return cls(largest, arms * math.log(arms / OMEGA), problem.uniform(), np.zeros(arms), np.full(1, 0.5))

    def added(self, states: Any, whole: Any) -> Self:
        """The smallest epsilon, and the sum of the estimates that were made with it."""
        epsilon = min(float(state.selector.epsilon[0]) for state in states)
        estimates = [state.selector.estimates for state in states if state.selector.epsilon[0] == epsilon]
        return self._replace(epsilon=np.full(1, epsilon), estimates=np.sum(estimates, axis=0))

    @staticmethod
    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        arms, first = len(selector.p), pick(selector.p, numbers[0])
        enlist(cast, 0, first, selector.p[first])
        cast.divisor[0] = selector.p[first] + selector.epsilon[0] / (4.0 * arms)  # zeta
        cast.learns[0] = 0
        enlist(cast, 1, min(int(numbers[1] * arms), arms - 1), 1.0 / arms)
        cast.share[1], cast.charged[1] = 0.0, 0
        return 2

    @staticmethod
    def appraise(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
        costs[cast.arm[0]] = loss_of_what_was_said(trial, cast.arm[0]) / selector.largest

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        estimates, epsilon, arms = selector.estimates, selector.epsilon, len(selector.p)
        estimates[cast.arm[0]] += costs[cast.arm[0]] / cast.divisor[0]
        if epsilon[0] * epsilon[0] * ledger.total[0] > selector.enough:
            epsilon[0] *= 0.5
            for i in range(arms):
                estimates[i] = 0.0
        soften(estimates, epsilon[0] / (4.0 * arms), selector.p)
        freeze(selector.p, epsilon[0] / (2.0 * arms))
        return False


@inner
def freeze(p: np.ndarray, least: float) -> None:
    """Arms with p below the least get nothing, and the others all of it. The largest p is 1/K or more, so one stays."""
    total = 0.0
    for i in range(len(p)):
        p[i] = p[i] if p[i] >= least else 0.0
        total += p[i]
    for i in range(len(p)):
        p[i] /= total
