"""What follows from the description of a part: shapes, growth, restarts, what is saved and what is refused.

Each test goes over all rows of the table, so that a part that is added there is covered without a line here.
"""

from dataclasses import replace

import numpy as np
import pytest
from problems import loss_for
from states import copied, restored

from kernelpick import Algorithm, Gaussian, core
from kernelpick.core import shards
from kernelpick.core.algorithms import MEMORIES, OURS
from kernelpick.core.growth import remap_outputs, widen_inputs
from kernelpick.core.learners.optimistic_exact import OptimisticExact
from kernelpick.core.numerics.panels import padded
from kernelpick.core.numerics.registers import LANES
from kernelpick.core.parts import PARTS, arrays_of
from kernelpick.core.state import start_afresh

KINDS = ("space", "learner", "selector")
OUR_PARTS = {
    kind: {name: cls for name, cls in PARTS[kind].items() if cls.__module__.startswith("kernelpick.")} for kind in KINDS
}
KERNELS = tuple(Gaussian(width) for width in np.geomspace(0.2, 8, 12))  # more than seats
RNG = np.random.default_rng(5)
X, MORE = RNG.uniform(-1, 1, (170, 4)), RNG.uniform(-1, 1, (40, 4))
Y = np.sign(np.column_stack([X[:, 0], X[:, 1] - 0.2, X[:, 2] * X[:, 3]]))


def specification(algorithm):
    """Every length is another number: 12 arms, at most 8 seats, 3 outputs, 4 inputs, 5 frequencies."""
    loss = loss_for(algorithm, "logistic") if isinstance(algorithm, str) else "logistic"
    return core.Specification(algorithm, loss, 4, KERNELS, n_outputs=3, n_features=5, budget=30, random_state=1)


def learned(spec):
    return core.advance_in_place(spec, core.start(spec), X, Y)[0]


def assert_shapes(spec, state):
    problem = spec.problem(1)
    lengths = problem.lengths(padded(problem.weights))
    for kind in KINDS:
        part = getattr(state, kind)
        pools = set()
        for name, (array, axes) in arrays_of(part).items():
            assert array.ndim == len(axes.axes), name
            assert array.flags.c_contiguous, name
            for length, axis in zip(array.shape, axes.axes, strict=True):
                expected = lengths.get(axis, length) if isinstance(axis, str) else axis
                assert length == expected, f"{kind}.{name}: {axis} is {length}, not {expected}"
                if axis == "pool":
                    pools.add(length)
                if axis == "panels":
                    assert length * LANES == lengths["order"]
        assert len(pools) <= 1


def test_every_part_is_in_a_row():
    for kind in KINDS:
        used = {getattr(row, kind) for row in (*OURS.values(), MEMORIES)}
        used |= {row.beyond for row in OURS.values() if row.beyond} if kind == "learner" else set()
        used |= {OUR_PARTS[kind][cls.structured] for cls in used if cls.structured} if kind == "space" else set()
        assert set(OUR_PARTS[kind].values()) == used


@pytest.mark.parametrize("algorithm", OURS)
def test_arrays_have_the_axes_that_they_say(algorithm):
    spec = specification(algorithm)
    assert len(set(spec.problem(1).lengths(padded(spec.problem(1).weights)).values())) >= 5
    assert_shapes(spec, core.start(spec))
    assert_shapes(spec, learned(spec))


@pytest.mark.parametrize("algorithm", OURS)
def test_more_outputs_keep_what_was_learned(algorithm):
    spec = specification(algorithm)
    state = learned(spec)
    before = core.values(spec, state, MORE)
    wider = replace(spec, n_outputs=5)
    grown = remap_outputs(core.copy(state), [2, 0, -1, 1, -1], [1.0, -1.0, 1.0, 1.0, 1.0])
    assert_shapes(wider, grown)
    after = core.values(wider, grown, MORE)
    assert np.abs(before).max() > 0
    assert np.array_equal(after[:, :, [0, 1, 3]], before[:, :, [2, 0, 1]] * [1.0, -1.0, 1.0])
    assert (after[:, :, [2, 4]] == 0).all()
    labels = np.sign(MORE[:, [2, 0, 3, 1, 0]])
    grown, outcome = core.advance_in_place(wider, grown, MORE, labels)
    assert outcome.diverged is None and grown.rounds == len(X) + len(MORE)
    assert_shapes(wider, grown)


@pytest.mark.parametrize("algorithm", OURS)
def test_more_inputs_keep_what_was_learned(algorithm):
    spec = specification(algorithm)
    state = learned(spec)
    wider = replace(spec, n_inputs=13)  # so many that the order of newton's matrices is another one
    grown = widen_inputs(wider, core.copy(state))
    assert_shapes(wider, grown)
    padded_rows = np.hstack([MORE, np.zeros((len(MORE), 9))])
    before, after = core.values(spec, state, MORE), core.values(wider, grown, padded_rows)
    assert np.abs(before).max() > 0
    assert np.allclose(after, before, rtol=1e-12, atol=1e-13)
    padded_rows[:, 4:] = RNG.normal(size=(len(MORE), 9))
    grown, outcome = core.advance_in_place(wider, grown, padded_rows, Y[: len(MORE)])
    assert outcome.diverged is None
    assert_shapes(wider, grown)


