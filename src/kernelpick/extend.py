"""What parts of your own are made of: one import for a loss, kernel, selector, learner or space (docs/extend.md).

>>> from kernelpick.extend import Axes, Problem, plays_one, selector
"""

from kernelpick.core.algorithms import Algorithm, register
from kernelpick.core.companions import companion, done_at_once
from kernelpick.core.kernels.contract import ABSOLUTE, PRODUCT, SQUARED, Kernel, Stationary
from kernelpick.core.kernels.frequencies import CAUCHY, NORMAL, Spectrum
from kernelpick.core.learners import always, learner
from kernelpick.core.learners.gradient import steps_down
from kernelpick.core.losses import parabola, reach, slope, value
from kernelpick.core.losses.contract import loss
from kernelpick.core.numerics.compilation import fma, inner, making
from kernelpick.core.numerics.elementary import exponential
from kernelpick.core.numerics.products import dot
from kernelpick.core.numerics.rng import normals, uniforms
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Cast, Ledger, Lesson, Trial, enlist
from kernelpick.core.selectors import selector
from kernelpick.core.selectors.appraisal import for_what_was_said, loss_of_what_was_said, own_loss
from kernelpick.core.selectors.bandit import plays_one
from kernelpick.core.selectors.hedge import plays_all
from kernelpick.core.selectors.weights import explore, pick, soften
from kernelpick.core.spaces import coordinates, evaluate, self_kernel, space, squared_norm, step
from kernelpick.core.spaces.weights import holds_weights

__all__ = [
    "ABSOLUTE",
    "CAUCHY",
    "NORMAL",
    "PRODUCT",
    "SQUARED",
    "Algorithm",
    "At",
    "Axes",
    "Cast",
    "Kernel",
    "Ledger",
    "Lesson",
    "Problem",
    "Spectrum",
    "Stationary",
    "Trial",
    "always",
    "companion",
    "coordinates",
    "done_at_once",
    "dot",
    "enlist",
    "evaluate",
    "explore",
    "exponential",
    "fma",
    "for_what_was_said",
    "holds_weights",
    "inner",
    "learner", "loss",
    "loss_of_what_was_said",
    "making",
    "normals",
    "own_loss",
    "parabola",
    "pick",
    "plays_all",
    "plays_one",
    "reach",
    "register",
    "selector",
    "self_kernel",
    "slope",
    "soften",
    "space",
    "squared_norm",
    "step",
    "steps_down",
    "uniforms",
    "value",
]  # fmt: skip
