"""Full information: all arms play, their weighted mean is the prediction, each pays for its own (Raker)."""

from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.parts import Axes, with_operations
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Cast, Ledger, Trial, enlist
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.appraisal import own_loss
from kernelpick.core.selectors.weights import soften


def plays_all(cls: Any) -> Any:
    """Add the operations of a selector whose arms all play, and share the prediction by their weights."""

    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        for i in range(len(selector.p)):
            enlist(cast, i, i, 1.0)
            cast.share[i] = selector.p[i]
        return len(selector.p)

    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        soften(ledger.losses, selector.eta, selector.p)
        return False

    cls.plays_all = True
    return with_operations(cls, draw, select)


# published: Raker divides by the first width, then by the second on top of that, and so on
@selector("hedge", uses_horizon=True, compounds_widths=True)
@plays_all
class Hedge(NamedTuple):
    eta: float
    largest: float  # lmax: costs are divided by it
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]

    @classmethod
    def build(cls, problem: Problem) -> Self:
        largest = 1.0 if problem.loss.name == "square" else 2.0
        return cls(problem.step_scale / problem.horizon**0.5, largest, problem.uniform())

    @staticmethod
    def appraise(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
        for j in range(count):
            costs[cast.arm[j]] = own_loss(trial, cast.arm[j]) / selector.largest
