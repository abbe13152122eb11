"""A discounted mixture: all arms play, and share the prediction by how well they did lately.

With L_i the losses of arm i, old ones fading by FADE a round, and n the rounds that count, its share is proportional to

    exp(-L_i)        for the logistic loss, whose sums are logarithms of likelihoods,
    L_i^(-n/2)       for all others: the likelihood of normal errors whose variance is the mean of L_i.

The first arms, those that forget nothing, are somebody else's predictions, which are among the inputs: they do not
learn (see online/memories.py).
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import Cast, Ledger, Trial, enlist
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.appraisal import own_loss

FADE = 0.997  # what a round leaves of the losses before it
MOST = 25.0  # a loss counts up to so many times the mean of the best arm, so that one wild target decides little
KNOWN = 16.0  # rounds after which that mean is known


@selector("discounted", plays_all=True, needs_forgetting=True)
class Discounted(NamedTuple):
    likely: bool  # losses are logarithms of likelihoods
    others: float  # how many arms do not learn
    p: Annotated[np.ndarray, Axes("arms", adds="own")]  # the shares in the next prediction
    sums: Annotated[np.ndarray, Axes("arms", adds="own")]  # L
    rounds: Annotated[np.ndarray, Axes(1, adds="own")]  # n

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """Before the first round the first arm speaks alone: the others know nothing."""
        p = np.zeros(problem.arms)
        p[0] = 1.0
        forgetting = np.broadcast_to(problem.forgetting, problem.arms)
        others = float(np.argmin(np.append(forgetting, 0.0) == 1.0))
        return cls(problem.loss.name == "logistic", others, p, np.zeros(problem.arms), np.zeros(1))

    def checked(self) -> None:
        """Refuse arrays that do not fit together."""
        if not (np.isfinite(self.p).all() and (self.p >= 0).all() and abs(self.p.sum() - 1.0) < 1e-6):
            raise ValueError("the shares in the prediction do not add up to 1")
        if not ((self.sums >= 0).all() and np.isfinite(self.sums).all() and 0 <= self.rounds[0] <= 1 / (1 - FADE) + 1):
            raise ValueError("the losses behind the shares are wrong")

    @staticmethod
    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        for i in range(len(selector.p)):
            enlist(cast, i, i, 1.0)
            cast.share[i] = selector.p[i]
        for i in range(int(selector.others)):
            cast.learns[i] = 0
        return len(selector.p)

    @staticmethod
    def appraise(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
        for j in range(count):
            costs[cast.arm[j]] = own_loss(trial, cast.arm[j])

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        p, sums, arms, n = selector.p, selector.sums, len(selector.p), selector.rounds[0]
        most = math.inf
        if not selector.likely and n > KNOWN:
            most = sums[0]
            for i in range(arms):
                most = min(most, sums[i])
            most = MOST * most / n if most > 0.0 else math.inf
        for i in range(arms):
            sums[i] = FADE * sums[i] + min(costs[i], most)
        selector.rounds[0] = n = FADE * n + 1.0
        top = -math.inf
        for i in range(arms):
            p[i] = -sums[i] if selector.likely else -0.5 * n * math.log(sums[i] + 1e-300)
            top = max(top, p[i])
        total = 0.0
        for i in range(arms):
            p[i] = math.exp(p[i] - top)
            total += p[i]
        for i in range(arms):
            p[i] /= total
        return False
