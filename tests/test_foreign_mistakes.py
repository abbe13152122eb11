"""Parts from outside that say too little, or something wrong, are refused in a sentence."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
import pytest

import kernelpick
from kernelpick.extend import NORMAL, Axes, Stationary, loss, plays_one, selector

X = np.random.default_rng(0).uniform(-1, 1, (20, 2))
ARMS = Annotated[np.ndarray, Axes("arms")]


def without_select():
    @selector("no-select")
    class Part(NamedTuple):
        p: ARMS
        build = classmethod(lambda cls, problem: cls(problem.uniform()))
        draw = appraise = staticmethod(lambda *args: 0)


def without_p():
    @selector("no-p")
    @plays_one
    class Part(NamedTuple):
        q: ARMS
        build = classmethod(lambda cls, problem: cls(problem.uniform()))
        select = staticmethod(lambda *args: False)


def without_fresh():
    @selector("no-fresh", restarts=True)
    @plays_one
    class Part(NamedTuple):
        p: ARMS
        build = classmethod(lambda cls, problem: cls(problem.uniform()))
        select = staticmethod(lambda *args: False)


def with_too_few_arguments():
    @selector("too-few")
    @plays_one
    class Part(NamedTuple):
        p: ARMS
        build = classmethod(lambda cls, problem: cls(problem.uniform()))
        select = staticmethod(lambda selector, cast: False)


def by_a_name_of_ours():
    @selector("exp3")
    @plays_one
    class Exp3(NamedTuple):
        p: ARMS
        build = classmethod(lambda cls, problem: cls(problem.uniform()))
        select = staticmethod(lambda *args: False)

    Exp3.__qualname__ = "Exp3"
    selector("exp3")(Exp3)


FACTS = {"classifies": False, "smooth": None, "lipschitz": lambda radius: 1.0, "largest": lambda radius: 1.0}


def loss_without_slope():
    @loss("part", **FACTS)
    class Part(NamedTuple):
        value = reach = staticmethod(lambda loss, f, y: 0.0)


def loss_that_is_not_declared():
    class Part(NamedTuple):
        value = slope = reach = staticmethod(lambda loss, f, y: 0.0)

    kernelpick.trace("oks", X, X[:, 0], loss=Part())


def loss_as_a_class():
    @loss("part", **FACTS)
    class Part(NamedTuple):
        value = slope = reach = staticmethod(lambda loss, f, y: 0.0)

    kernelpick.trace("oks", X, X[:, 0], loss=Part)


def loss_with_a_number(fact):
    def tried():
        @loss("part", **FACTS | {fact: 1.0})
        class Part(NamedTuple):
            value = slope = reach = staticmethod(lambda loss, f, y: 0.0)

    return tried


def loss_as_a_class_registered():
    @loss("part", **FACTS)
    class Part(NamedTuple):
        value = slope = reach = staticmethod(lambda loss, f, y: 0.0)

    kernelpick.register("part", Part)


def kernel(value=None, **more):
    def tried():
        own = dict(more) if value is None else {"value": staticmethod(value), **more}
        made = dataclass(frozen=True)(type("Part", (Stationary,), own))
        kernelpick.trace("oks", X, X[:, 0], loss="square", kernels=[made(1.0)])

    return tried


def kernel_that_is_no_dataclass():
    class Part(Stationary):
        alpha: float = 1.0
        value = staticmethod(lambda s: 1.0)

    kernelpick.trace("oks", X, X[:, 0], loss="square", kernels=[Part(1.0)])


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (without_select, "selector 'no-select' .* lacks the operations select; see docs/extend.md"),
        (without_p, "selector 'no-p' .* must have a field p"),
        (without_fresh, "selector 'no-fresh' .* must have a field fresh"),
        (
            with_too_few_arguments,
            r"select\(selector, cast\) can't take what it is given, \(selector, cast, count, trial",
        ),
        (by_a_name_of_ours, "There is a selector 'exp3' already"),
        (lambda: Axes("arm"), "An axis called 'arm' is not known: it can be arms, "),
        (loss_without_slope, r"The loss 'part' \(Part\) lacks the operations slope; see docs/extend.md"),
        (loss_that_is_not_declared, "is no loss: give a name, or a loss declared by @loss"),
        (lambda: kernelpick.trace("oks", X, X[:, 0], loss=3.0), "3.0 is no loss: give a name"),
        (loss_as_a_class, r"The loss Part is a class: give one of its values, such as Part\(\)"),
        (loss_as_a_class_registered, r"The loss Part is a class: give one of its values, such as Part\(\)"),
        (loss_with_a_number("lipschitz"), r"lipschitz must be a function of the radius, such as lambda radius: 1.0"),
        (loss_with_a_number("largest"), r"largest must be a function of the radius, such as lambda radius: 1.0"),
        (kernel(), r"The kernel Part has no value\(s, ...\): write how it is computed"),
        (kernel(lambda s, a: 1.0), "takes 1 numbers beside s, and a shape of 0"),
        (kernel(lambda s: 2.0), "is 2 for a point and itself; it must be normalised"),
        (kernel(lambda s: 1.0, spectrum=NORMAL), r"has a spectrum and so needs radial\(n, seed\)"),
        (kernel_that_is_no_dataclass, "must be decorated with @dataclass"),
    ],
)
def test_a_mistake_is_answered_by_a_sentence(mistake, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        mistake()
