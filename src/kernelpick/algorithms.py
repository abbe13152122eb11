"""The table: an algorithm is a space x a learner x a selector; docs/algorithms.md has the formulas.

To add one, write its parts (or reuse those that are there) and a row.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .kernels import Kernel, Stationary
from .learners.adagrad import Adagrad, adagrad
from .learners.gradient import (
    Constant,
    Normalised,
    Reservoir,
    Ridge,
    Smooth,
    constant_step,
    reservoir_constants,
    smooth_constants,
)
from .learners.newton import Newton, newton
from .losses import ABSOLUTE, LOGISTIC, Loss
from .selectors.adaptive import Adaptive
from .selectors.exp3 import Exp3, exp3_rates
from .selectors.hedge import Hedge, LinearHedge
from .selectors.leader import Leader, leader, seats_for
from .selectors.tsallis import Tsallis, tsallis_rates

EXACT, SHARED, FEATURES, AUGMENTED = "exact", "shared", "features", "augmented"
GRADIENT = "gradient"
SPECTRAL = (FEATURES, AUGMENTED)  # spaces of random features
LARGEST_ORDER = 480  # of the matrices of "auto": what fits the time of a round
MOST_INPUTS = 1000  # "auto" with more inputs takes adagrad, whose rounds cost no matrix


class Problem(NamedTuple):
    """The numbers that the constants of the algorithms are made of."""

    arms: int
    outputs: int
    horizon: int
    radius: float
    loss: Loss
    published: bool
    step_scale: float
    budget: int
    inputs: int
    n_features: int
    hypotheses: float
    forgetting: float
    space: str

    @property
    def size(self) -> int:
        """Weights of one output of a hypothesis, where it is linear in random features."""
        return 2 * self.n_features + (1 + self.inputs if self.space == AUGMENTED else 0)


class Algorithm(NamedTuple):
    space: str
    learner: Callable[[Problem], Any]
    selector: Callable[[Problem], Any]
    projects: bool = False
    needs_smooth: bool = False
    uses_horizon: bool = True
    plays_all: bool = False  # full information: no arm is drawn
    large_step_losses: tuple[str, ...] = ()  # where the default step scale is 25 instead of 5
    compounds_widths: bool = False  # published: the widths in effect are the running products of those given
    leads: bool = False  # the selector is a leader with scouts
    fits: tuple[int, ...] = ()  # rounds at which estimators find scales and widths again and learn all rows anew
    has_memory: bool = False  # the learner holds more than rates, and no horizon changes it
    orthogonal: bool = False  # by default, whether the frequencies are


def _uniform(problem: Problem) -> np.ndarray:
    return np.full(problem.arms, 1 / problem.arms)


def _constant(problem: Problem) -> Constant:
    return Constant(constant_step(problem.arms, problem.horizon, problem.step_scale))


def _smooth(problem: Problem) -> Smooth:
    return Smooth(*smooth_constants(problem.arms, problem.radius, problem.loss.smooth or 1.0))


def _normalised(problem: Problem) -> Normalised:
    return Normalised(problem.radius / np.sqrt(2.0), np.zeros((problem.arms, problem.outputs)))


def _ridge(problem: Problem) -> Ridge:
    return Ridge(problem.step_scale / problem.horizon**0.5, 0.005 if problem.loss.classifies else 0.01)


def _reservoir(problem: Problem) -> Reservoir:
    absolute = problem.loss.code == ABSOLUTE
    step, decay = reservoir_constants(problem.loss.classifies, absolute, problem.budget, problem.horizon)
    return Reservoir(step, float(problem.budget), float(problem.horizon), decay)


def _exp3(problem: Problem) -> Exp3:
    return Exp3(*exp3_rates(problem.arms, problem.horizon), _uniform(problem), _uniform(problem))


def _adaptive(problem: Problem) -> Adaptive:
    b, _ = smooth_constants(problem.arms, problem.radius, problem.loss.smooth or 1.0)
    return Adaptive(b, float(np.log(problem.arms)), _uniform(problem), _uniform(problem), np.zeros(1))


def _tsallis(problem: Problem) -> Tsallis:
    """The published experiments take a = 8 and lmax = 1 where the theorem has 3/2 and the loss's own."""
    a, largest = (8.0, 1.0) if problem.published else (1.5, problem.loss.largest(problem.radius))
    lipschitz = problem.loss.lipschitz(problem.radius)
    rates = tsallis_rates(problem.arms, problem.horizon, problem.radius, lipschitz, largest, a)
    rho = np.full(problem.arms, 2.0 * problem.arms)
    return Tsallis(
        *rates, largest, _uniform(problem), _uniform(problem), np.ones(problem.arms), rho, np.zeros(problem.arms)
    )


