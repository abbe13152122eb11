"""However a stream is cut into calls, and saved and loaded in between, the same bits come out."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import ALGORITHMS, loss_for, stream, with_a_change
from states import arrays, copied, restored

from kernelpick import Cauchy, Gaussian, Laplacian, Linear, Matern52, core
from kernelpick.core import Specification
from kernelpick.core.algorithms import OURS

ROWS = 300
OTHER_LEARNERS = ("rf-oks++-newton", "raker-newton", "rf-ioks-adagrad", "leader", "leader-adagrad", "leader-newton")
TWO_A_ROUND = ("bao2ks", "rf-bao2ks")
ALL = ALGORITHMS + OTHER_LEARNERS + TWO_A_ROUND


def spec_for(algorithm, horizon, loss="logistic", outputs=1, n_features=37):
    exact = not OURS[algorithm].space.spectral
    kernels = (Gaussian(0.3), Laplacian(1.0), Gaussian(1.0), Matern52(2.0), Cauchy(1.0), *([Linear()] if exact else []))
    return Specification(
        algorithm, loss, 6, kernels, n_features=n_features, budget=60, horizon=horizon, n_outputs=outputs,
        random_state=4,
    )  # fmt: skip


def data(loss, outputs=1, large=False):
    X, y, *_ = stream(loss, ROWS, inputs=6)
    X[np.random.default_rng(1).random(X.shape) < 0.4] = 0
    if large:
        X[::7] *= 40
    return X, np.column_stack([np.roll(y, shift) for shift in range(outputs)])


def through_a_file(spec, state):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays(state))
    buffer.seek(0)
    with np.load(buffer, allow_pickle=False) as saved:
        return restored(spec, dict(saved))


def assert_cut(spec, X, Y, cuts, save_at):
    whole_state, whole = core.advance_in_place(spec, core.start(spec), X, Y)
    state, parts = core.start(spec), []
    for number, (a, b) in enumerate(zip([0, *cuts], [*cuts, len(X)], strict=True)):
        if number == save_at:
            state = through_a_file(spec, state)
        state, part = core.advance_in_place(spec, state, X[a:b], Y[a:b])
        parts.append(part)
    for name in ("arms", "probabilities", "predictions", "losses"):
        together = np.concatenate([getattr(part, name) for part in parts])
        assert np.array_equal(together, getattr(whole, name), equal_nan=True), name
    assert np.array_equal(state.probabilities, whole_state.probabilities)
    probe = X[:9] * 1.5
    assert np.array_equal(core.values(spec, state, probe), core.values(spec, whole_state, probe))


# Each space, learner and selector in one of these, so that all compiled code runs with bounds checked.
PARTS = ("rf-oks", "oks++", "rf-ioks-adagrad", "leader", "leader-adagrad", "lkmbooks", "raker", "leader-newton")
PARTS += TWO_A_ROUND


@pytest.mark.parametrize("horizon", [None, ROWS])
@pytest.mark.parametrize(
    "algorithm",
    [pytest.param(name, marks=[pytest.mark.bounds] * (name in PARTS)) for name in ALL],
)
def test_one_row_at_a_time(algorithm, horizon):
    loss = loss_for(algorithm, "logistic")
    X, Y = data(loss)
    assert_cut(spec_for(algorithm, horizon, loss), X, Y, list(range(1, ROWS)), save_at=100)


@pytest.mark.parametrize("algorithm", ALL)
@given(
    cuts=st.lists(st.integers(0, ROWS), max_size=12).map(sorted),
    save_at=st.integers(0, 12),
    loss=st.sampled_from(["square", "logistic", "squared_hinge"]),
    large=st.booleans(),
    n_features=st.sampled_from([37, 40]),
)
@settings(max_examples=15, deadline=None, derandomize=True)
def test_any_chunking(algorithm, cuts, save_at, loss, large, n_features):
    loss = loss_for(algorithm, loss)
    X, Y = data(loss, large=large)
    assert_cut(spec_for(algorithm, None, loss, n_features=n_features), X, Y, cuts, save_at)


@pytest.mark.parametrize("algorithm", ALGORITHMS + TWO_A_ROUND)
def test_many_outputs(algorithm):
    loss = loss_for(algorithm, "logistic")
    X, Y = data(loss, outputs=3)
    assert_cut(spec_for(algorithm, None, loss, outputs=3), X, Y, [1, 2, 9, 130, 131], save_at=4)


def test_long_batches_cross_calls_and_epochs():
    """More rows than one compiled call takes, and an epoch that ends inside a chunk."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(2600, 6))
    Y = np.sign(X[:, :1] + 0.1)
    for algorithm in ("oks", "rf-ioks"):
        assert_cut(spec_for(algorithm, None), X, Y, [1000, 1030, 2047, 2050], save_at=2)


@pytest.mark.bounds
@pytest.mark.parametrize("hypotheses", [1.0, 1.3, 4.0])
@pytest.mark.parametrize("cut", ["one by one", "anywhere"])
def test_blocks_openings_and_challenges_of_the_leader(hypotheses, cut):
    """Cut inside blocks, at their ends, and within a challenge; saved in the middle of one."""
    X, y, *_ = with_a_change("square", 3000, 1900)
    kernels = tuple(Gaussian(width) for width in np.geomspace(0.1, 8, 12))
    spec = Specification("leader-newton", "square", 2, kernels, n_features=8, hypotheses=hypotheses, random_state=1)
    cuts = list(range(1, 3000)) if cut == "one by one" else [1, 63, 64, 65, 511, 512, 513, 1030, 2200, 2431, 2432, 2990]
    assert_cut(spec, X, y[:, None], cuts, save_at=2300 if cut == "one by one" else 9)
    state, _ = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert 1900 < state.selector.race["since"][0] < 2300


def test_advancing_a_copy_leaves_the_state_alone():
    X, Y = data("square")
    for algorithm in ("ioks", "rf-oks++", "leader-newton", "rf-oks-adagrad"):
        spec = spec_for(algorithm, None, "square")
        state, _ = core.advance_in_place(spec, core.start(spec), X[:100], Y[:100])
        before = copied(state)
        first = core.advance(spec, state, X[100:], Y[100:])
        second = core.advance(spec, state, X[100:], Y[100:])
        assert np.array_equal(first[1].predictions, second[1].predictions)
        for name, array in arrays(state).items():
            assert np.array_equal(array, before[name]), name
