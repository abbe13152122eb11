"""Nothing falls through to a default: what says too little is refused in a sentence, before anything is computed."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import pytest

import kernelpick
from kernelpick import Gaussian, KernelRegressor, Polynomial, Stationary
from kernelpick.core.kernels import KERNELS
from kernelpick.core.learners import learner
from kernelpick.core.losses.contract import loss
from kernelpick.core.losses.square import Square
from kernelpick.core.parts import PARTS, Axes
from kernelpick.core.selectors import selector
from kernelpick.core.specification import Specification

X, Y = np.random.default_rng(0).normal(size=(9, 2)), np.zeros(9)


@dataclass(frozen=True)
class Silent(Stationary):
    """Says nothing: it was computed as Matern 5/2 in the exact space, as Gaussian in features."""


@dataclass(frozen=True)
class Heir(Gaussian):
    """Says no more than the Gaussian that it is not."""


@dataclass(frozen=True)
class Half(Gaussian):
    """Says how it is computed, and has the random features of another kernel."""

    @staticmethod
    def value(s: float) -> float:
        return 1.0 / (1.0 + s)


@dataclass(frozen=True)
class Own(Stationary):
    """All that an exact space needs."""

    spectrum: ClassVar[Any] = None

    @staticmethod
    def value(s: float) -> float:
        return 1.0 / (1.0 + s)


@pytest.mark.parametrize("kernel", [Silent, Heir])
@pytest.mark.parametrize("algorithm", ["oks++", "lkmbooks", "rf-oks++", "leader"])
def test_a_kernel_without_a_value_of_its_own(algorithm, kernel):
    """Fault 3."""
    with pytest.raises(ValueError, match=rf"{kernel.__name__} has no value\(s, ...\)"):
        kernelpick.trace(algorithm, X, Y, loss="square", kernels=[kernel(1.0)])
    with pytest.raises(ValueError, match="has no value"):
        kernelpick.register("silent", kernel)
    with pytest.raises(ValueError, match="has no value"):
        kernel(1.0)(X, X)
    assert "silent" not in KERNELS


def test_a_kernel_with_the_features_of_another_one():
    """Fault 3, in features."""
    with pytest.raises(ValueError, match=r"Half .* spectrum"):
        kernelpick.trace("rf-oks++", X, Y, loss="square", kernels=[Half(1.0)])
    with pytest.raises(ValueError, match="no random features"):
        kernelpick.trace("rf-oks++", X, Y, loss="square", kernels=[Own(1.0)])


def test_a_kernel_without_a_name_is_not_saved(tmp_path):
    """Fault 3: save took it, and load did not."""
    with pytest.raises(ValueError, match=r"Own has no name to be saved by: kernelpick\.register\(name, Own\)"):
        KernelRegressor("oks", kernels=[Own(1.0)]).save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


OPERATIONS = ("value", "slope", "reach", "parabola")
BOUNDS = {"lipschitz": lambda radius: 1.0, "largest": lambda radius: radius + 1}


@pytest.mark.parametrize("missing", OPERATIONS)
def test_a_loss_without_an_operation(missing):
    """Fault 3: it was computed as hinge."""

    class Mine(NamedTuple):
        nothing: float = 0.0

    for name in OPERATIONS:
        if name != missing:
            setattr(Mine, name, staticmethod(getattr(Square, name)))
    with pytest.raises(TypeError, match=rf"The loss 'mine' \(Mine\) lacks the operations {missing}"):
        loss("mine", classifies=False, smooth=4.0, **BOUNDS)(Mine)
    with pytest.raises(ValueError, match="loss"):
        kernelpick.trace("rf-oks", X, Y, loss=Mine())


class Nothing(NamedTuple):
    factor: float = 1.0

    @classmethod
    def build(cls, problem):
        return cls()


class Reused(NamedTuple):
    """A fact of that name would hide the field from compiled code."""

    numbers: float = 1.0

    @classmethod
    def build(cls, problem):
        return cls()


class Unsaid(Nothing):
    pass


def test_a_part_that_says_too_little():
    known = {kind: dict(parts) for kind, parts in PARTS.items()}
    with pytest.raises(TypeError, match=r"'mine' \(Nothing\) lacks the operations notes, answer, improve"):
        learner("mine")(Nothing)
    with pytest.raises(TypeError, match=r"'mine' says fast, which is no fact"):
        selector("mine", fast=True)(Nothing)
    with pytest.raises(TypeError, match=r"'mine' \(Reused\) has a field numbers, which is the name of a fact"):
        learner("mine")(Reused)
    with pytest.raises(TypeError, match=r"must be a NamedTuple"):
        learner("mine")(object)
    with pytest.raises(ValueError, match="An axis called 'kernels' is not known"):
        Axes("kernels")
    with pytest.raises(ValueError, match="adds='twice' is none of"):
        Axes("arms", adds="twice")
    assert known == PARTS


def test_arrays_whose_axes_are_not_told():
    class Mine(NamedTuple):
        p: np.ndarray
        q: Annotated[np.ndarray, Axes("arms")]

        @classmethod
        def build(cls, problem):
            return cls(problem.uniform(), problem.uniform())

        draw = appraise = select = staticmethod(lambda *arguments: 0)

    with pytest.raises(TypeError, match="the axes of p are not told"):
        selector("mine")(Mine)


@pytest.mark.parametrize(
    ("space", "learner", "selector", "words"),
    [
        ("exact", "newton", "exp3", "works on features, and the space 'exact' has none"),
        ("exact", "normalised", "leader", "start afresh, and the space 'exact' can't"),
        ("features", "optimistic", "leader", "start afresh, and the learner 'optimistic' can't"),
        ("exact", "optimistic", "green", "works on features, and the space 'exact' has none"),
        ("features", "optimistic-exact", "green", "works on the space 'roomy', not on 'features'"),
        ("shared", "normalised", "green", "first player of a round alone learn, which 'green' forbids"),
        ("feature", "newton", "exp3", "'feature' is no space"),
        ("features", object, "exp3", "is no learner"),
    ],
)
def test_parts_that_do_not_go_together(space, learner, selector, words):
    with pytest.raises(ValueError, match=words):
        kernelpick.Algorithm(space, learner, selector)


def test_a_mixture_that_forgets_needs_an_arm_that_forgets():
    """It takes the first arms, as long as they forget nothing, for somebody else's predictions: nobody learned."""
    mixture = kernelpick.Algorithm("features", "newton", "discounted")
    for options in ({}, {"forgetting": 1.0}, {"forgetting": (1.0, 1.0), "widths": [1.0, 2.0]}):
        with pytest.raises(ValueError, match="set forgetting below 1"):
            kernelpick.trace(mixture, X, Y, loss="square", **options)
    with pytest.raises(ValueError, match="set forgetting below 1"):
        KernelRegressor(mixture).partial_fit(X, Y)
    for forgetting in (0.99, (1.0, 0.99)):  # a first arm that forgets nothing stands for the leader of "auto"
        assert Specification(mixture, "square", 2, (Gaussian(1.0), Gaussian(2.0)), forgetting=forgetting).row == mixture


def test_published_settings_multiply_widths_so_that_kernels_need_them():
    """They were left out, and one kernel played."""
    exact, kernels = kernelpick.Algorithm("exact", "ridge", "hedge"), [Polynomial(2, 1.0), Gaussian(1.0)]
    with pytest.raises(ValueError, match=r"without a width: Polynomial\(.*\)\. Leave them out"):
        kernelpick.trace(exact, X, Y, loss="square", kernels=kernels, settings="published")
    for algorithm, settings in ((exact, "paper"), ("oks++", "published")):
        assert Specification(algorithm, "square", 2, tuple(kernels), settings=settings).problem(9).arms == 2
    assert Specification(exact, "square", 2, settings="published").problem(9).kernels[1] == Gaussian(0.125)
