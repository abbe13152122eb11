"""OKS, RF-OKS: the same step in all rounds."""

import math
from typing import Any, NamedTuple, Self

from kernelpick.core.learners import learner
from kernelpick.core.learners.gradient import steps_down
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Ledger


@learner("constant", uses_horizon=True)
@steps_down
class Constant(NamedTuple):
    step: float

    @staticmethod
    def scale(loss: Any) -> float:
        """s, from the paper's grid."""
        return 25.0 if loss.name in ("logistic", "square") else 5.0

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """lambda = s sqrt(delta/(K T)), with G = 1 and delta as in exp3.py."""
        arms, horizon = problem.arms, problem.horizon
        return cls(problem.step_scale * math.sqrt(min(1.0, (arms / horizon) ** (1 / 3)) / (arms * horizon)))

    @staticmethod
    def rate(learner: Any, ledger: Ledger, arm: int, m: int, gradient: float, margin: float) -> float:
        return learner.step
