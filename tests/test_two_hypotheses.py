"""B(AO)2KS: against its plain transcription, and what must hold whatever the stream."""

import naive_two_hypotheses as naive
import numpy as np
import pytest
from problems import numbers_for, stream
from scipy.stats import chisquare

import kernelpick
from kernelpick import Cauchy, Gaussian, KernelClassifier, KernelRegressor, Laplacian, Linear, Polynomial, core
from kernelpick.core import Specification
from kernelpick.core.learners.hints import GG, GM, MM, B
from kernelpick.core.spaces.tiles import TILE

BOTH = pytest.mark.parametrize("algorithm", naive.ALGORITHMS)


def both(algorithm, rows, seed=0, **options):
    X, y, _, frequencies = stream("hinge", rows, seed=seed)
    common = {"uniforms": numbers_for(algorithm, rows, seed), "frequencies": frequencies} | options
    return kernelpick.trace(algorithm, X, y, loss="hinge", **common), naive.trace(algorithm, X, y, **common)


def assert_same(fast, plain):
    assert fast.arms.shape == (len(plain.arms), 2)
    assert fast.parts_from(plain.arms, plain.predictions) == ""
    assert np.allclose(fast.losses, plain.losses, rtol=1e-6, atol=1e-6)
    assert np.allclose(fast.probabilities, plain.probabilities, rtol=1e-6, atol=1e-9)


@BOTH
def test_first_rounds_of_2000(algorithm):
    assert_same(*both(algorithm, 600 if algorithm == "rf-bao2ks" else 300, horizon=2000))


@pytest.mark.interpreted
@pytest.mark.bounds
@BOTH
@pytest.mark.parametrize(("radius", "step_scale"), [(20.0, 5.0), (0.5, 40.0)])
def test_short_traces(algorithm, radius, step_scale):
    """Within the ball and at its edge, where every hypothesis is projected in every round."""
    fast, plain = both(algorithm, 40, seed=3, radius=radius, step_scale=step_scale)
    assert_same(fast, plain)
    assert (plain.norms[-1] > radius * (1 - 1e-9)).any() == (radius < 1)


@BOTH
def test_tiny_balls_fold_their_scales(algorithm):
    """Each projection multiplies a by something small, which must not underflow."""
    fast, plain = both(algorithm, 120, radius=1e-4, step_scale=1e4)
    assert_same(fast, plain)
    assert np.allclose(fast.predictions, plain.predictions, rtol=1e-9, atol=1e-16)


def test_kernels_of_every_metric():
    """The reservoir's kernel values do not come from tiles."""
    kernels = [Gaussian(0.7), Laplacian(2.0), Cauchy(1.5), Linear(), Polynomial(2, 0.0)]
    X, y, *_ = stream("hinge", 60)
    X[7] = 0.0  # where a polynomial without an offset is 0 itself
    uniforms = numbers_for("bao2ks", 60)
    fast = kernelpick.trace("bao2ks", X, y, loss="hinge", kernels=kernels, uniforms=uniforms)
    rows = [lambda X, v, kernel=kernel: kernel(X, v[None])[:, 0] for kernel in kernels]
    assert_same(fast, naive.trace("bao2ks", X, y, kernels=rows, uniforms=uniforms))


@BOTH
def test_weights_of_rows(algorithm):
    rows, numbers = 150, numbers_for(algorithm, 150)
    X, y, _, frequencies = stream("hinge", rows)
    weights = np.random.default_rng(4).choice([0.3, 1.0, 5.0], rows)
    spec = Specification(algorithm, "hinge", 5, n_features=40, horizon=rows)
    state = core.start(spec, frequencies if algorithm == "rf-bao2ks" else None)
    _, outcome = core.advance_in_place(spec, state, X, y[:, None], numbers, weights)
    plain = naive.trace(algorithm, X, y, uniforms=numbers, frequencies=frequencies, weights=weights)
    assert np.array_equal(outcome.shown_arms, plain.arms)
    assert np.allclose(outcome.predictions[:, 0], plain.predictions, atol=1e-9)


