"""The second-order learner against what it is defined to be: a regularised fit of all rows so far."""

import naive
import numpy as np
import pytest
from naive_second_order import parabola
from problems import REGRESSION, stream
from scipy.optimize import minimize

from kernelpick import Gaussian, core
from kernelpick.core import Specification
from kernelpick.core.numerics.panels import dense
from kernelpick.core.spaces.augmented import squash

HALF = {"logistic": 1.0, "square": 0.5, "squared_hinge": 0.5, "huber": 0.5}  # what the learner makes of a loss


def spec_for(loss="square", inputs=3, n_features=10, algorithm="rf-oks-newton", **options):
    return Specification(algorithm, loss, inputs, (Gaussian(1.0),), n_features=n_features, horizon=10**6, **options)


def features_of(state, X):
    """z(x) of the only arm."""
    augmented = hasattr(state.space, "bound")
    angles = (squash(X) if augmented else X) @ state.space.frequencies[0] * state.space.inverse_width[0]
    waves = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(angles.shape[1])
    return np.hstack([waves, np.ones((len(X), 1)), X]) if augmented else waves


def settled(state):
    """P and w as the textbook has them, with the rows that still wait taken in."""
    P, waiting = dense(state.learner.P[0]), int(state.learner.waiting[0])
    size = state.space.weights.shape[2]
    K, N, c = state.learner.K[0], state.learner.N[0], state.learner.c[0]
    A = np.zeros((waiting, K.shape[1]))
    for r in range(waiting):
        A[r] = K[r] - sum((N[s, r] * A[s] for s in range(r)), np.zeros(K.shape[1]))
    P = P - (A.T * c[:waiting]) @ A
    w = state.space.weights[0] + state.learner.g[0][:, :waiting] @ A[:, :size]
    return P[:size, :size], w


def played(spec, X, Y, weights=core.NO_WEIGHTS, state=None):
    state = core.start(spec) if state is None else state
    return core.advance_in_place(spec, state, X, Y.reshape(len(X), -1), weights=weights)[0]


def ridge(Z, Y, prior, weights=None):
    """argmin of sum weight/2 (z.w - y)^2 + 1/(2 prior) |w|^2, from scratch."""
    weights = np.ones(len(Z)) if weights is None else weights
    return np.linalg.solve((Z.T * weights) @ Z + np.eye(Z.shape[1]) / prior, (Z.T * weights) @ Y)


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


def test_forgetting_takes_weight_from_old_rows_and_none_from_the_ridge():
    """By definition to the last digits; and it is close to exponentially weighted ridge regression from scratch."""
    X, y, *_ = stream("square", 1024, inputs=3, seed=2)
    y = np.where(np.arange(1024) < 400, y, 1 - y)
    spec = spec_for(inputs=3, n_features=4, forgetting=0.997, step_scale=5.0)
    state = played(spec, X, y)
    Z, P, w, weights, faded = features_of(state, X), 5.0 * np.eye(8), np.zeros(8), np.ones(1024), 0
    for r, z in enumerate(Z, start=1):
        gain = P @ z / (1 + z @ P @ z)
        w, P = w - gain * (z @ w - y[r - 1]), P - np.outer(gain, P @ z)
        growth = 0.997 ** -(r - faded)
        if r % 64 == 0 and growth >= 1.5:
            weights[:r], faded, steps = weights[:r] / growth, r, int(np.ceil(np.log(growth) / np.log(1.5)))
            for g in [growth ** (1 / steps)] * steps:
                P = g * P - (g - 1) / 5.0 * P @ P
                w = w - (1 - 1 / g) / 5.0 * P @ w
    assert faded > 900
    own, mine = settled(state)
    assert np.abs(own - P).max() < 1e-8 and np.abs(mine[0] - w).max() < 1e-8
    exact, never = ridge(Z, y, 5.0, weights), ridge(Z, y, 5.0)
    assert np.abs(Z @ (w - exact)).max() < 0.1 * np.abs(Z @ (never - exact)).max()