def _hedge(problem: Problem) -> Hedge:
    largest = 1.0 if problem.loss.name == "square" else 2.0
    return Hedge(problem.step_scale / problem.horizon**0.5, largest, _uniform(problem))


def _linear_hedge(problem: Problem) -> LinearHedge:
    return LinearHedge(float(np.sqrt(8 * np.log(problem.arms) / problem.horizon)), _uniform(problem), np.ones(1))


def _adagrad(problem: Problem) -> Adagrad:
    return adagrad(problem.step_scale / 5, problem.n_features, problem.arms, problem.outputs, problem.size)


def _newton(problem: Problem) -> Newton:
    seats = problem.arms if problem.hypotheses == 0 else seats_for(problem.arms, problem.hypotheses)
    regression = not problem.loss.classifies
    return newton(problem.step_scale, problem.forgetting, regression, seats, problem.outputs, problem.size)


def _auto(problem: Problem) -> Newton | Adagrad:
    return _newton(problem) if problem.inputs <= MOST_INPUTS else _adagrad(problem)


def _leader(problem: Problem) -> Leader:
    return leader(problem.arms, problem.hypotheses)


OFTEN = ("logistic", "square")
PAPER = {
    "oks": Algorithm(EXACT, _constant, _exp3, large_step_losses=OFTEN),
    "oks++": Algorithm(EXACT, _smooth, _adaptive, projects=True, needs_smooth=True, uses_horizon=False),
    "ioks": Algorithm(EXACT, _normalised, _tsallis, projects=True),
    "rf-oks": Algorithm(FEATURES, _constant, _exp3, large_step_losses=OFTEN),
    "rf-oks++": Algorithm(FEATURES, _smooth, _adaptive, projects=True, needs_smooth=True, uses_horizon=False),
    "rf-ioks": Algorithm(FEATURES, _normalised, _tsallis, projects=True),
    "raker": Algorithm(FEATURES, _ridge, _hedge, plays_all=True, compounds_widths=True),
    "lkmbooks": Algorithm(SHARED, _reservoir, _linear_hedge, plays_all=True),
}
LEADER = Algorithm(AUGMENTED, _normalised, _leader, uses_horizon=False, leads=True, orthogonal=True)
WITH_LEARNERS = {name: row for name, row in PAPER.items() if row.space == FEATURES} | {"leader": LEADER}
ALGORITHMS = {
    **PAPER,
    "leader": LEADER,
    **{
        f"{name}-adagrad": row._replace(learner=_adagrad, projects=False, has_memory=True, large_step_losses=())
        for name, row in WITH_LEARNERS.items()
    },
    **{
        f"{name}-newton": row._replace(
            learner=_newton, projects=False, has_memory=True, needs_smooth=True, large_step_losses=()
        )
        for name, row in WITH_LEARNERS.items()
    },
    "auto": LEADER._replace(learner=_auto, has_memory=True, needs_smooth=True, fits=(8, 64, 512)),
}


def default_features(algorithm: str, n_inputs: int) -> int:
    """D where nobody has chosen one: 400, or for "auto" as many as keep the matrices at LARGEST_ORDER, at least 64."""
    if algorithm != "auto":
        return 400
    return max(64, min(256, (LARGEST_ORDER - 1 - n_inputs) // 16 * 8))


def has_matrices(algorithm: Algorithm, n_inputs: int) -> bool:
    """Whether its learner is newton."""
    return algorithm.learner is _newton or (algorithm.learner is _auto and n_inputs <= MOST_INPUTS)


def learner_name(learner: Any) -> str:
    """The axis of the composition that a learner belongs to."""
    return {Newton: "newton", Adagrad: "adagrad"}.get(type(learner), GRADIENT)


def follows_margin(algorithm: Algorithm, loss: Loss, published: bool) -> bool:
    """The published OKS++ with logistic loss replaces b by exp(-y f) of the round."""
    return published and algorithm.selector is _adaptive and loss.code == LOGISTIC


def kernels_in_effect(algorithm: Algorithm, kernels: tuple[Kernel, ...], published: bool) -> tuple[Kernel, ...]:
    """The published Raker divides by the first width, then by the second on top of that, and so on."""
    if not (published and algorithm.compounds_widths):
        return kernels
    stationary = [kernel for kernel in kernels if isinstance(kernel, Stationary)]
    widths = np.cumprod([kernel.width for kernel in stationary])
    return tuple(replace(kernel, width=float(width)) for kernel, width in zip(stationary, widths, strict=True))
