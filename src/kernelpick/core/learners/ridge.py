"""Raker: constant steps on the loss plus m |w|^2."""

from typing import Any, NamedTuple, Self

from kernelpick.core.learners import learner
from kernelpick.core.learners.gradient import steps_down
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Ledger


@learner("ridge", uses_horizon=True)
@steps_down
class Ridge(NamedTuple):
    step: float
    weight: float  # m

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """eta = s/sqrt(T), m = 0.005 for classification and 0.01 for regression."""
        return cls(problem.step_scale / problem.horizon**0.5, 0.005 if problem.loss.classifies else 0.01)

    @staticmethod
    def rate(learner: Any, ledger: Ledger, arm: int, m: int, gradient: float, margin: float) -> float:
        return learner.step

    @staticmethod
    def shrinkage(learner: Any) -> float:
        return 1.0 - 2.0 * learner.step * learner.weight

    @staticmethod
    def penalty(learner: Any) -> float:
        return learner.weight
