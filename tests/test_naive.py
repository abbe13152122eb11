"""Sanity of the transcription in naive.py, with no engine beside it."""

import math
import re
import tokenize
from pathlib import Path

import numpy as np
import pytest
from naive import ALGORITHMS, IOKS, LOSSES, OKS, WIDTHS, OKSPlus, draw, play_bandit, trace, tsallis_step
from naive_losses import C0, REGRESSION, loss_slope, loss_value
from naive_spaces import Exact, Features, gaussian, squared_norm

SETTINGS = ("paper", "published")


def problem(loss, T=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (T, 5))
    signal = np.sin(3 * X[:, 0]) + X[:, 1]
    y = (signal + 2) / 4 if loss in REGRESSION else np.where(signal >= 0, 1.0, -1.0)
    return X, y, rng.random(T), rng.standard_normal((20, 5))


def allowed(algorithm, loss):
    return loss in C0 or not algorithm.endswith("++")


RUNS = [(a, loss, s) for a in ALGORITHMS for loss in LOSSES for s in SETTINGS if allowed(a, loss)]


@pytest.mark.parametrize("loss", LOSSES)
def test_slopes_against_finite_differences(loss):
    for y in (0.3, 0.8) if loss in REGRESSION else (-1.0, 1.0):
        for f in (-3.1, -0.7, 0.2, 1.7, 4.0):
            difference = (loss_value(loss, f + 1e-6, y) - loss_value(loss, f - 1e-6, y)) / 2e-6
            assert loss_slope(loss, f, y) == pytest.approx(difference, rel=1e-7, abs=1e-8)


def test_losses_at_their_corners():
    for f, y, value, slope in [(-1e6, 1, 1e6, -1), (1e6, 1, 0, 0), (1e6, -1, 1e6, 1), (0, 1, math.log(2), -0.5)]:
        assert loss_value("logistic", f, y) == pytest.approx(value)
        assert loss_slope("logistic", f, y) == pytest.approx(slope)
    assert loss_slope("absolute", 0.5, 0.5) == 0
    assert loss_slope("hinge", 1.0, 1.0) == 0


def random_steps(n=200):
    rng = np.random.default_rng(1)
    for k in range(n):
        K = 1 + k % 8
        q = rng.dirichlet(np.ones(K)) + 1e-4
        q /= q.sum()
        eta, c = rng.uniform(0.001, 0.5) * rng.uniform(1, 2, K), rng.uniform(0, 30) * (k % 5 > 0)
        yield q, eta, c, int(rng.integers(K))


def test_tsallis_step_is_the_mirror_descent_step():
    poles = 0
    for q, eta, c, arm in random_steps():
        new = tsallis_step(q, eta, c, arm)
        assert new.sum() == pytest.approx(1, abs=1e-13)
        if c == 0:
            assert np.array_equal(new, q)
            continue
        if len(q) > 1:
            assert new[arm] < q[arm] and np.all(np.delete(new - q, arm) > 0)
        # stationarity: (q_i^(-7/8) - new_i^(-7/8)) / eta_i + c_i is the same mu for all arms
        mu = (q ** (-7 / 8) - new ** (-7 / 8)) / eta
        mu[arm] += c
        assert mu == pytest.approx(np.full(len(q), mu[0]), rel=1e-9, abs=1e-9)
        poles += c > min(np.delete(q ** (-7 / 8) / eta, arm), default=math.inf)
    assert poles > 0  # the pole was the smaller end of the interval at least once


@pytest.mark.parametrize("height", [1.0, 0.6])
def test_norm_recurrence_and_projection(height):
    rng = np.random.default_rng(2)

    def kappa(x, v):
        return height * gaussian(0.7)(x, v)

    f, projected = Exact(kappa), 0
    for x in rng.uniform(-1, 1, (40, 3)):
        f.add(rng.normal(), x, f.value(x))
        assert f.norm2 == pytest.approx(squared_norm(f.coefs, f.xs, kappa), rel=1e-11)
        before, direction = math.sqrt(f.norm2), np.array(f.coefs)
        f.project(1.5)
        projected += before > 1.5
        shrink = min(1.0, 1.5 / before)
        assert np.array(f.coefs) == pytest.approx(shrink * direction)
        assert squared_norm(f.coefs, f.xs, kappa) == pytest.approx((shrink * before) ** 2)
    assert projected > 5


def test_features_approximate_the_kernel():
    rng = np.random.default_rng(3)
    h, (x, v) = Features(rng.standard_normal((40000, 3)) / 0.8), rng.uniform(-1, 1, (2, 3))
    assert h.z(x) @ h.z(v) == pytest.approx(gaussian(0.8)(x, v), abs=0.02)
    assert h.z(x) @ h.z(x) == pytest.approx(h.kappa_xx(x))