def test_without_a_horizon_steps_and_reservoir_follow_the_epochs():
    """M is 7 in the first epoch and 8 in the second."""
    X, y, _, frequencies = stream("hinge", 1200)
    numbers = numbers_for("rf-bao2ks", 1200)
    spec = Specification("rf-bao2ks", "hinge", 5, n_features=40)
    start = core.start(spec, frequencies)
    middle, first = core.advance_in_place(spec, start, X[:1024], y[:1024, None], numbers[:1024])
    assert (middle.learner.size, middle.learner.filled[0]) == (7, 7)
    state, second = core.advance_in_place(spec, middle, X[1024:], y[1024:, None], numbers[1024:])
    assert (state.learner.size, state.learner.filled[0]) == (8, 8) and state.learner.step < start.learner.step
    horizons = np.where(np.arange(1200) < 1024, 1024, 2048)
    plain = naive.trace("rf-bao2ks", X, y, uniforms=numbers, frequencies=frequencies, horizon=horizons)
    assert np.array_equal(np.concatenate([first.shown_arms, second.shown_arms]), plain.arms)
    assert np.allclose(np.concatenate([first.predictions, second.predictions])[:, 0], plain.predictions, atol=1e-6)


def points(spec, state, arm):
    """The kernel matrix of all that an exact hypothesis is made of, its coefficients, and those of the hint."""
    space, learner = state.space, state.learner
    rows, coefficients = [learner.rows], [learner.coefficients[arm, 0]]
    tile, left = space.chains[arm, 0], space.chains[arm, 2]
    while left > 0:
        held = min(left, TILE)
        rows.append(space.tiles[tile, :, :held].T)
        coefficients.append(space.coefficients[tile, 0, :held] * space.scales[arm, 0])
        tile, left = space.following[tile], left - held
    rows, g = np.vstack(rows), np.concatenate(coefficients)
    hint = np.zeros(len(g))
    hint[: len(learner.labels)] = -learner.labels[:, 0] / learner.filled[0]
    return spec.kernels[arm](rows, rows), g, hint


@BOTH
@pytest.mark.parametrize("radius", [0.8, 20.0])
def test_the_products_that_are_kept_are_the_products(algorithm, radius):
    """And with that |f'| is at most U, for every arm, in and between the changes of the reservoir."""
    X, y, *_ = stream("hinge", 400)
    kernels = Gaussian(0.5), Gaussian(2.0), Gaussian(8.0)
    spec = Specification(algorithm, "hinge", 5, kernels, n_features=20, radius=radius, horizon=400)
    state, longest = core.start(spec), 0.0
    for start in range(0, 400, 25):
        state, _ = core.advance_in_place(spec, state, X[start : start + 25], y[start : start + 25, None])
        learner = state.learner
        for arm in range(3):
            if algorithm == "bao2ks":
                matrix, g, hint = points(spec, state, arm)
            else:
                g, hint = state.space.weights[arm, 0], learner.mu[arm, 0] / learner.filled[0]
                matrix = np.eye(len(g))
            held = learner.held[arm, 0]
            expected = {GG: g @ matrix @ g, GM: g @ matrix @ hint, MM: hint @ matrix @ hint}
            assert all(np.isclose(held[i], value, rtol=1e-8, atol=1e-10) for i, value in expected.items())
            f = learner.a[arm, 0] * g + held[B] * hint
            longest = max(longest, np.sqrt(f @ matrix @ f))
    assert radius / 10 < longest <= radius * (1 + 1e-9)


