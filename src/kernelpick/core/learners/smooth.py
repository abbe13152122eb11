"""OKS++, RF-OKS++: steps for smooth losses, that fall with the losses of all arms and of this one."""

import math
from typing import Any, NamedTuple, Self

from kernelpick.core.learners import learner
from kernelpick.core.learners.gradient import steps_down
from kernelpick.core.problem import Problem, smooth_bound
from kernelpick.core.rounds import Ledger


@learner("smooth", projects=True, needs_smooth=True)
@steps_down
class Smooth(NamedTuple):
    b: float  # (G C0)^(1/3) (U K)^(2/3)
    factor: float  # U^(4/3) / (sqrt(4/3) K^(1/6) (G C0)^(1/3))

    @classmethod
    def build(cls, problem: Problem) -> Self:
        curvature = problem.loss.smooth or 1.0
        lower = math.sqrt(4 / 3) * problem.arms ** (1 / 6) * curvature ** (1 / 3)
        return cls(smooth_bound(problem), problem.radius ** (4 / 3) / lower)

    @staticmethod
    def rate(learner: Any, ledger: Ledger, arm: int, m: int, gradient: float, margin: float) -> float:
        b = margin if margin > 0.0 else learner.b
        # max{b^3, 8 C}^(-1/6) = max{b, 2 C^(1/3)}^(-1/2), which can't overflow
        largest = max(b, 2.0 * ledger.total[0] ** (1.0 / 3.0))
        return learner.factor / math.sqrt(largest * (1.0 + ledger.losses[arm]))
