"""Exponential weights whose rate and exploration follow the losses seen so far (OKS++, RF-OKS++)."""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem, smooth_bound
from kernelpick.core.rounds import Cast, Ledger, Trial
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.bandit import plays_one
from kernelpick.core.selectors.weights import explore, soften


@selector("adaptive", needs_smooth=True)
@plays_one
class Adaptive(NamedTuple):
    b: float  # (G C0)^(1/3) (U K)^(2/3)
    log_arms: float  # ln K
    q: Annotated[np.ndarray, Axes("arms", adds="mean")]
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]
    variance: Annotated[np.ndarray, Axes(1, adds="sum")]  # V = sum of q_I c~^2, q as it was when the arm was drawn

    @staticmethod
    def follows_margin(loss: Any) -> bool:
        """The published experiments replace b by exp(-y f) of the round, with the logistic loss."""
        return bool(loss.name == "logistic")

    @classmethod
    def build(cls, problem: Problem) -> Self:
        return cls(
            smooth_bound(problem), float(np.log(problem.arms)), problem.uniform(), problem.uniform(), np.zeros(1)
        )

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        b = trial.margin if trial.margin > 0.0 else selector.b
        arm = cast.arm[0]
        selector.variance[0] += selector.q[arm] * (costs[arm] / cast.chance[0]) ** 2
        eta = math.sqrt(2.0 * selector.log_arms) / math.sqrt(1.0 + selector.variance[0])
        delta = 0.5 * b / max(b, 2.0 * ledger.total[0] ** (1.0 / 3.0))
        soften(ledger.losses, eta, selector.q)
        explore(selector.q, delta, selector.p)
        return False
