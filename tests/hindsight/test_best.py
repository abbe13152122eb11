"""The best hypothesis in hindsight against eigenvalues, solvers, and hypotheses drawn at random."""

import naive_hindsight
import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import kernelpick
from kernelpick.core.losses import OURS
from kernelpick.extend import loss as declare_loss
from kernelpick.hindsight import best as solver
from kernelpick.hindsight import functions
from kernelpick.hindsight.curves import CURVES

KERNELS = [kernelpick.Gaussian(0.4), kernelpick.Laplacian(1.0), kernelpick.Matern32(0.7), kernelpick.Polynomial(3)]


def problem(loss, rows, inputs=3, seed=0):
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1, 1, (rows, inputs))
    y = np.sin(3 * X[:, 0]) + 0.3 * generator.normal(size=rows)
    return X, np.where(y > 0.2, 1.0, -1.0) if OURS[loss].classifies else y


def test_every_loss_of_ours_has_a_curve():
    assert set(CURVES) == set(OURS)


@pytest.mark.parametrize(
    "kernel, rows, radius",
    [
        (kernelpick.Gaussian(0.3), 50, 0.5),
        (kernelpick.Matern52(2.0), 400, 2.0),
        pytest.param(kernelpick.Gaussian(0.3), 2000, 8.0, marks=pytest.mark.long),
        (kernelpick.Matern52(2.0), 2000, 1.0),
    ],
)
def test_the_square_loss_is_that_of_the_solution_by_eigenvalues(kernel, rows, radius):
    X, y = problem("square", rows)
    best = kernelpick.best_in_hindsight(X, y, kernel, loss="square", radius=radius)
    expected = naive_hindsight.square_by_eigenvalues(kernel(X, X), y, radius)
    assert best.loss == pytest.approx(expected, rel=1e-8)
    assert best.lower_bound == pytest.approx(expected, rel=1e-8)


def test_a_matrix_of_low_rank_in_the_place_of_the_kernel_leads_to_the_same(monkeypatch):
    monkeypatch.setattr(functions, "LEAST_RANK", 40)
    for name in OURS:
        X, y = problem(name, 700)
        best = kernelpick.best_in_hindsight(X, y, kernelpick.Gaussian(0.5), loss=name, radius=3.0)
        assert 0 <= best.gap <= 2e-3 * best.loss
        if name == "square":
            assert best.loss == pytest.approx(
                naive_hindsight.square_by_eigenvalues(kernelpick.Gaussian(0.5)(X, X), y, 3.0), rel=1e-8
            )


@pytest.mark.parametrize("loss", OURS)
@pytest.mark.parametrize("radius", [0.3, 2.0, 30.0])
def test_no_hypothesis_is_below_the_bound_and_a_plain_solver_finds_none_better(loss, radius):
    for seed, kernel in enumerate(KERNELS):
        X, y = problem(loss, 9, seed=seed)
        best = kernelpick.best_in_hindsight(X, y, kernel, loss=loss, radius=radius, tolerance=1e-5)
        K = kernel(X, X)
        least = naive_hindsight.least_loss(loss, K, y, radius)
        assert best.lower_bound <= least + 1e-9
        assert best.loss <= least + 1e-5 * max(least, 1e-2)
        assert best.gap <= 1e-5 * max(best.loss, 1e-3 * len(y))


@pytest.mark.parametrize("loss", OURS)
def test_the_certificate_holds_for_hypotheses_at_random(loss):
    generator, kernel = np.random.default_rng(1), kernelpick.Gaussian(0.5)
    X, y = problem(loss, 60)
    best = kernelpick.best_in_hindsight(X, y, kernel, loss=loss, radius=2.0)
    K = kernel(X, X)
    for _ in range(50):
        a = best.coefficients + 10.0 ** generator.uniform(-6, 1) * generator.normal(size=60)
        f = K @ a * min(1, 2.0 / np.sqrt(a @ K @ a))
        assert naive_hindsight.loss(loss, f, y).sum() >= best.lower_bound


@pytest.mark.parametrize("loss", OURS)
def test_what_is_told_belongs_together(loss):
    kernel = kernelpick.Gaussian(0.5)
    X, y = problem(loss, 300)
    best = kernelpick.best_in_hindsight(X, y, kernel, loss=loss)
    K = kernel(X, X)
    assert best.predictions == pytest.approx(K @ best.coefficients, abs=1e-9)
    assert best.norm == pytest.approx(np.sqrt(best.coefficients @ K @ best.coefficients), abs=1e-9)
    assert best.norm <= OURS[loss].radius
    assert best.loss == pytest.approx(naive_hindsight.loss(loss, best.predictions, y).sum(), rel=1e-12)


