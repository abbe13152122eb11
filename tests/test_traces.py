"""Every algorithm x loss x setting against the plain transcription in naive.py."""

import naive
import naive_second_order
import numpy as np
import pytest
from problems import COMPOSED_PAIRS as ALL_COMPOSED
from problems import PAIRS as ALL_PAIRS
from problems import stream, with_a_change

import kernelpick
from kernelpick import core
from kernelpick.core import Specification

# The steps of the paper are long for the square losses; what explodes does so in both.
pytestmark = pytest.mark.filterwarnings("ignore:.*explodes:RuntimeWarning")
SETTINGS = ("paper", "published")
# What is written a second time; a part that is new is compared as soon as it is written there.
PAIRS = [(name, loss) for name, loss in ALL_PAIRS if name in naive.ALGORITHMS and loss in naive.LOSSES]
COMPOSED_PAIRS = [
    (name, loss) for name, loss in ALL_COMPOSED if name in naive_second_order.ALGORITHMS and loss in naive.LOSSES
]


def both(algorithm, loss, settings, rows, horizon, seed=0, budget=50, **options):
    X, y, uniforms, frequencies = stream(loss, rows, seed=seed)
    common = {"loss": loss, "settings": settings, "horizon": horizon, "uniforms": uniforms, "budget": budget}
    common |= {"frequencies": frequencies} | options
    plain = naive_second_order if algorithm in naive_second_order.ALGORITHMS else naive
    return kernelpick.trace(algorithm, X, y, **common), plain.trace(algorithm, X, y, **common)


def assert_same(fast, plain):
    assert np.array_equal(fast.arms, plain.arms)
    scale = np.maximum(1, np.abs(plain.predictions))
    assert np.max(np.abs(fast.predictions - plain.predictions) / scale) < 1e-6
    assert np.allclose(fast.losses, plain.losses, rtol=1e-6, atol=1e-6)
    assert np.allclose(fast.probabilities, plain.probabilities, rtol=1e-6, atol=1e-9, equal_nan=True)
    assert np.allclose(fast.weights, plain.weights, atol=1e-6)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("algorithm", "loss"), PAIRS)
def test_first_600_rounds_of_2000(algorithm, loss, settings):
    assert_same(*both(algorithm, loss, settings, 600, 2000))


@pytest.mark.interpreted
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("algorithm", "loss"), PAIRS)
def test_short_traces(algorithm, loss, settings):
    """Small enough to run without the compiler too, which covers the compiled code line by line."""
    fast, plain = both(algorithm, loss, settings, 25, 25, seed=3, budget=8)
    assert_same(fast, plain)


@pytest.mark.parametrize(("algorithm", "loss"), COMPOSED_PAIRS)
def test_other_learners(algorithm, loss):
    """Long enough for two flushes and a few rows after them."""
    assert_same(*both(algorithm, loss, "paper", 150, 2000))


@pytest.mark.interpreted
@pytest.mark.parametrize(("loss", "rows"), [("square", 20), ("logistic", 20), ("huber", 150)])
def test_the_diagonal_of_newton(loss, rows):
    """The learner of "auto" for many columns, here with few."""
    X, y, uniforms, frequencies = stream(loss, rows)
    common = {"loss": loss, "uniforms": uniforms, "frequencies": frequencies}
    ours = kernelpick.Algorithm(space="augmented", learner="diagonal", selector="leader")
    assert_same(kernelpick.trace(ours, X, y, **common), naive_second_order.trace("leader-diagonal", X, y, **common))


@pytest.mark.parametrize("algorithm", ["rf-oks++-newton", "rf-ioks-newton", "raker-newton", "raker-adagrad"])
def test_other_learners_with_published_settings(algorithm):
    assert_same(*both(algorithm, "logistic", "published", 150, 2000))


@pytest.mark.interpreted
@pytest.mark.long
@pytest.mark.parametrize(
    ("algorithm", "loss", "rows"),
    [
        ("rf-oks++-newton", "logistic", 12),
        ("rf-oks++-adagrad", "huber", 12),
        ("leader-newton", "square", 70),  # a flush, and the end of a block
        ("leader-newton", "squared_hinge", 12),
        ("leader", "huber", 12),
    ],
)
def test_short_traces_of_other_learners(algorithm, loss, rows):
    X, y, uniforms, frequencies = stream(loss, rows, inputs=2, n_features=3, seed=3)
    common = {"loss": loss, "uniforms": uniforms, "frequencies": frequencies, "widths": [0.5, 2.0]}
    fast = kernelpick.trace(algorithm, X, y, **common)
    assert_same(fast, naive_second_order.trace(algorithm, X, y, **common))


@pytest.mark.parametrize(
    ("loss", "hypotheses"), [("square", 1.0), ("square", 1.3), ("square", 3.6), ("square", 12.0), ("logistic", 1.3)]
)
def test_the_leader_follows_its_rules(loss, hypotheses):
    """With more kernels than seats, a change that is noticed, and a challenge that draws seats."""
    X, y, uniforms, frequencies = with_a_change(loss, 3600, 1900)
    widths = np.geomspace(0.1, 8, 12)
    common = {"loss": loss, "uniforms": uniforms, "frequencies": frequencies, "hypotheses": hypotheses}
    fast = kernelpick.trace("leader-newton", X, y, widths=widths, **common)
    plain = naive_second_order.trace("leader-newton", X, y, widths=widths, **common)
    assert plain.selector.challenges > 0
    assert_same(fast, plain)