@BOTH
def test_the_reservoir_is_uniform_over_the_past(algorithm):
    """Of 120 rows, marked by their number, the reservoir holds each as often as any other."""
    X = np.arange(120.0)[:, None] / 120
    Y = np.where(X > 0.3, 1.0, -1.0)
    found = []
    for seed in range(400):
        spec = Specification(algorithm, "hinge", 1, (Gaussian(1.0),), n_features=2, horizon=120, random_state=seed)
        learner = core.advance_in_place(spec, core.start(spec), X, Y)[0].learner
        assert learner.filled[0] == learner.size == 5
        held = np.round(learner.rows[:5, 0] * 120).astype(int)
        assert len(set(held)) == 5 and np.array_equal(learner.labels[:5], Y[held])
        found.extend(held)
    counts = np.bincount(np.array(found) // 10, minlength=12)
    assert chisquare(counts).pvalue > 1e-3


def test_unlikely_arms_are_frozen_and_epsilon_only_halves():
    """One kernel is far too narrow, so that its arm says 0 to every row; the other learns the rule."""
    generator = np.random.default_rng(0)
    X = generator.uniform(-1, 1, (6000, 1))
    Y = np.where(X > 0, 1.0, -1.0)
    spec = Specification("rf-bao2ks", "hinge", 1, (Gaussian(1e-9), Gaussian(1.0)), n_features=20, horizon=6000)
    state, frozen, seen = core.start(spec), 0, [0.5]
    for start in range(0, 6000, 20):
        state, _ = core.advance_in_place(spec, state, X[start : start + 20], Y[start : start + 20])
        p, epsilon = state.selector.p, state.selector.epsilon[0]
        assert abs(p.sum() - 1) < 1e-12 and ((p == 0) | (p >= epsilon / 4)).all()  # gamma = epsilon/(2K)
        assert epsilon in (seen[-1], seen[-1] / 2)
        seen.append(epsilon)
        frozen += (p == 0).any()
    assert frozen > 0 and len(set(seen)) >= 2


@pytest.mark.filterwarnings("error")
@BOTH
@pytest.mark.parametrize("arms", [1, 2, 40])
@pytest.mark.parametrize("shape", ["plain", "one point", "one label", "large", "one row"])
def test_sound_on_any_stream(algorithm, arms, shape):
    X, y, *_ = stream("hinge", 1 if shape == "one row" else 120)
    X = {"one point": np.ones_like(X), "large": X * 1e6}.get(shape, X)
    y = np.ones_like(y) if shape == "one label" else y
    widths = 2.0 ** np.linspace(-3, 3, arms)
    run = kernelpick.trace(algorithm, X, y, loss="hinge", widths=widths, n_features=11, step_scale=300.0)
    assert run.predictions[0] == 0 and np.isfinite(run.predictions).all()
    assert np.abs(run.predictions).max() <= 20 * (1 + 1e-9) and abs(run.weights.sum() - 1) < 1e-12


@BOTH
def test_late_labels_teach_both_players(algorithm):
    """Told at once they teach what partial_fit does, to the bit; told late, the players are those of the time."""
    X, y, *_ = stream("hinge", 90)
    options = {"loss": "hinge", "kernels": [0.5, 1.0, 4.0], "scale": None, "n_features": 20, "random_state": 1}
    model, at_once, late = (KernelClassifier(algorithm, **options) for _ in range(3))
    model.partial_fit(X, y, classes=[-1, 1])
    for twin in (at_once, late):
        twin.partial_fit(X[:40], y[:40], classes=[-1, 1])
    for x, label in zip(X[40:], y[40:], strict=True):
        at_once.tell(at_once.ask(x), label)
    assert np.array_equal(at_once.decision_function(X), model.decision_function(X))
    tickets = [late.ask(x) for x in X[40:60]]
    before = late._fitted.state.selector.estimates.copy(), late.decision_function(X), late.n_rounds_
    for ticket, label in zip(tickets, y[40:60], strict=True):
        late.tell(ticket, label)
    assert (late._fitted.state.selector.estimates > before[0]).any()
    assert (late.decision_function(X) != before[1]).any() and late.n_rounds_ == before[2] + 20


@BOTH
def test_classifiers_of_both_faces(algorithm):
    river = pytest.importorskip("kernelpick.river")
    X, y, *_ = stream("hinge", 600)
    labels = np.where(X[:, 0] + X[:, 1] > 0.3, "high", np.where(X[:, 1] < -0.3, "low", "middle"))
    model = KernelClassifier(algorithm, loss="hinge", n_features=50, random_state=0).fit(X, labels)
    assert model.score(X, labels) > 0.6 and model.learner_ == "optimistic"
    assert model._fitted.spec.radius_in_effect == 20.0
    streamed, right = river.KernelClassifier(algorithm, loss="hinge", n_features=50, seed=0), 0
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        row = dict(zip("abcde", x, strict=True))
        right += streamed.predict_one(row) == label
        streamed.learn_one(row, label)
    assert right > 380


@BOTH
def test_other_losses_and_regression_are_refused(algorithm):
    X, y, *_ = stream("hinge", 40)
    with pytest.raises(
        ValueError, match=f"{algorithm} learns labels by the hinge loss alone, .* take another algorithm"
    ):
        KernelRegressor(algorithm).fit(X, X[:, 0])
    with pytest.raises(
        ValueError, match=f"{algorithm} learns .*, and logistic is another: loss='hinge' is what it takes"
    ):
        KernelClassifier(algorithm).fit(X, y)
    with pytest.raises(ValueError, match="hinge loss alone"):
        kernelpick.trace(algorithm, X, y, loss="squared_hinge")
    with pytest.raises(ValueError, match=r"uniforms must be an array of shape \(40, 4\)"):
        kernelpick.trace(algorithm, X, y, loss="hinge", uniforms=np.zeros(40))


def test_a_forged_reservoir_is_refused():
    spec = Specification("rf-bao2ks", "hinge", 2, n_features=3)
    learner = core.start(spec).learner
    with pytest.raises(ValueError, match="a reservoir of 32 examples can't hold 33"):
        learner._replace(filled=np.array([33])).checked()
