"""LKMBooks: a round is used with a falling probability h, and its step is divided by h."""

import math
from typing import Any, NamedTuple, Self

from kernelpick.core.learners import learner
from kernelpick.core.learners.gradient import steps_down
from kernelpick.core.numerics.compilation import inner
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Ledger


@inner
def chance(learner: Any, t: int) -> float:
    """h = min(1, B / ((1 - n) T^(1-n) t^n)): the probability that round t is used."""
    n = learner.decay
    return min(1.0, learner.budget / ((1.0 - n) * learner.horizon ** (1.0 - n) * t**n))


@learner("reservoir", uses_horizon=True)
@steps_down
class Reservoir(NamedTuple):
    step: float
    budget: float
    horizon: float
    decay: float  # n

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """n = 1/7 and lambda = 10/sqrt(T) for classification; else n = 1/4, or 1/5 where the loss is not smooth, and
        lambda = sqrt((1 + n) B)/(sqrt(1 - n) T)."""
        budget, horizon = problem.budget, problem.horizon
        n, step = 1 / 7, 10 / math.sqrt(horizon)
        if not problem.loss.classifies:
            n = 1 / 5 if problem.loss.smooth is None else 1 / 4
            step = math.sqrt((1 + n) * budget) / (math.sqrt(1 - n) * horizon)
        return cls(step, float(budget), float(horizon), n)

    @staticmethod
    def accepts(learner: Any, t: int, u: float) -> bool:
        return u < chance(learner, t)

    @staticmethod
    def rate(learner: Any, ledger: Ledger, arm: int, m: int, gradient: float, margin: float) -> float:
        return learner.step / chance(learner, int(ledger.clock[0]))
