"""The numerics in single precision: near the double ones, and with nothing of them inside."""

import numba
import numpy as np
import pytest

from kernelpick.core.numerics.compilation import JIT, fma
from kernelpick.core.numerics.elementary import cosines_and_sines
from kernelpick.core.numerics.panels import products_with, times
from kernelpick.core.numerics.precision import held
from kernelpick.core.numerics.products import dot, product

compiled = numba.njit(error_model="numpy") if JIT else lambda function: function


@compiled
def waves(angles, factors, out):
    cosines_and_sines(angles, 0, factors, 0, factors[0, 0], out, 0)


@compiled
def project(A, X, columns, out):
    product(A, 0, X, 0, len(X), columns, out, 0)


@compiled
def step(weights, z, size):
    kept = held(weights, size)
    for j in range(weights.shape[2]):
        weights[0, 0, j] = fma(-kept, z[0, j], weights[0, 0, j])
    return dot(weights, 0, 0, z, 0)


@compiled
def multiply(Z, P, K):
    times(Z, 0, 0, Z.shape[1], P, 0, K, 0, 0)


@compiled
def look(K, Z, L):
    products_with(K, 0, K.shape[1], Z, 0, 0, L, 0)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("largest", [1.0, 50.0, 3e4, 1e7, 1e20])
def test_sines_and_cosines(largest):
    """To half a unit in the last place of 1, whatever the argument."""
    angles = (np.linspace(-largest, largest, 999)[None]).astype(np.float32)
    out = np.empty((1, 2 * 999), np.float32)
    waves(angles, np.ones((1, 999), np.float32), out)
    exact = angles[0].astype(float)
    assert np.abs(out[0] - np.concatenate([np.cos(exact), np.sin(exact)])).max() < 1.2e-7


def test_projections_and_products():
    A, X = numbers(1, 7, 45), numbers(11, 7, seed=1)
    X[3:, 2:4] = 0.0
    out = np.empty((11, 45), np.float32)
    project(A.astype(np.float32), X, np.empty(7, np.int64), out)
    assert np.abs(out - X @ A[0]).max() < 3e-6
    w, z = numbers(1, 1, 83).astype(np.float32), numbers(1, 83, seed=1).astype(np.float32)
    moved = w[0, 0].astype(float) - 0.5 * z[0].astype(float)
    assert abs(step(w, z, 0.5) - moved @ z[0]) < 1e-5


@pytest.mark.parametrize("P_kind", [np.float32, np.float64])
def test_matrices_are_rounded_as_they_are_read(P_kind):
    """Alike for one row and for many: each sum is one chain."""
    order, rows = 520, 10
    P, Z = numbers(1, order // 8, order, 8).astype(P_kind), numbers(1, rows, order, seed=1).astype(np.float32)
    K, one = np.empty((1, rows, order), np.float32), np.empty((1, 1, order), np.float32)
    multiply(Z, P, K)
    wanted = Z[0].astype(float) @ P[0].transpose(1, 0, 2).reshape(order, order)
    assert np.abs(K[0] - wanted).max() < 1e-4
    for row in range(rows):
        multiply(np.ascontiguousarray(Z[:, row : row + 1]), P, one)
        assert np.array_equal(one[0, 0], K[0, row])
    L = np.empty((1, rows))
    look(K, Z, L)
    assert np.abs(L[0] - K[0].astype(float) @ Z[0, 0].astype(float)).max() < 2e-3


@pytest.mark.skipif(not JIT, reason="there is no machine code")
def test_no_number_becomes_a_double_in_a_loop():
    """One constant of the source that is not told to be single, and loops run at half the speed."""
    single = np.ones((1, 40), np.float32)
    waves(single, single, np.empty((1, 80), np.float32))
    step(single[None], single, 0.5)
    for function in (waves, step):
        kinds = next(signature for signature in function.signatures if "float32" in str(signature[0]))
        code = function.inspect_llvm(kinds)
        vectors = [line for line in code.splitlines() if " x double>" in line or "fpext <" in line]
        assert "x float>" in code and not vectors, (function.__name__, vectors[:3])
