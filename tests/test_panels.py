"""Matrices in panels, against the ordinary products; the same bits in any company."""

import numpy as np
import pytest

from kernelpick.core.numerics import panels
from kernelpick.core.numerics.compilation import JIT, compiled
from kernelpick.core.numerics.symmetric import times_symmetric

pytestmark = pytest.mark.bounds


@compiled
def run_times(A, first, last, P, s, out, to):
    panels.times(A, 1, first, last, P, s, out, 1, to)


@compiled
def run_symmetric(A, first, last, P, s, out, to):
    times_symmetric(A, 1, first, last, P, s, out, 1, to)


@compiled
def run_downdate(P, A, rows, c):
    panels.downdate(P, 1, A, 1, rows, c)


@compiled
def run_eliminate(N, K, rows):
    panels.eliminate(N, K, 1, rows)


@compiled
def run_products(A, count, Z, at, out):
    panels.products_with(A, 1, count, Z, 0, at, out, 1)


@compiled
def run_mirror(P):
    panels.mirror(P, 1)


def several(matrix, generator):
    """The matrix in panels at place 1, something else at place 0."""
    other = generator.normal(size=matrix.shape)
    return np.stack([panels.in_panels(other), panels.in_panels(matrix)])


def symmetric(order, generator):
    matrix = generator.normal(size=(order, order))
    return matrix + matrix.T


ORDERS = [8, 32, 40, 192, 200, 392]  # around four panels, and around the piece that stays in the cache


@pytest.mark.parametrize("order", ORDERS)
def test_dense_and_in_panels_are_inverse(order):
    matrix = np.arange(float(order * order)).reshape(order, order)
    held = panels.in_panels(matrix)
    assert held.shape == (order // 8, order, 8) and held.flags.c_contiguous
    assert held[-1, 3, 2] == matrix[3, order - 6]
    assert np.array_equal(panels.dense(held), matrix)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rows", [1, 3, 4, 7, 64])
def test_times(order, rows):
    generator = np.random.default_rng(order + rows)
    matrix = generator.normal(size=(order, order))  # need not be symmetric
    P, A = several(matrix, generator), generator.normal(size=(2, rows + 3, order))
    out = np.full((2, rows + 5, order), np.nan)
    run_times(A, 2, 2 + rows, P, 1, out, 4)
    assert np.allclose(out[1, 4 : 4 + rows], A[1, 2 : 2 + rows] @ matrix, rtol=1e-12, atol=1e-11)
    assert np.isnan(out[0]).all() and np.isnan(out[1, :4]).all() and np.isnan(out[1, 4 + rows :]).all()
    single = np.full_like(out, np.nan)
    for row in range(rows):
        run_times(A, 2 + row, 3 + row, P, 1, single, 4 + row)
    assert np.array_equal(single, out, equal_nan=True)


@pytest.mark.parametrize("order", [8, 16, 24, 40, 88, 392])  # one, two and three panels, and more of both kinds
@pytest.mark.parametrize("rows", [1, 3, 4, 6])
def test_symmetric_matrices_have_the_same_products(order, rows):
    generator = np.random.default_rng(order + rows)
    matrix, A = symmetric(order, generator), generator.normal(size=(2, rows + 3, order))
    P = several(matrix, generator)
    whole, out = np.full((2, rows + 5, order), np.nan), np.full((2, rows + 5, order), np.nan)
    run_times(A, 2, 2 + rows, P, 1, whole, 4)
    run_symmetric(A, 2, 2 + rows, P, 1, out, 4)
    assert np.allclose(out, whole, rtol=1e-12, atol=1e-11, equal_nan=True)
    if JIT:  # plain Python multiplies and adds, each with a rounding of its own
        assert np.array_equal(out, whole, equal_nan=True)


@pytest.mark.parametrize("order", [8, 16, 24, 88])
def test_a_single_row_does_not_look_below_the_diagonal(order):
    generator = np.random.default_rng(order)
    matrix, A = symmetric(order, generator), generator.normal(size=(2, 1, order))
    P, out = several(matrix, generator), np.full((2, 1, order), np.nan)
    for J in range(order // 8):
        P[1, J, 8 * J + 8 :] = np.nan
    run_symmetric(A, 0, 1, P, 1, out, 0)
    assert np.allclose(out[1, 0], matrix @ A[1, 0], rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rows", [1, 5, 64])
def test_downdates_stay_symmetric_to_the_last_bit(order, rows):
    generator = np.random.default_rng(order + rows)
    matrix, A = symmetric(order, generator), generator.normal(size=(2, 64, order))
    c = generator.random((2, 64))
    P = several(matrix, generator)
    other = P[0].copy()
    run_downdate(P, A, rows, c)
    after = panels.dense(P[1])
    assert np.array_equal(after, after.T)
    expected = matrix - (A[1, :rows].T * c[1, :rows]) @ A[1, :rows]
    assert np.allclose(after, expected, rtol=1e-12, atol=1e-11)
    assert np.array_equal(P[0], other)


def test_mirror():
    generator = np.random.default_rng(0)
    matrix = generator.normal(size=(40, 40))
    P = several(matrix, generator)
    run_mirror(P)
    assert np.array_equal(panels.dense(P[1]), np.triu(matrix) + np.triu(matrix, 1).T)


@pytest.mark.parametrize("rows", [1, 2, 4, 6, 63, 64])
def test_eliminate(rows):
    """A_r = K_r - sum over s < r of N_rs A_s, that is (1 + N) A = K with N below the diagonal."""
    generator = np.random.default_rng(rows)
    N, K = 0.2 * generator.normal(size=(2, 64, 64)), generator.normal(size=(2, 64, 24))
    below = np.tril(N[1, :rows, :rows].T, -1)
    expected = np.linalg.solve(np.eye(rows) + below, K[1, :rows])
    rest = K[1, rows:].copy(), K[0].copy()
    run_eliminate(N, K, rows)
    assert np.allclose(K[1, :rows], expected, rtol=1e-10, atol=1e-10)
    assert np.array_equal(K[1, rows:], rest[0]) and np.array_equal(K[0], rest[1])


@pytest.mark.parametrize("order", ORDERS)
def test_products_with_one_row(order):
    generator = np.random.default_rng(order)
    A, Z = generator.normal(size=(2, 64, order)), generator.normal(size=(1, 3, order))
    out = np.full((2, 64), np.nan)
    run_products(A, 63, Z, 2, out)
    assert np.allclose(out[1, :63], A[1, :63] @ Z[0, 2], rtol=1e-12, atol=1e-12)
    assert np.isnan(out[0]).all() and np.isnan(out[1, 63])
    for count in (1, 2, 6, 62):
        fewer = np.full((2, 64), np.nan)
        run_products(A, count, Z, 2, fewer)
        assert np.array_equal(fewer[1, :count], out[1, :count])
        assert np.isnan(fewer[1, count:]).all()


def test_padded():
    assert [panels.padded(size) for size in (1, 8, 9, 504, 505)] == [8, 8, 16, 504, 512]
