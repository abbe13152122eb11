"""Where the matrix of the kernel has less than full rank: solvers find the same in the few dimensions of features."""

import naive_hindsight
import numpy as np
import pytest
from scipy.optimize import minimize

import kernelpick
from kernelpick.hindsight import functions
from kernelpick.hindsight.functions import Coordinates, Pairs, functions_of
from kernelpick.hindsight.gram import Gram

SMOOTH = ["square", "huber", "logistic", "squared_hinge"]
LINEAR, SQUARE = kernelpick.Linear(), kernelpick.Polynomial(2, 1)
CASES = [(LINEAR, None), (SQUARE, None), (kernelpick.Gaussian(1.0), 8), (kernelpick.Laplacian(1.0), 8)]


def problem(loss="square", rows=60, distinct=None):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (rows, 2))
    if distinct:
        X = X[np.arange(rows) % distinct]
    y = 0.5 + 0.4 * np.sin(3 * X[:, 0]) + 0.3 * rng.normal(size=rows)
    return X, np.where(y > 0.5, 1.0, -1.0) if loss in ("hinge", "squared_hinge", "logistic") else y


def features(kernel, X):
    """Z with Z Z' = K: of a linear kernel, its square, or any kernel over few distinct rows."""
    if kernel in (LINEAR, SQUARE):
        Z = np.column_stack([np.ones(len(X)), X]) / np.sqrt(1 + (X**2).sum(1, keepdims=True))
        return Z if kernel == LINEAR else np.einsum("ti,tj->tij", Z, Z).reshape(len(X), -1)
    V, which = np.unique(X, axis=0, return_inverse=True)
    return np.linalg.cholesky(kernel(V, V))[which.ravel()]


def least_loss(loss, Z, y, radius):
    def slope(w):
        h = 1e-6
        return Z.T @ (naive_hindsight.loss(loss, Z @ w + h, y) - naive_hindsight.loss(loss, Z @ w - h, y)) / (2 * h)

    ball = {"type": "ineq", "fun": lambda w: radius**2 - w @ w, "jac": lambda w: -2 * w}
    found = minimize(
        lambda w: naive_hindsight.loss(loss, Z @ w, y).sum(), np.zeros(Z.shape[1]), jac=slope, constraints=[ball],
        method="SLSQP", options={"maxiter": 1000, "ftol": 1e-12},
    )  # fmt: skip
    assert np.linalg.norm(found.x) <= radius * (1 + 1e-6)
    return found.fun


@pytest.mark.parametrize("rows", [60, 1000, 2500])
def test_least_squares_in_features_is_the_best_of_every_ball_that_it_is_in(rows):
    X, y = problem(rows=rows)
    Z = features(LINEAR, X)
    w, (least,), *_ = np.linalg.lstsq(Z, y, rcond=None)
    for radius in (1.0, 2.0, 5.0, 1000.0):
        best = kernelpick.best_in_hindsight(X, y, LINEAR, loss="square", radius=radius)
        assert best.loss == pytest.approx(least, rel=1e-9)
        assert best.norm == pytest.approx(np.linalg.norm(w), rel=1e-5)
        assert best.predictions == pytest.approx(Z @ w, abs=1e-5)


@pytest.mark.parametrize("loss", SMOOTH)
@pytest.mark.parametrize("kernel, distinct", CASES)
def test_a_solver_finds_the_same_with_features(loss, kernel, distinct):
    X, y = problem(loss, distinct=distinct)
    for radius in (1.0, 2.0, 5.0):
        best = kernelpick.best_in_hindsight(X, y, kernel, loss=loss, radius=radius)
        assert best.loss == pytest.approx(least_loss(loss, features(kernel, X), y, radius), rel=1e-6)


@pytest.mark.parametrize("loss", [*SMOOTH, "absolute", "hinge"])
@pytest.mark.parametrize("rows", [60, 1000])
@pytest.mark.parametrize("kernel, distinct", CASES)
def test_bounds_meet_and_larger_balls_have_smaller_losses(loss, rows, kernel, distinct):
    X, y = problem(loss, rows, distinct)
    tolerance = 1e-9 if loss in SMOOTH else 2e-3
    K, before = kernel(X, X), np.inf
    for radius in (1.0, 2.0, 5.0, 30.0):
        best = kernelpick.best_in_hindsight(X, y, kernel, loss=loss, radius=radius)
        assert 0 <= best.gap <= tolerance * best.loss
        assert best.loss <= before * (1 + tolerance)
        a, before = best.coefficients, best.loss
        assert best.norm == pytest.approx(np.sqrt(a @ K @ a), rel=1e-9) and best.norm <= radius
        assert best.predictions == pytest.approx(K @ a, abs=1e-9)
        assert best.loss == pytest.approx(naive_hindsight.loss(loss, best.predictions, y).sum(), rel=1e-12)


@pytest.mark.parametrize(
    "kernel, distinct, rank", [(LINEAR, None, 3), (SQUARE, None, 6), (kernelpick.Gaussian(1), 8, 8)]
)
def test_coordinates_are_as_many_as_the_rank(kernel, distinct, rank, monkeypatch):
    X, _ = problem(rows=100, distinct=distinct)
    found = functions_of(Gram(kernel, X))
    assert isinstance(found, Coordinates) and found.size == rank
    assert found.L @ found.L.T == pytest.approx(kernel(X, X), abs=1e-13)
    assert isinstance(functions_of(Gram(kernel, X[:rank])), Pairs)  # full rank
    monkeypatch.setattr(functions, "WORK", 0)
    monkeypatch.setattr(functions, "MOST", rank)
    assert isinstance(functions_of(Gram(kernel, X)), Coordinates)
    monkeypatch.setattr(functions, "MOST", rank - 1)
    assert isinstance(functions_of(Gram(kernel, X)), Pairs)


@pytest.mark.parametrize("kernel, distinct", CASES)
def test_too_many_coordinates_leave_coefficients_that_rounding_does_not_spoil(kernel, distinct, monkeypatch):
    monkeypatch.setattr(functions, "WORK", 0)
    monkeypatch.setattr(functions, "MOST", 2)
    for loss in (*SMOOTH, "absolute", "hinge"):
        X, y = problem(loss, 300, distinct)
        for radius in (1.0, 5.0, 30.0):
            best = kernelpick.best_in_hindsight(X, y, kernel, loss=loss, radius=radius, tolerance=2e-3)
            a = best.coefficients
            assert 0 <= best.gap <= 2e-3 * best.loss
            assert best.norm == pytest.approx(np.sqrt(a @ kernel(X, X) @ a), rel=1e-3)


def test_rows_that_repeat_and_a_rank_of_nothing():
    X, y = problem(rows=40)
    for kernel in (kernelpick.Gaussian(0.1), kernelpick.Laplacian(0.5)):
        once = kernelpick.best_in_hindsight(X, y, kernel, loss="square", radius=2.0)
        thrice = kernelpick.best_in_hindsight(np.tile(X, (3, 1)), np.tile(y, 3), kernel, loss="square", radius=2.0)
        assert thrice.loss == pytest.approx(3 * once.loss, rel=1e-8)
        assert thrice.norm == pytest.approx(once.norm, rel=1e-6)
    for rows in (1, 5, 3000):
        best = kernelpick.best_in_hindsight(
            np.zeros((rows, 2)), np.ones(rows), kernelpick.Polynomial(2, offset=0.0), loss="square"
        )
        assert best.loss == best.lower_bound == rows and best.norm == 0 and not best.coefficients.any()
