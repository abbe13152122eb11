"""The second-order learner against what it is defined to be: a regularised fit of all rows so far."""

import naive
import numpy as np
import pytest
from naive_second_order import parabola
from newton_states import features_of, played, ridge, settled, spec_for
from problems import REGRESSION, stream
from scipy.optimize import minimize

from kernelpick import core

HALF = {"logistic": 1.0, "square": 0.5, "squared_hinge": 0.5, "huber": 0.5}  # what the learner makes of a loss


@pytest.mark.parametrize("prior", [0.1, 5.0, 100.0])
@pytest.mark.parametrize("algorithm", ["rf-oks-newton", "leader-newton"])
@pytest.mark.parametrize("rounds", [10, 100, 1000, 1024])
def test_it_is_ridge_regression_solved_from_scratch(algorithm, rounds, prior):
    X, y, *_ = stream("square", rounds, inputs=3)
    spec = spec_for(algorithm=algorithm, step_scale=prior)
    state = played(spec, X, y)
    Z = features_of(state, X)
    w = ridge(Z, y, prior)
    probe = np.random.default_rng(9).uniform(-1, 1, (50, 3))
    room = 0.1 * np.ptp(y)
    expected = np.clip(features_of(state, probe) @ w, y.min() - room, y.max() + room)
    assert np.abs(core.values(spec, state, probe)[:, 0, 0] - expected).max() < 1e-8
    P, own = settled(state)
    assert np.abs(own[0] - w).max() < 1e-8 * max(1, np.abs(w).max())
    assert np.abs(P @ (Z.T @ Z + np.eye(len(P)) / prior) - np.eye(len(P))).max() < 1e-8


@pytest.mark.parametrize("loss", HALF)
def test_every_step_minimises_the_loss_of_its_row_near_the_last_weights(loss):
    """Stationary point of (w - w')P^-1(w - w')/2 + loss; for Huber's of a parabola that lies above the loss."""
    X, y, *_ = stream(loss, 150, inputs=3)
    if loss == "huber":
        y = np.where(np.arange(150) % 9 == 0, y + 3, y)
    spec = spec_for(loss, n_features=4)
    state, lower = core.start(spec), 0
    for t in range(150):
        P, before = settled(state)
        before = before[0]
        state = played(spec, X[t : t + 1], y[t : t + 1], state=state)
        after = settled(state)[1][0]
        z = features_of(state, X[t : t + 1])[0]

        def objective(w, z=z, t=t, before=before, P=P):
            far = (w - before) @ np.linalg.solve(P, w - before) / 2
            return HALF[loss] * naive.loss_value(loss, z @ w, y[t]) + far

        assert objective(after) <= objective(before) + 1e-12
        lower += objective(after) < objective(before) - 1e-9
        if loss != "huber":
            slope = HALF[loss] * naive.loss_slope(loss, z @ after, y[t])
            assert np.abs(np.linalg.solve(P, after - before) + slope * z).max() < 1e-7
    assert lower > (20 if loss == "squared_hinge" else 140)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge", "huber"])
def test_the_regularised_likelihood_comes_close_to_the_best_one(loss):
    """The weights of one pass win all but 2 % of what is to be won between no weights and the best ones."""
    for rounds in (100, 400, 1600):
        X, y, *_ = stream(loss, rounds, inputs=3)
        if loss == "huber":
            y = np.where(np.arange(rounds) % 7 == 0, y + 2, y)
        state = played(spec_for(loss, step_scale=5.0), X, y)
        Z = features_of(state, X)

        def objective(w, Z=Z, y=y):
            losses = [naive.loss_value(loss, f, v) for f, v in zip(Z @ w, y, strict=True)]
            slopes = [naive.loss_slope(loss, f, v) for f, v in zip(Z @ w, y, strict=True)]
            return HALF[loss] * sum(losses) + w @ w / 10, HALF[loss] * Z.T @ slopes + w / 5

        best = minimize(objective, np.zeros(Z.shape[1]), jac=True).fun
        zero, own = objective(np.zeros(Z.shape[1]))[0], objective(settled(state)[1][0])[0]
        assert best <= own
        assert (own - best) / (zero - best) < 0.02