@pytest.mark.parametrize(
    ("loss", "forgetting"), [("square", 1.0), ("square", 0.999), ("logistic", 1.0), ("logistic", 0.99), ("huber", 1.0)]
)
def test_long_runs_stay_positive_definite(loss, forgetting):
    """Heavy rows, copies of rows, sleeping columns: P stays symmetric, positive and below its bound."""
    generator = np.random.default_rng(0)
    spec = spec_for(loss, 3, 2, algorithm="leader-newton", forgetting=forgetting, step_scale=5.0)
    state = core.start(spec)
    for part in range(20):
        X = np.clip(generator.standard_cauchy((10_000, 3)), -1e6, 1e6)
        X[:, 2] *= part % 4 == 0
        X[5000:] = X[5000] if part % 2 else X[5000:]
        y = (
            generator.standard_cauchy(10_000)
            if loss in REGRESSION
            else np.sign(X[:, 0] + generator.normal(size=10_000))
        )
        state = played(spec, X, y, state=state)
        P = dense(state.learner.P[0])
        assert np.array_equal(P, P.T)
        scale = np.sqrt(np.diag(P))
        assert np.linalg.eigvalsh(P / np.outer(scale, scale)).min() > 0
        assert np.trace(P) <= 5.0 * len(P) * (1 + 1e-9)
        assert all(np.isfinite(array).all() for array in (P, state.space.weights, core.values(spec, state, X[:100])))
    assert state.rounds == 200_000


def test_directions_that_no_row_visits_do_not_wind_up():
    """A column falls silent for 20,000 rounds of forgetting; its variance stays bounded, and its return is calm."""
    generator = np.random.default_rng(1)
    spec = spec_for(inputs=2, n_features=4, algorithm="leader-newton", forgetting=0.99, step_scale=5.0)
    X = generator.normal(size=(22_000, 2))
    X[1000:21_000, 1] = 0.0
    y = X @ [1.0, -2.0] + 0.1 * generator.normal(size=len(X))
    state, outcome = core.advance_in_place(spec, core.start(spec), X[:21_000], y[:21_000, None])
    P = dense(state.learner.P[0])
    assert np.trace(P) <= 5.0 * len(P) * (1 + 1e-9)
    _, outcome = core.advance_in_place(spec, state, X[21_000:], y[21_000:, None])
    assert np.abs(outcome.predictions[:, 0] - y[21_000:])[100:].mean() < 0.3


@pytest.mark.parametrize("third", [0.0, 1.0], ids=["one column is always zero", "all columns vary"])
def test_forgetting_goes_on_after_a_long_time(third):
    """Forgetting is there to follow a change, also one that comes late."""
    generator = np.random.default_rng(1)
    X = generator.normal(size=(7000, 3)) * [1, 1, third]
    y = X[:, 0] * np.where(np.arange(7000) < 5000, 1.0, -1.0) + 0.1 * generator.normal(size=7000)
    spec = spec_for(inputs=3, n_features=16, algorithm="leader-newton", forgetting=0.99, step_scale=5.0)
    _, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    errors = (outcome.predictions[:, 0] - y) ** 2
    assert errors[4000:5000].mean() < 0.05
    assert errors[6000:].mean() < 0.05  # 1,000 rounds after the change, ten times the memory


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


@pytest.mark.bounds
@pytest.mark.parametrize("forgetting", [0.9, 0.5, 1e-300])
def test_whoever_forgets_at_once_still_works(forgetting):
    X, y, *_ = stream("square", 200, inputs=3)
    spec = spec_for(inputs=3, n_features=4, algorithm="leader-newton", forgetting=forgetting, step_scale=5.0)
    state, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert state.rounds == 200 and np.isfinite(outcome.predictions).all()
    eigenvalues = np.linalg.eigvalsh(dense(state.learner.P[0]))
    assert eigenvalues.min() > 0 and eigenvalues.max() < 5.0 * (1 + 1e-9)


def test_adagrad_bears_features_that_are_nearly_zero():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1.0, 1e-200, 1e-320]
    spec = spec_for(inputs=3, n_features=8, algorithm="leader-adagrad")
    _, outcome = core.advance_in_place(spec, core.start(spec), X, X[:, :1])
    assert np.isfinite(outcome.predictions).all()
