"""Parts of one type in compiled code: what is handed over, what becomes of it there, and that nobody else notices."""

import copy
import pickle
from typing import Annotated, Any, NamedTuple

import numba
import numpy as np
import pytest
from problems import stream

import kernelpick
from kernelpick import core
from kernelpick.core import unions
from kernelpick.core.algorithms import MEMORIES, PAPER
from kernelpick.core.learners.constant import Constant
from kernelpick.core.loop import play
from kernelpick.core.numerics.compilation import JIT, inner, operation
from kernelpick.core.parts import Axes
from kernelpick.core.specification import Specification
from kernelpick.core.unions import packed, union

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]


class Slow(NamedTuple):
    step: float
    seen: Annotated[np.ndarray, Axes("arms")]
    own: Annotated[np.ndarray, Axes("arms")]

    @staticmethod
    def move(part: Any, by: float) -> float:
        return part.step * by + part.own[0]


class Fast(NamedTuple):
    other: Annotated[np.ndarray, Axes("arms")]
    factor: float
    step: float
    table: Annotated[np.ndarray, Axes("arms", "outputs")]
    seen: Annotated[np.ndarray, Axes("arms")]

    @staticmethod
    def move(part: Any, by: float) -> float:
        part.seen[0] += 1.0
        return part.factor * part.step * by + part.other[0] + part.table[0, 0]


class Slower(Slow):
    """The code of the other, but another member."""

    __slots__ = ()


@operation
def move(part: Any, by: float) -> float:
    """By how much."""


@inner
def moved_within(part, by):
    return move(unions.opened(part), by)


@numba.njit
def moved(part, by):
    return moved_within(part, by)


def opened(part):
    """As compiled code sees it; opening a record is a plain function of Python, too."""
    record = packed(part)
    return record, type(record).opened(record)


@pytest.fixture
def three(monkeypatch):
    monkeypatch.setattr(unions, "_pack", {})
    yield union("Three", [Slow, Fast, Slower], ["move"])
    for name in ("Three", "ThreeOpened"):
        delattr(unions, name)


def members():
    fast = Fast(np.full(2, 3.0), 4.0, 0.25, np.ones((2, 2)), np.zeros(2))
    return Slow(0.5, np.ones(3), np.full(3, 2.0)), fast, Slower(0.75, np.ones(3), np.full(3, 5.0))


def test_fields_that_no_member_has_together_share_a_place(three):
    assert three._fields == ("numbers", "array_0_of_1", "array_1_of_1", "array_0_of_2")


def test_operations_are_those_of_the_member(three):
    parts = members()
    assert [moved(packed(part), 8.0) for part in parts] == [0.5 * 8 + 2, 4 * 0.25 * 8 + 3 + 1, 0.75 * 8 + 5]
    assert parts[1].seen[0] == 1.0  # the arrays are those of the part
    assert not JIT or len(moved.signatures) == 1


def test_a_member_is_found_again_by_the_names_of_its_fields(three):
    for number, part in enumerate(members()):
        record, seen = opened(part)
        assert type(record) is three and seen.member == number
        for name, value in part._asdict().items():
            found = getattr(seen, name)
            assert found is value if isinstance(value, np.ndarray) else (type(found), found) == (float, value)
        assert [array.dtype for array in record] == 4 * [np.dtype(float)]


@pytest.mark.parametrize("name", PAPER)
def test_parts_of_the_paper_are_handed_over_whole(name):
    state = core.start(Specification(name, "square", 2, n_features=3))
    assert_handed_over_whole(state.learner, state.selector)


def test_both_selectors_of_auto_are_one_type():
    leader, mixture = (
        core.start(Specification(name, "square", 2, n_features=3, forgetting=0.99)).selector
        for name in ("auto", MEMORIES)
    )
    assert_handed_over_whole(leader, mixture)
    assert numba.typeof(packed(leader)) == numba.typeof(packed(mixture))


def assert_handed_over_whole(*parts):
    for part in parts:
        _, seen = opened(part)
        for field, value in part._asdict().items():
            assert np.array_equal(getattr(seen, field), value)


def test_what_is_in_no_union_is_handed_over_as_it_is():
    class Derived(Constant):
        __slots__ = ()

    for part in (Derived(0.5), Slow(0.5, np.ones(1), np.ones(1))):
        assert packed(part) is part and unions.opened(part) is part


def test_the_algorithms_of_the_paper_are_two_compiled_loops():
    """Every algorithm was a loop of its own, of four seconds."""
    X, y, *_ = stream("square", 20)

    def loops() -> int:
        return len(getattr(play, "signatures", []))

    for name in ("oks", "rf-oks"):
        kernelpick.trace(name, X, y, loss="square", step_scale=0.1)
    before = loops()
    for name in PAPER:
        kernelpick.trace(name, X, y, loss="square", step_scale=0.1)
    assert loops() == before and (before > 0) == JIT


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copy_of_a_state_goes_on_by_itself(copied):
    """What is made for compiled code belongs to one state; a copy makes its own, from its own arrays."""
    X, y, *_ = stream("square", 40)
    spec = Specification("rf-ioks", "square", X.shape[1], n_features=4)
    state, _ = core.advance_in_place(spec, core.start(spec), X[:20], y[:20, None])
    before = core.copy(state)
    other = copied(state)
    assert other.__dict__ == {} and type(other) is core.State
    _, outcome = core.advance(spec, before, X[20:], y[20:, None])
    _, again = core.advance_in_place(spec, other, X[20:], y[20:, None])
    assert np.array_equal(outcome.record, again.record)
    shares = copied is copy.copy
    assert (state.rounds, other.rounds) == ((40, 40) if shares else (20, 40))
    assert np.array_equal(state.learner.gradients, other.learner.gradients) == shares