def test_a_weight_is_a_row_that_is_repeated():
    X, y, *_ = stream("square", 300, inputs=3)
    counts = np.random.default_rng(0).integers(1, 4, 300)
    weighted = played(spec_for(), X, y, weights=counts.astype(float))
    repeated = played(spec_for(), np.repeat(X, counts, axis=0), np.repeat(y, counts))
    for one, other in zip(settled(weighted), settled(repeated), strict=True):
        assert np.abs(one - other).max() < 1e-9


@pytest.mark.parametrize("loss", ["logistic", "huber"])
def test_a_weight_multiplies_the_loss_of_a_step(loss):
    """A first step: P is the prior, and the weighted loss balances it."""
    spec, x, weight = spec_for(loss, step_scale=2.0), np.array([[0.3, -0.2, 0.9]]), 3.7
    y = np.array([0.4 if loss in REGRESSION else 1.0])
    state = played(spec, x, y, weights=np.array([weight]))
    z, w = features_of(state, x)[0], settled(state)[1][0]
    assert np.abs(w / 2.0 + weight * HALF[loss] * naive.loss_slope(loss, z @ w, y[0]) * z).max() < 1e-8


def test_several_outputs_are_several_regressions():
    X, y, *_ = stream("square", 500, inputs=3)
    Y = np.column_stack([y, np.roll(y, 1), np.sin(5 * X[:, 2])])
    state = played(spec_for(n_outputs=3, step_scale=5.0), X, Y)
    w = ridge(features_of(state, X), Y, 5.0)
    assert np.abs(settled(state)[1] - w.T).max() < 1e-8


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge", "huber"])
def test_several_outputs_share_the_largest_curvature(loss):
    X, y, *_ = stream(loss, 100, inputs=3)
    Y = np.column_stack([y, np.ones(100), np.where(X[:, 2] > 0, 1.0, -1.0)])
    spec = spec_for(loss, n_features=4, n_outputs=3)
    state = core.start(spec)
    for t in range(100):
        P, w = settled(state)
        state = played(spec, X[t : t + 1], Y[t : t + 1], state=state)
        z = features_of(state, X[t : t + 1])[0]
        v = z @ P @ z
        slopes, curvatures = np.array([parabola(loss, f, y, v) for f, y in zip(w @ z, Y[t], strict=True)]).T
        h = curvatures.max()
        after, moved = settled(state)
        assert np.abs(after - (P - h / (1 + h * v) * np.outer(P @ z, P @ z))).max() < 1e-9
        assert np.abs(moved - (w - np.outer(slopes, P @ z) / (1 + h * v))).max() < 1e-9


@pytest.mark.parametrize("loss", HALF)
def test_predictions_are_bounded(loss):
    generator = np.random.default_rng(3)
    X = generator.normal(size=(400, 3))
    y = generator.uniform(-2, 5, 400) if loss in REGRESSION else np.sign(X[:, 0])
    spec = spec_for(loss, algorithm="leader-newton", n_features=4, step_scale=1e4)
    state, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    far = core.values(spec, state, 1e6 * generator.normal(size=(200, 3)))
    if loss in REGRESSION:
        low, high = y.min() - 0.1 * np.ptp(y), y.max() + 0.1 * np.ptp(y)
        for t in range(1, 400):
            room = 0.1 * np.ptp(y[:t])
            assert y[:t].min() - room - 1e-12 <= outcome.predictions[t, 0] <= y[:t].max() + room + 1e-12
    else:
        low, high = -30.0, 30.0
    assert (far >= low - 1e-12).all() and (far <= high + 1e-12).all()
    assert np.isclose(far, low).any() and np.isclose(far, high).any()  # the bounds are what held them


def test_adagrad_bears_features_that_are_nearly_zero():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1.0, 1e-200, 1e-320]
    spec = spec_for(inputs=3, n_features=8, algorithm="leader-adagrad")
    _, outcome = core.advance_in_place(spec, core.start(spec), X, X[:, :1])
    assert np.isfinite(outcome.predictions).all()
