"""The best weights of a box, against a plain solver and against weights drawn at random."""

import naive_hindsight
import numpy as np
import pytest
from scipy.optimize import minimize

import kernelpick
from kernelpick.core.losses import OURS
from kernelpick.hindsight.box import best_in_box
from kernelpick.hindsight.curves import summed_loss


def problem(loss, rows=80):
    generator = np.random.default_rng(0)
    X = generator.uniform(-1, 1, (rows, 2))
    y = np.sin(4 * X[:, 0]) + 0.3 * generator.normal(size=rows)
    Z = kernelpick.features(kernelpick.Gaussian(0.5), X, n_features=6)
    return Z, np.where(y > 0, 1.0, -1.0) if OURS[loss].classifies else y


@pytest.mark.parametrize("loss", OURS)
@pytest.mark.parametrize("limit", [0.1, 2.0, 10.0])
def test_no_weights_of_the_box_are_below_the_bound(loss, limit):
    Z, y = problem(loss)
    found = best_in_box(summed_loss(OURS[loss], y), Z, limit, 1e-4)
    assert 0 <= found.loss - found.lower_bound <= 1e-4 * max(found.loss, 2e-4 * len(y))
    assert found.loss == pytest.approx(naive_hindsight.loss(loss, found.predictions, y).sum(), rel=1e-12)
    w = np.linalg.lstsq(Z, found.predictions, rcond=None)[0]
    assert np.abs(Z @ w - found.predictions).max() < 1e-6
    generator = np.random.default_rng(1)
    for size in 10.0 ** generator.uniform(-5, 0, 50):
        other = np.clip(w + size * generator.normal(size=len(w)), -limit, limit)
        assert naive_hindsight.loss(loss, Z @ other, y).sum() >= found.lower_bound


@pytest.mark.parametrize("loss", ["square", "logistic", "squared_hinge", "huber"])
def test_a_plain_solver_finds_the_same(loss):
    Z, y = problem(loss)
    found = best_in_box(summed_loss(OURS[loss], y), Z, 0.5, 1e-6)
    plain = minimize(lambda w: naive_hindsight.loss(loss, Z @ w, y).sum(), np.zeros(12), bounds=[(-0.5, 0.5)] * 12)
    assert found.loss == pytest.approx(plain.fun, rel=1e-5)