@pytest.mark.parametrize(
    ("loss", "hypotheses", "arms"),
    [("square", 2.0, 6), ("square", 3.0, 12), ("logistic", 2.0, 3), ("square", 1.3, 6), ("square", 2.4, 6)],
)
def test_a_leader_of_even_rounds_follows_its_rules(loss, hypotheses, arms):
    """Scouts that stay for eight blocks where N is whole, a challenge by as many as there are, and never more players
    than N."""
    X, y, uniforms, frequencies = with_a_change(loss, 4000, 1900)
    widths = np.geomspace(0.1, 8, arms)
    kernels = tuple(kernelpick.Gaussian(width) for width in widths)
    spec = Specification("leader-newton", loss, 2, kernels, n_features=12, hypotheses=hypotheses, even=True)
    common = {"loss": loss, "uniforms": uniforms, "frequencies": frequencies, "hypotheses": hypotheses, "even": True}
    plain = naive_second_order.trace("leader-newton", X, y, widths=widths, **common)
    state, fast = core.advance_in_place(spec, core.start(spec, frequencies), X, y[:, None], uniforms=uniforms[:, None])
    own, selector = state.selector, plain.selector
    assert selector.challenges > 0 and len(np.unique(plain.arms)) > 1
    assert np.array_equal(fast.arms, plain.arms)
    assert np.flatnonzero(own.playing).tolist() == sorted(selector.playing)
    assert np.allclose(fast.predictions[:, 0], plain.predictions, rtol=1e-6, atol=1e-6)
    assert np.allclose(own.score, selector.score, rtol=1e-6) and np.allclose(own.evidence, selector.evidence)


@pytest.mark.parametrize("algorithm", ["rf-oks-newton", "leader-newton", "raker-adagrad", "leader"])
@pytest.mark.parametrize("step_scale", [0.3, 40.0])
def test_step_scale_of_other_learners(algorithm, step_scale):
    assert_same(*both(algorithm, "huber", "paper", 100, 1000, step_scale=step_scale))


@pytest.mark.parametrize("algorithm", ["oks", "rf-oks", "raker"])
@pytest.mark.parametrize("step_scale", [1.0, 25.0])
def test_step_scale(algorithm, step_scale):
    assert_same(*both(algorithm, "absolute", "paper", 200, 1000, step_scale=step_scale))


@pytest.mark.parametrize("radius", [0.3, 4.0])
@pytest.mark.parametrize("algorithm", ["oks++", "ioks", "rf-oks++", "rf-ioks"])
def test_radius(algorithm, radius):
    assert_same(*both(algorithm, "square", "paper", 200, 1000, radius=radius))


@pytest.mark.parametrize(
    ("algorithm", "loss", "rows"),
    [
        ("rf-oks++", "logistic", 4000),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                ("rf-oks", "hinge", 4000),
                ("rf-oks++", "squared_hinge", 4000),
                ("raker", "hinge", 2000),
                ("oks", "hinge", 600),
            )
        ),
    ],
)
def test_long_runs_agree_in_the_mean(algorithm, loss, rows):
    """Rounding makes single long traces part, by chance to one side or the other: over 20 runs that takes no side.

    The two see the same rows and numbers, so it is their difference that is looked at, run by run: it scatters 20 times
    less than the losses themselves.
    """
    pairs = [both(algorithm, loss, "paper", rows, rows, seed=seed) for seed in range(20)]
    fast, plain = np.array([[run.losses.mean() for run in pair] for pair in pairs]).T
    apart = fast - plain
    assert abs(apart.mean()) <= 3 * apart.std(ddof=1) / np.sqrt(len(pairs)) + 1e-9
    assert abs(apart.mean()) <= 0.005 * plain.mean()


def test_a_trace_is_a_function_of_its_arguments():
    X, y, uniforms, frequencies = stream("logistic", 300)
    kept = X.copy(), y.copy()
    given = {"loss": "logistic", "uniforms": uniforms, "frequencies": frequencies}
    runs = [kernelpick.trace("rf-ioks", X, y, random_state=seed, **given) for seed in (0, 1)]
    assert np.array_equal(runs[0].predictions, runs[1].predictions)
    assert np.array_equal(X, kept[0])
    assert np.array_equal(y, kept[1])
    different = kernelpick.trace("rf-ioks", X, y, loss="logistic", random_state=5)
    assert not np.array_equal(different.predictions, runs[0].predictions)


def test_divergence_is_told_and_clean_before():
    X, y, *_ = stream("square", 400)
    with pytest.warns(RuntimeWarning, match="diverged.*round"):
        run = kernelpick.trace("oks", X, 50 * y, loss="square", step_scale=1e9)
    bad = np.flatnonzero(~np.isfinite(run.losses))
    assert len(bad) > 0
    assert np.isfinite(run.predictions[: bad[0]]).all()
    assert np.isfinite(run.losses[: bad[0]]).all()
    assert np.isfinite(run.weights).all()