def test_inputs_far_from_zero_lose_no_digits():
    X, y = problem("square", 200)
    near = kernelpick.best_in_hindsight(X, y, kernelpick.Gaussian(0.5), loss="square")
    X[0, 0] += 1000.0  # the rows themselves, by direct differences
    far = kernelpick.best_in_hindsight(X + 1e4, y, kernelpick.Gaussian(0.5), loss="square")
    expected = naive_hindsight.square_by_eigenvalues(kernelpick.Gaussian(0.5)(X, X), y, 1.0)
    assert far.loss == pytest.approx(expected, rel=1e-8)
    assert far.loss != near.loss


def test_strange_problems():
    kernel, X = kernelpick.Gaussian(0.5), np.random.default_rng(0).normal(size=(40, 2))
    exact = kernelpick.best_in_hindsight(X, np.zeros(40), kernel, loss="square")
    assert exact.loss == exact.lower_bound == exact.norm == 0
    alone = kernelpick.best_in_hindsight([[1.0]], [3.0], kernel, loss="square", radius=1.0)
    assert alone.loss == pytest.approx(4.0)
    twins = kernelpick.best_in_hindsight(np.ones((30, 2)), np.r_[np.ones(15), -np.ones(15)], kernel, loss="hinge")
    assert twins.loss == pytest.approx(30.0, rel=2e-3) and twins.lower_bound <= 30.0 + 1e-9
    nowhere = kernelpick.best_in_hindsight(
        np.zeros((5, 2)), np.ones(5), kernelpick.Polynomial(2, offset=0.0), loss="square"
    )
    assert nowhere.loss == nowhere.lower_bound == 5.0  # this kernel is 0 at 0
    wide = kernelpick.best_in_hindsight(X, np.sign(X[:, 0]), kernel, loss="logistic", radius=1e4)
    assert wide.gap <= 1e-6 * 40
    straight = kernelpick.best_in_hindsight(
        X, X[:, 0] + 0.1 * X[:, 1] ** 2, kernelpick.Linear(), loss="square", radius=1e3
    )
    assert straight.gap <= 5e-3 * straight.loss and straight.norm < 1e3  # the ball does not bind


@declare_loss("quartic", classifies=False, smooth=None, lipschitz=lambda radius: 1.0, largest=lambda radius: 1.0)
class Quartic(tuple):
    _fields = ()
    value = slope = reach = staticmethod(lambda loss, f, y: 0.0)


def test_what_is_wrong_is_told():
    X, y = problem("square", 10)
    kernel = kernelpick.Gaussian(0.5)

    def refused(sentence, *given, **options):
        with pytest.raises(ValueError, match=sentence):
            kernelpick.best_in_hindsight(*given, **options)

    refused("X holds nan in row 3", np.where(np.arange(10)[:, None] == 3, np.nan, X), y, kernel, loss="square")
    refused("one number per row of X, 10 in all", X, y[:9], kernel, loss="square")
    refused("must be -1 or \\+1 for the hinge loss", X, y, kernel, loss="hinge")
    refused("Unknown loss 'squar': did you mean 'square'", X, y, kernel, loss="squar")
    refused("kernel is 0.5; it must be a kernel", X, y, 0.5, loss="square")
    refused("radius must be a positive number, not -1", X, y, kernel, loss="square", radius=-1)
    refused("tolerance must be a positive number, not -1", X, y, kernel, loss="square", tolerance=-1)
    refused("The loss 'quartic' is not of kernelpick, so its conjugate is not known", X, y, kernel, loss=Quartic())


def test_few_rows_that_a_large_ball_nearly_separates():
    """Kinks must be rounded very little, which takes many passes."""
    rng = np.random.default_rng(0)
    X = 1.0 * (rng.random((300, 20)) < 0.5)
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * X[:, 2] - 0.5 + 0.3 * rng.normal(size=300) > 0, 1.0, -1.0)
    best = kernelpick.best_in_hindsight(X, y, kernelpick.Gaussian(2.0), loss="hinge", radius=25.0)
    assert 0 < best.gap <= 2e-3 * best.loss


@pytest.mark.parametrize(("rows", "threads"), [(40, 1), (solver.FEW + 1, 2)])
def test_few_rows_are_not_spread_over_threads(rows, threads, monkeypatch):
    seen = []

    def search(summed, functions, radius, tolerance):
        seen.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        return np.zeros(functions.size), np.zeros(len(summed.y))

    monkeypatch.setattr(solver, "search", search)
    X = np.linspace(-1, 1, rows)[:, None]
    with threadpool_limits(2, user_api="blas"):
        kernelpick.best_in_hindsight(X, X[:, 0], kernelpick.Gaussian(1.0), loss="square")
    assert seen and set(seen) == {threads}
