"""Exponential weights with a fixed rate and fixed exploration (OKS, RF-OKS)."""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Cast, Ledger, Trial
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.bandit import plays_one
from kernelpick.core.selectors.weights import explore, soften


@selector("exp3", uses_horizon=True)
@plays_one
class Exp3(NamedTuple):
    eta: float
    delta: float
    q: Annotated[np.ndarray, Axes("arms", adds="mean")]
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """delta = (K/T)^(1/3), eta = sqrt(2 (1 - delta) ln K / (K T)), with G = lmax = 1 as in the experiments."""
        arms, horizon = problem.arms, problem.horizon
        delta = min(1.0, (arms / horizon) ** (1 / 3))
        eta = math.sqrt(2 * (1 - delta) * math.log(arms)) / math.sqrt(arms * horizon)
        return cls(eta, delta, problem.uniform(), problem.uniform())

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        soften(ledger.losses, selector.eta, selector.q)
        explore(selector.q, selector.delta, selector.p)
        return False
