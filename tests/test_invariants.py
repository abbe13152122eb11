"""What must hold in every round, whatever the stream."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import PAIRS, SOME_COMPOSED_PAIRS, stream
from states import arrays

import kernelpick
from kernelpick import Gaussian, core
from kernelpick.core import Specification
from kernelpick.core.state import TOTAL

pytestmark = pytest.mark.filterwarnings("ignore:.*(diverged|explodes):RuntimeWarning")


BANDITS = ("oks", "oks++", "ioks")


def exploration(spec, state, outcome, y):
    """delta of the next round, by the formulas; none without a bandit."""
    name, K = spec.algorithm.removeprefix("rf-").removesuffix("-newton").removesuffix("-adagrad"), len(spec.kernels)
    if name not in BANDITS:
        return None
    if name != "oks++":
        return state.selector.delta
    b = naive.C0[spec.loss] ** (1 / 3) * (spec.radius_in_effect * K) ** (2 / 3)
    if spec.published and spec.loss == "logistic":
        b = np.exp(-y * outcome.predictions[0, 0])
    return 0.5 * b / max(b, 2 * state.ledger[TOTAL] ** (1 / 3))


def assert_state_is_sound(spec, state, outcome, y):
    p, delta = state.probabilities, exploration(spec, state, outcome, y)
    assert abs(p.sum() - 1) < 1e-12
    if delta is not None:
        assert 0 < delta <= 1
        assert (p >= delta / len(p) * (1 - 1e-12)).all()
        assert np.allclose(p, (1 - delta) * state.selector.q + delta / len(p), rtol=1e-12, atol=1e-15)
    assert (p >= 0).all()
    radius = spec.radius_in_effect
    if spec.algorithm in ("oks++", "ioks"):
        assert (np.sqrt(state.space.norms) <= radius * (1 + 1e-9)).all()
    if spec.algorithm in ("rf-oks++", "rf-ioks"):
        assert (np.abs(state.space.weights) <= radius / np.sqrt(spec.n_features)).all()


# From the last to the first: test_horizon.py, which runs beside it, goes from the first to the last, and so neither
# compiles what the other does.
@pytest.mark.parametrize(("algorithm", "loss"), (PAIRS + SOME_COMPOSED_PAIRS)[::-1])
@given(
    arms=st.sampled_from([1, 2, 7, 40]),
    radius=st.sampled_from([0.05, 1.0, 30.0]),
    scale=st.sampled_from([1e-3, 1.0, 50.0, 1e6]),
    shape=st.sampled_from(["plain", "constant columns", "duplicates", "constant y"]),
    rows=st.sampled_from([1, 2, 40, 90]),
    published=st.booleans(),
    horizon=st.sampled_from([None, "rows"]),
    seed=st.integers(0, 5),
)
@settings(max_examples=12, deadline=None, derandomize=True)
def test_sound_after_every_round(algorithm, loss, arms, radius, scale, shape, rows, published, horizon, seed):
    X, y, *_ = stream(loss, rows, inputs=3, seed=seed)
    X = X * scale
    if shape == "constant columns":
        X[:, 1] = 3.0
    elif shape == "duplicates":
        X[:] = X[0]
    elif shape == "constant y":
        y[:] = 1.0
    spec = Specification(
        algorithm, loss, 3, tuple(Gaussian(w) for w in scale * 2.0 ** np.linspace(-3, 3, arms)), n_features=11,
        budget=20, radius=radius, settings="published" if published else "paper",
        horizon=rows if horizon else None, random_state=seed,
    )  # fmt: skip
    state = core.start(spec)
    for t in range(rows):
        state, outcome = core.advance_in_place(spec, state, X[t : t + 1], y[t : t + 1, None])
        if outcome.diverged is not None:
            assert algorithm in ("oks", "rf-oks", "raker", "lkmbooks")
            assert horizon  # without a horizon, steps are capped and nothing diverges
            return
        assert_state_is_sound(spec, state, outcome, y[t])
        assert np.isfinite(outcome.predictions).all()


@pytest.mark.parametrize("algorithm", ["oks++", "ioks"])
@pytest.mark.parametrize("loss", ["logistic", "square"])
def test_the_norm_that_is_kept_is_the_norm(algorithm, loss):
    X, y, *_ = stream(loss, 400)
    spec = Specification(algorithm, loss, 5, (Gaussian(0.5), Gaussian(2.0)), radius=0.8, horizon=400)
    state, _ = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    space = state.space
    for arm, kernel in enumerate(spec.kernels):
        stored, coefficients, tile, left = [], [], space.chains[arm, 0], space.chains[arm, 2]
        while left > 0:
            held = min(left, space.tiles.shape[2])
            stored.append(space.tiles[tile, :, :held].T)
            coefficients.append(space.coefficients[tile, 0, :held] * space.scales[arm, 0])
            tile, left = space.following[tile], left - held
        points, a = np.vstack(stored), np.concatenate(coefficients)
        assert np.isclose(a @ kernel(points, points) @ a, space.norms[arm, 0], rtol=1e-9)
        assert np.sqrt(a @ kernel(points, points) @ a) <= 0.8 * (1 + 1e-9)


@pytest.mark.parametrize(("algorithm", "loss"), PAIRS + SOME_COMPOSED_PAIRS)
@pytest.mark.parametrize(("arms", "rows"), [(1, 60), (300, 50), (6, 1), (6, 2), (1, 1)])
def test_extreme_sizes(algorithm, loss, arms, rows):
    X, y, *_ = stream(loss, rows)
    run = kernelpick.trace(algorithm, X, y, loss=loss, widths=2.0 ** np.linspace(-2, 3, arms), n_features=20)
    assert np.isfinite(run.predictions).all()
    assert abs(run.weights.sum() - 1) < 1e-12
    assert run.predictions[0] == 0


def test_large_inputs_keep_their_digits():
    """Shifted by a million, Gaussian kernels see the same distances; the product form would lose them all."""
    X, y, uniforms, _ = stream("square", 300)
    X = np.round(X * 2**10) / 2**10  # so that the shift itself is exact
    near = kernelpick.trace("oks++", X, y, loss="square", uniforms=uniforms)
    far = kernelpick.trace("oks++", X + 2.0**20, y, loss="square", uniforms=uniforms)
    assert np.array_equal(near.arms, far.arms)
    assert np.allclose(near.predictions, far.predictions, atol=1e-9)


@pytest.mark.bounds
def test_each_example_is_stored_once():
    X, y, *_ = stream("square", 5000, inputs=18)
    spec = Specification("oks++", "square", 18, horizon=5000)
    state, _ = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert state.space.used[1] <= 5000
    held = sum(array.nbytes for array in arrays(state).values())
    assert held <= 1.5 * X.nbytes + 2**20