RESTARTED = [
    (space, learner, selector)
    for space, space_row in OUR_PARTS["space"].items()
    for learner, learner_row in OUR_PARTS["learner"].items()
    for selector, selector_row in OUR_PARTS["selector"].items()
    if selector_row.restarts and space_row.restarts and learner_row.restarts
    if space_row.linear or not learner_row.linear
]


@pytest.mark.parametrize(("space", "learner", "selector"), RESTARTED)
def test_a_restart_makes_a_hypothesis_as_it_was_before_the_first_row(space, learner, selector):
    """Fault 2: of the gradient learners only Normalised had a restart, and the leader needs one."""
    spec = specification(Algorithm(space, learner, selector))
    fresh, state = core.start(spec), core.start(spec)
    own = {
        (part, name): axes.axes[0]
        for part in ("space", "learner")
        for name, (_, axes) in arrays_of(getattr(state, part)).items()
        if axes.axes[0] in ("arms", "seats") and not axes.given
    }
    for part, name in own:
        getattr(getattr(state, part), name)[...] = 7  # as if something had been learned
    arms = np.flatnonzero([state.seat(arm) >= 0 for arm in range(len(KERNELS))])[1::2]
    state.selector.fresh[arms] = 1
    start_afresh(state)
    assert not state.selector.fresh.any() and own
    for (part, name), axis in own.items():
        array, built = getattr(getattr(state, part), name), getattr(getattr(fresh, part), name)
        places = arms if axis == "arms" else [state.seat(arm) for arm in arms]
        assert np.array_equal(array[places], built[places]), name
        assert (np.delete(array, places, axis=0) == 7).all(), name


@pytest.mark.parametrize("algorithm", OURS)
def test_what_is_saved_is_the_whole_state(algorithm):
    spec = specification(algorithm)
    state = learned(spec)
    saved = copied(state)
    again = restored(spec, saved)
    assert all(np.array_equal(array, saved[name]) for name, array in copied(again).items())
    ends = [core.advance_in_place(spec, one, MORE, Y[: len(MORE)]) for one in (state, again)]
    assert np.array_equal(ends[0][1].record, ends[1][1].record, equal_nan=True)
    one, other = (copied(end) for end, _ in ends)
    assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("algorithm", OURS)
def test_arrays_of_other_lengths_or_types_are_refused(algorithm):
    spec = specification(algorithm)
    saved = copied(learned(spec))
    for name, array in saved.items():
        with pytest.raises(KeyError):
            restored(spec, {other: saved[other] for other in saved if other != name})
        for axis in range(array.ndim):
            for longer in (np.concatenate([array, array], axis), array.take(range(array.shape[axis] - 1), axis)):
                with pytest.raises(ValueError, match=r"is|differ"):
                    restored(spec, saved | {name: longer})
        for other in (array[None], array.astype(np.float32)):
            with pytest.raises(ValueError, match=r"is|differ"):
                restored(spec, saved | {name: other})


@pytest.mark.parametrize("algorithm", OURS)
def test_shards_are_added_up_or_refused_in_a_sentence(algorithm):
    spec = specification(algorithm)
    one = learned(spec)
    other = core.advance_in_place(spec, core.start(spec), MORE, Y[: len(MORE)])[0]
    if isinstance(one.learner, OptimisticExact):  # does not say how
        with pytest.raises(ValueError, match=r"can't be"):
            shards.added(spec, [one, other])
        return
    both = shards.added(spec, [one, other])
    assert both.rounds == len(X) + len(MORE) and np.allclose(both.ledger, one.ledger + other.ledger)
    assert_shapes(spec, both)
    again = restored(spec, copied(both))  # every index that compiled code follows is sound
    core.advance_in_place(spec, again, MORE, Y[: len(MORE)])
    share = len(X) / (len(X) + len(MORE))
    for kind in KINDS:
        for name, (array, axes) in arrays_of(getattr(both, kind)).items():
            if axes.given or axes.adds == "own" or (name == "weights" and hasattr(both.learner, "added")):
                continue  # see test_shards.py
            a, b = getattr(getattr(one, kind), name), getattr(getattr(other, kind), name)
            ways = {"sum": a + b, "mean": share * a + (1 - share) * b, "same": a}
            ways |= {"least": np.minimum(a, b), "most": np.maximum(a, b)}
            expected = (
                np.where(both.selector.seat >= 0, ways[axes.adds], 0.0) if name == "evidence" else ways[axes.adds]
            )
            assert np.allclose(array, expected), name
