"""Conjugates by their definition, products block by block, and directions, each against whole matrices."""

import naive_hindsight
import numpy as np
import pytest

import kernelpick
from kernelpick.core.losses import OURS
from kernelpick.hindsight import gram
from kernelpick.hindsight.curves import CURVES, summed_loss
from kernelpick.hindsight.gram import Gram
from kernelpick.hindsight.newton import direction, near

KERNELS = [kernelpick.Gaussian(0.4), kernelpick.Laplacian(1.0), kernelpick.Cauchy(0.7), kernelpick.Polynomial(3)]


@pytest.mark.parametrize("loss", OURS)
def test_conjugates_are_the_largest_difference_to_a_line(loss):
    f = np.linspace(-60, 60, 400_001)
    low, high = np.clip(CURVES[loss].domain, -3, 3)
    for y in (-1.0, 1.0) if OURS[loss].classifies else (-0.7, 0.4):
        summed = summed_loss(OURS[loss], np.array([y]))
        for b in np.linspace(low, high, 7):
            slope = y * b if summed.classifies else b
            largest = (slope * f - naive_hindsight.loss(loss, f, y)).max()
            assert summed.conjugate(np.array([slope])) == pytest.approx(largest, abs=3e-4)  # as fine as f is
    outside = CURVES[loss].domain[1] + 0.1
    if np.isfinite(outside):
        assert summed.conjugate(np.array([y * outside if summed.classifies else outside])) == np.inf


@pytest.mark.parametrize("loss", OURS)
@pytest.mark.parametrize("blur", [0.0, 0.2])
def test_slopes_and_curvatures_are_derivatives_and_rounding_is_from_below(loss, blur):
    f = np.linspace(-2.013, 2.017, 200)
    summed = summed_loss(OURS[loss], np.where(np.arange(200) % 2, 1.0, -1.0))
    u, h = summed._at(f), 1e-5
    curve = summed.curve
    assert curve.slope(u, blur) == pytest.approx(
        (curve.value(u + h, blur) - curve.value(u - h, blur)) / (2 * h), abs=1e-4
    )
    assert curve.curvature(u, blur) == pytest.approx(
        (curve.slope(u + h, blur) - curve.slope(u - h, blur)) / (2 * h), abs=1e-4
    )
    below = naive_hindsight.loss(loss, f, summed.y) - curve.value(u, blur)
    assert below.min() >= -1e-12 and below.max() <= (blur / 2 if curve.kinked else 1e-12) + 1e-12


@pytest.mark.parametrize("kernel", KERNELS)
def test_products_are_those_of_the_whole_matrix(kernel, monkeypatch):
    monkeypatch.setattr(gram, "TILE_ROWS", 16)
    X = np.random.default_rng(0).uniform(-1, 1, (71, 4))
    A = np.random.default_rng(1).normal(size=(71, 3))
    assert Gram(kernel, X).times(A) == pytest.approx(kernel(X, X) @ A, abs=1e-10)


def test_a_direction_solves_its_equation():
    X = np.random.default_rng(0).uniform(-1, 1, (80, 2))
    about = near(Gram(kernelpick.Gaussian(0.3), X), 20)
    W, residual = np.random.default_rng(1).uniform(0, 3, 80), np.random.default_rng(2).normal(size=80)
    K = about.L @ about.L.T + np.diag(about.rest)
    assert np.diag(K) == pytest.approx(np.ones(80), abs=1e-8)
    d = direction(about, W, 0.7, residual)
    assert W * (K @ d) + 0.7 * d == pytest.approx(-residual, abs=1e-9)