def test_draw():
    p = [0.25, 0.5, 0.25]
    assert [draw(p, u) for u in (0.0, 0.2, 0.25, 0.7, 0.75, 0.99, 1.0)] == [0, 0, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("Selector", [OKS, OKSPlus, IOKS])
@pytest.mark.parametrize("features", [False, True])
def test_probabilities_and_projections_in_play(Selector, loss, settings, features):
    if Selector is OKSPlus and loss not in C0:
        pytest.skip("refused")
    X, y, uniforms, u = problem(loss)
    K, U = 3, 0.5
    selector = Selector(K, len(y), loss, U, 5.0, settings)
    hypotheses = [Features(u / w) if features else Exact(gaussian(w)) for w in WIDTHS[:K]]
    for t in range(len(y)):
        before = selector.p
        rows, p = play_bandit(selector, hypotheses, X[t : t + 1], y[t : t + 1], loss, U, uniforms[t : t + 1])
        assert p is selector.p and rows[0][1] == before[rows[0][0]]
        assert p.sum() == pytest.approx(1, abs=1e-12)
        assert np.all(p >= selector.delta / K) and 0 < selector.delta <= 1
        for h in hypotheses:
            if selector.projects and features:
                assert np.all(np.abs(h.w) <= U / math.sqrt(20))
            elif selector.projects:
                assert squared_norm(h.coefs, h.xs, h.kappa) <= U**2 * (1 + 1e-9)


@pytest.mark.parametrize(("algorithm", "loss", "settings"), RUNS)
def test_every_run_is_finite(algorithm, loss, settings):
    X, y, uniforms, frequencies = problem(loss)
    full_information = algorithm in ("raker", "lkmbooks")
    for widths in (None, [0.5]):
        run = trace(algorithm, X, y, loss=loss, widths=widths, settings=settings, uniforms=uniforms,
                    frequencies=frequencies, budget=20)  # fmt: skip
        K = len(widths or WIDTHS)
        assert run.arms.shape == run.probabilities.shape == run.predictions.shape == run.losses.shape == (60,)
        assert run.weights.shape == (K,) and run.weights.sum() == pytest.approx(1, abs=1e-12)
        assert np.all(np.isfinite(run.predictions)) and np.all(np.isfinite(run.losses))
        assert run.losses == pytest.approx([loss_value(loss, f, v) for f, v in zip(run.predictions, y, strict=True)])
        if full_information:
            assert np.all(run.arms == -1) and np.all(np.isnan(run.probabilities))
        else:
            assert np.all((run.arms >= 0) & (run.arms < K)) and np.all(run.probabilities > 0)
            assert run.probabilities[0] == 1 / K and (K == 1 or len(set(run.arms)) > 1)
        if algorithm.endswith("++") or algorithm.endswith("ioks"):
            U = 15 if loss == "logistic" else 1
            assert np.all(np.abs(run.predictions) <= U * (math.sqrt(2) if "rf-" in algorithm else 1) + 1e-9)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("T", [1, 2, 4])
def test_short_horizons(algorithm, T):
    X, y, uniforms, frequencies = problem("square", T)
    run = trace(algorithm, X, y, loss="square", uniforms=uniforms, frequencies=frequencies)
    assert np.all(np.isfinite(run.losses)) and run.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("loss", ["absolute", "hinge"])
@pytest.mark.parametrize("algorithm", ["oks++", "rf-oks++"])
def test_oks_plus_refuses(algorithm, loss):
    X, y, uniforms, _ = problem(loss)
    with pytest.raises(ValueError, match="smooth"):
        trace(algorithm, X, y, loss=loss, uniforms=uniforms)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kernels_say_the_same_as_widths(algorithm):
    X, y, uniforms, u = problem("square")
    widths = [0.5, 1.0, 2.0]
    exact = algorithm in ("oks", "oks++", "ioks", "lkmbooks")
    kernels = [gaussian(w) if exact else u / w for w in widths]
    common = {"loss": "square", "uniforms": uniforms, "step_scale": 1, "radius": 2, "horizon": 100}
    one = trace(algorithm, X, y, widths=widths, frequencies=u, **common)
    other = trace(algorithm, X, y, kernels=kernels, **common)
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, getattr(other, name))


def test_the_settings_differ_only_where_marked():
    for algorithm, loss, settings in RUNS:
        if settings == "paper":
            X, y, uniforms, u = problem(loss)
            runs = [
                trace(algorithm, X, y, loss=loss, settings=s, uniforms=uniforms, frequencies=u, budget=20)
                for s in SETTINGS
            ]
            marked = "ioks" in algorithm or algorithm == "raker" or (algorithm.endswith("++") and loss == "logistic")
            assert np.array_equal(runs[0].weights, runs[1].weights) != marked


def test_published_raker_has_running_products_of_widths():
    X, y, uniforms, u = problem("square")
    common = {"loss": "square", "uniforms": uniforms, "frequencies": u}
    published = trace("raker", X, y, settings="published", **common)
    paper = trace("raker", X, y, widths=[1 / 4, 1 / 8, 1 / 8, 1 / 4, 1, 8], **common)
    np.testing.assert_array_equal(published.predictions, paper.predictions)


@pytest.mark.parametrize(
    "program", ["naive.py", "naive_losses.py", "naive_spaces.py", "naive_second_order.py", "naive_leader.py"]
)
def test_the_page_has_the_sections_that_the_program_cites(program):
    tests = Path(__file__).parent
    page = (tests.parent / "docs" / "algorithms.md").read_text(encoding="utf-8")
    headings = set(re.findall("^##+ (.+)$", page, re.MULTILINE))
    with (tests / program).open("rb") as lines:
        comments = [token.string for token in tokenize.tokenize(lines.readline) if token.type == tokenize.COMMENT]
    cited = set(re.findall('"([^"]+)"', " ".join(comments)))
    assert cited
    assert cited <= headings
