"""IOKS, RF-IOKS: steps that fall with the squared gradients of this arm."""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import learner
from kernelpick.core.learners.gradient import steps_down
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Ledger


@learner("normalised", projects=True)
@steps_down
class Normalised(NamedTuple):
    factor: float  # U / sqrt(2)
    gradients: Annotated[np.ndarray, Axes("arms", "outputs", even=True, adds="sum")]  # sums of squared gradient norms

    @classmethod
    def build(cls, problem: Problem) -> Self:
        return cls(problem.radius / np.sqrt(2.0), np.zeros((problem.arms, problem.outputs)))

    @staticmethod
    def rate(learner: Any, ledger: Ledger, arm: int, m: int, gradient: float, margin: float) -> float:
        learner.gradients[arm, m] += gradient * gradient
        return learner.factor / math.sqrt(1.0 + learner.gradients[arm, m])
