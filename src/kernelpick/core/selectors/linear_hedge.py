"""Full information, and each arm pays by the slope of the loss at the common prediction (LKMBooks)."""

from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.losses import slope
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Cast, Trial
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.hedge import plays_all


@selector("linear-hedge", uses_horizon=True)
@plays_all
class LinearHedge(NamedTuple):
    eta: float
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]
    span: Annotated[np.ndarray, Axes(1, fresh=1.0, adds="most")]  # S: the largest difference of two arms, at least 1

    @classmethod
    def build(cls, problem: Problem) -> Self:
        return cls(float(np.sqrt(8 * np.log(problem.arms) / problem.horizon)), problem.uniform(), np.ones(1))

    @staticmethod
    def appraise(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
        """costs_i = g (f_i - r)/S, with r the value of the arm that the slope g favours, so that it costs nothing."""
        values, widest = trial.values, selector.span[0]
        for i in range(count):
            costs[i] = 0.0
        for m in range(len(trial.truth)):
            g = slope(trial.loss, trial.said[m], trial.truth[m])
            lowest, highest = values[0, m], values[0, m]
            for i in range(count):
                lowest, highest = min(lowest, values[i, m]), max(highest, values[i, m])
            best = lowest if g > 0.0 else highest
            for i in range(count):
                costs[i] += g * (values[i, m] - best) / selector.span[0]
            widest = max(widest, highest - lowest)
        selector.span[0] = widest
