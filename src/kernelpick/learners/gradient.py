"""Gradient steps: the five step sizes of the paper's algorithms and of their baselines."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import inner
from ..losses import reach, slope
from ..spaces import clear, evaluate, learn, self_kernel
from . import accepts, answer, improve, notes, penalty, plain, rate, restart, shrinkage


class Constant(NamedTuple):
    """OKS: the same step in all rounds."""

    step: float


class Smooth(NamedTuple):
    """OKS++: steps for smooth losses, that fall with the losses of all arms and of this one."""

    b: float  # (G C0)^(1/3) (U K)^(2/3)
    scale: float  # U^(4/3) / (sqrt(4/3) K^(1/6) (G C0)^(1/3))


class Normalised(NamedTuple):
    """IOKS: steps that fall with the squared gradients of this arm."""

    scale: float  # U / sqrt(2)
    gradients: np.ndarray  # (K, M) sums of squared gradient norms


class Ridge(NamedTuple):
    """Raker: constant steps on the loss plus m |w|^2."""

    step: float
    weight: float  # m


class Reservoir(NamedTuple):
    """LKMBooks: a round is used with a falling probability h, and its step is divided by h."""

    step: float
    budget: float
    horizon: float
    decay: float  # n


def constant_step(arms: int, horizon: int, scale: float) -> float:
    """lambda of OKS, with G = 1."""
    return scale * math.sqrt(min(1.0, (arms / horizon) ** (1 / 3)) / (arms * horizon))


def smooth_constants(arms: int, radius: float, curvature: float) -> tuple[float, float]:
    """b and the constant part of lambda of OKS++; curvature is C0, and G = 1."""
    b = curvature ** (1 / 3) * (radius * arms) ** (2 / 3)
    return b, radius ** (4 / 3) / (math.sqrt(4 / 3) * arms ** (1 / 6) * curvature ** (1 / 3))


def reservoir_constants(classifies: bool, absolute: bool, budget: int, horizon: int) -> tuple[float, float]:
    """lambda and n of LKMBooks."""
    if classifies:
        return 10 / math.sqrt(horizon), 1 / 7
    n = 1 / 5 if absolute else 1 / 4
    return math.sqrt((1 + n) * budget) / (math.sqrt(1 - n) * horizon), n


def steps_down(cls: type) -> None:
    """Register what gradient learners have in common: hypothesis <- hypothesis - rate * slope / p * kernel(x, .)."""

    @notes.register(cls)
    def _notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        return np.empty(outputs)

    @answer.register(cls)
    def _answer(
        learner: Any, notes: Any, space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, seat: int,
        expected: float, values: np.ndarray,
    ) -> None:  # fmt: skip
        evaluate(space, work, X, row, slot, arm, expected, values)

    @improve.register(cls)
    def _improve(
        learner: Any, notes: Any, space: Any, work: Any, ledger: Any, X: np.ndarray, Y: np.ndarray, row: int, slot: int,
        arm: int, seat: int, loss: int, at: np.ndarray, values: np.ndarray, weight: float, p: float, margin: float,
        capped: bool,
    ) -> None:  # fmt: skip
        itself, t = self_kernel(space, X, row, arm), ledger.clock[0]
        for m in range(len(at)):
            gradient = weight * slope(loss, at[m], Y[row, m]) / p
            step = gradient * rate(learner, ledger, arm, m, t, gradient * math.sqrt(itself), margin)
            if capped and itself > 0.0:
                furthest = reach(loss, at[m], Y[row, m]) / itself
                step = min(max(step, -furthest), furthest)
            notes[m] = step
        learn(space, work, X, row, slot, arm, values, notes, shrinkage(learner))


for cls in (Constant, Smooth, Normalised, Ridge, Reservoir):
    steps_down(cls)
plain(Constant)
plain(Smooth)
plain(Normalised)
plain(Ridge, unregularised=False)
plain(Reservoir, always=False)


@restart.register(Normalised)
def _restart(learner: Any, space: Any, arm: int, seat: int) -> None:
    clear(space, arm)
    for m in range(learner.gradients.shape[1]):
        learner.gradients[arm, m] = 0.0


@rate.register(Constant)
def _constant(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    return learner.step


@rate.register(Smooth)
def _smooth(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    b = margin if margin > 0.0 else learner.b
    # max{b^3, 8 C}^(-1/6) = max{b, 2 C^(1/3)}^(-1/2), which can't overflow
    largest = max(b, 2.0 * ledger.total[0] ** (1.0 / 3.0))
    return learner.scale / math.sqrt(largest * (1.0 + ledger.losses[arm]))


@rate.register(Normalised)
def _normalised(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    learner.gradients[arm, m] += gradient * gradient
    return learner.scale / math.sqrt(1.0 + learner.gradients[arm, m])


@rate.register(Ridge)
def _ridge(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    return learner.step


@shrinkage.register(Ridge)
def _ridge_shrinkage(learner: Any) -> float:
    return 1.0 - 2.0 * learner.step * learner.weight


@penalty.register(Ridge)
def _ridge_penalty(learner: Any) -> float:
    return learner.weight


@inner
def _chance(budget: float, horizon: float, decay: float, t: int) -> float:
    """h: the probability that round t is used."""
    return min(1.0, budget / ((1.0 - decay) * horizon ** (1.0 - decay) * t**decay))


@accepts.register(Reservoir)
def _reservoir_accepts(learner: Any, t: int, u: float) -> bool:
    return u < _chance(learner.budget, learner.horizon, learner.decay, t)


@rate.register(Reservoir)
def _reservoir(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    return learner.step / _chance(learner.budget, learner.horizon, learner.decay, t)
