"""Second order in equal rounds: the recursion written plainly, halves of matrices, and what else a learner must do."""

import math
from dataclasses import replace

import numpy as np
import pytest
from newton_states import features_of, played, ridge, spec_for
from problems import stream

from kernelpick import Gaussian, core
from kernelpick.core import state as states
from kernelpick.core.growth import widen_inputs
from kernelpick.core.learners.steady import Steady
from kernelpick.core.numerics import halves, panels
from kernelpick.core.numerics.compilation import compiled
from kernelpick.core.parts import restart
from kernelpick.core.shards import added

PRIOR = 5.0


@compiled
def run_sweep(P, A, Z, row, sums, K):
    halves.sweep(P, 1, 1.0, A, Z, row, sums, K)


@compiled
def run_fading(P, factor, A, Z, row, sums, K):
    halves.sweep_fading(P, 1, factor, A, Z, row, sums, K)


@pytest.mark.bounds
@pytest.mark.parametrize("order", [8, 16, 24, 32, 40, 64, 88, 120])
def test_one_pass_takes_in_what_waits_and_multiplies(order):
    generator = np.random.default_rng(order)
    M = generator.normal(size=(order, order))
    M = M @ M.T
    P, A = np.stack([panels.in_panels(M)] * 3), generator.normal(size=(3, 2, order))
    Z, sums, K = generator.normal(size=(1, 4, order)), np.empty(8 * order), np.empty((2, order))
    P[1][:, :, :] = np.where(np.arange(order)[:, None] < 8 * np.arange(1, 1 + order // 8)[:, None, None], P[1], np.nan)
    faded, a, b = P.copy(), A[1, 0], A[1, 1]
    run_sweep(P, A, Z, 2, sums, K)
    expected = M - np.outer(a, a)
    assert np.allclose(halves.whole(P[1]), expected, rtol=0, atol=1e-11)  # and nothing below is looked at
    assert np.allclose(K[0], expected @ Z[0, 2], rtol=0, atol=1e-9)
    run_fading(faded, 1.25, A, Z, 3, sums, K)
    expected = 1.25 * M - np.outer(a, a) - np.outer(b, b)
    assert np.allclose(halves.whole(faded[1]), expected, rtol=0, atol=1e-11)
    assert np.allclose(K[0], expected @ Z[0, 3], rtol=0, atol=1e-9)
    for other in (0, 2):
        assert np.array_equal(P[other], faded[other])


def steady(**options):
    return spec_for(algorithm="leader-newton", steady=True, step_scale=PRIOR, **options)


def taken_in(state):
    size = state.space.weights.shape[2]
    P, w = state.learner.taken_in(state.space, 0, 0)
    return P[:size, :size], w[:, :size]


@pytest.mark.parametrize("forgetting", [1.0, 0.997, 0.98, 0.9])
def test_it_is_the_recursion(forgetting):
    """Row by row on ordinary matrices, with rows that fade and ridges that come back one by one."""
    X, y, *_ = stream("square", 500, inputs=3, seed=2)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 500)
    state = played(steady(n_features=4, forgetting=forgetting), X, y, weights)
    assert type(state.learner) is Steady
    Z = features_of(state, X)
    n, order = Z.shape[1], panels.padded(Z.shape[1])
    P, w = PRIOR * np.eye(order), np.zeros(order)
    for t, (row, target, weight) in enumerate(zip(Z, y, weights, strict=True)):
        z = np.zeros(order)
        z[:n] = row
        h = weight
        K = P @ z
        w = w - h * (w @ z - target) / (1 + h * (z @ K)) * K
        P = P - h / (1 + h * (z @ K)) * np.outer(K, K)
        if forgetting < 1:
            P, j = P / forgetting, t % order
            again = 2 * math.sinh(-0.5 * order * math.log(forgetting)) / PRIOR
            k = P[:, j].copy()
            c = again / (1 + again * k[j])
            w, P = w - c * w[j] * k, P - c * np.outer(k, k)
    own, mine = taken_in(state)
    assert np.allclose(own, P[:n, :n], rtol=0, atol=1e-9 * np.abs(P).max())
    assert np.allclose(mine[0], w[:n], rtol=0, atol=1e-9)


@pytest.mark.parametrize("loss", ["square", "logistic", "huber"])
def test_it_learns_what_newton_learns(loss):
    X, y, *_ = stream(loss, 400, inputs=3, seed=1)
    own = steady(loss=loss, n_features=6)
    both = [core.advance(s, core.start(s), X, y[:, None])[1].predictions for s in (own, replace(own, steady=False))]
    assert np.abs(both[0] - both[1]).max() < 1e-8


def test_the_cut_does_not_matter_nor_does_a_file_in_between():
    X, y, *_ = stream("square", 300, inputs=3, seed=3)
    spec = core.Specification(
        "leader-newton", "square", 3, tuple(map(Gaussian, (0.5, 1.0, 2.0))), n_features=8, hypotheses=2.0, steady=True
    )
    whole, outcome = core.advance(spec, core.start(spec), X, y[:, None])
    state, said = core.start(spec), []
    for part in np.split(np.arange(300), [1, 2, 9, 70, 71, 200]):
        state, own = core.advance_in_place(spec, state, X[part], y[part, None])
        said.append(own.predictions)
        state = states.restore(core.start(spec), {name: array.copy() for name, array in states.arrays(state).items()})
    assert np.array_equal(np.concatenate(said), outcome.predictions)
    assert all(np.array_equal(a, b) for a, b in zip(whole.space, state.space, strict=True))


def test_no_round_has_more_players_than_were_asked_for():
    """At the start, in a contest, and when what is learned changes and the leader is challenged."""
    X, y, *_ = stream("square", 3000, inputs=3, seed=4)
    y[1600:] = -y[1600:] + X[1600:, 0] ** 2
    spec = core.Specification(
        "leader-newton", "square", 3, tuple(map(Gaussian, (0.5, 1.0, 2.0, 4.0))), n_features=8, hypotheses=2.0,
        steady=True,
    )  # fmt: skip
    state, challenged, fresh = core.start(spec), 0, set()
    for row in range(len(X)):
        assert state.selector.playing.sum() <= 2
        before = state.selector.race["since"][0]
        state, outcome = core.advance_in_place(spec, state, X[row : row + 1], y[row : row + 1, None])
        if state.selector.race["since"][0] != before:
            challenged += 1
            fresh |= set(np.flatnonzero(state.learner.blank[state.selector.seat[state.selector.playing == 1]]))
            assert any(turn.challenged for turn in outcome.turns) and state.learner.blank.sum() == 1
            rivals = state.selector.playing.copy()
        elif challenged and 0 < state.rounds - before < 512:
            assert np.array_equal(state.selector.playing, rivals)
    assert challenged


def test_who_starts_afresh_knows_nothing():
    X, y, *_ = stream("square", 200, inputs=3, seed=5)
    for forgetting in (1.0, 0.99):
        spec = steady(n_features=4, forgetting=forgetting)
        state = played(spec, X, y)
        restart(state.learner, 0, 0)
        state.space.weights[0], state.learner.seen[0], state.learner.seen[1] = 0.0, np.inf, -np.inf
        again = core.advance(spec, core.State(state.space, state.learner, *core.start(spec)[2:]), X, y[:, None])[1]
        assert np.array_equal(again.predictions, core.advance(spec, core.start(spec), X, y[:, None])[1].predictions)


@pytest.mark.parametrize("forgetting", [1.0, 0.99])
def test_a_column_that_comes_late_was_zero_so_far(forgetting):
    X, y, *_ = stream("square", 300, inputs=3, seed=6)
    X[:150, 2] = 0.0
    wide = spec_for(algorithm="leader-newton", steady=True, n_features=6, forgetting=forgetting)
    narrow = replace(wide, n_inputs=2)
    state = core.start(narrow)
    start = core.start(wide)
    start.space.frequencies[:, 2] = 0.0
    start.space.frequencies[:, :2] = state.space.frequencies
    state = widen_inputs(wide, core.advance(narrow, state, np.ascontiguousarray(X[:150, :2]), y[:150, None])[0])
    late = core.advance(wide, state, X[150:], y[150:, None])[1].predictions
    expected = core.advance(wide, start, X, y[:, None])[1].predictions[150:]
    assert np.abs(late - expected).max() < (
        1e-9 if forgetting == 1.0 else 0.05
    )  # whose turn it is depends on the order


def test_shards_know_what_one_learner_knows():
    X, y, *_ = stream("square", 300, inputs=3, seed=7)
    spec = steady(n_features=6)
    parts = [played(spec, X[part], y[part]) for part in (slice(100), slice(100, 300))]
    both = added(spec, parts)
    Z = features_of(both, X)
    assert np.allclose(both.space.weights[0, 0], ridge(Z, y, PRIOR), rtol=0, atol=1e-6)
    further = core.advance(spec, both, X[:50], y[:50, None])[0]
    twice = ridge(np.concatenate([Z, Z[:50]]), np.concatenate([y, y[:50]]), PRIOR)
    assert np.allclose(further.space.weights[0, 0], twice, rtol=0, atol=1e-6)


def test_where_nearly_all_is_forgotten_at_once_newton_learns():
    spec = steady(n_features=8, forgetting=0.2)
    assert core.start(spec).learner.name == "newton"
