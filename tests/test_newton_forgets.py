"""The second-order learner over long times: forgetting, rows that come back, and bounds."""

import numpy as np
import pytest
from naive_memories import Forgets
from newton_states import features_of, played, ridge, settled, spec_for
from problems import REGRESSION, stream

from kernelpick import core
from kernelpick.core.numerics.panels import dense


@pytest.mark.parametrize("forgetting", [0.997, 0.98, 0.9, 0.7])
def test_forgetting_takes_weight_from_old_rows_and_none_from_the_ridge(forgetting):
    """By definition to the last digits; and it is close to exponentially weighted ridge regression from scratch."""
    X, y, *_ = stream("square", 960, inputs=3, seed=2)
    y = np.where(np.arange(960) < 400, y, 1 - y)
    spec = spec_for(inputs=3, n_features=4, forgetting=forgetting, step_scale=5.0)
    state = played(spec, X, y)
    Z, plain = features_of(state, X), Forgets(8, 1, "square", 5.0, forgetting)
    for z, target in zip(Z, y, strict=True):
        plain.learn(z, [target])
    own, mine = settled(state)
    assert np.abs(own - plain.P).max() < 1e-8 * np.abs(plain.P).max() and np.abs(mine[0] - plain.w[0]).max() < 1e-8
    if forgetting > 0.99:
        exact, never = ridge(Z, y, 5.0, forgetting ** np.arange(960)[::-1]), ridge(Z, y, 5.0)
        assert np.abs(Z @ (plain.w[0] - exact)).max() < 0.25 * np.abs(Z @ (never - exact)).max()


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


@pytest.mark.bounds
@pytest.mark.parametrize("forgetting", [0.9, 0.5, 1e-300])
def test_whoever_forgets_at_once_still_works(forgetting):
    X, y, *_ = stream("square", 200, inputs=3)
    spec = spec_for(inputs=3, n_features=4, algorithm="leader-newton", forgetting=forgetting, step_scale=5.0)
    state, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert state.rounds == 200 and np.isfinite(outcome.predictions).all()
    eigenvalues = np.linalg.eigvalsh(dense(state.learner.P[0]))
    assert eigenvalues.min() > 0 and eigenvalues.max() < 5.0 * (1 + 1e-9)
