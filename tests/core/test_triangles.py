"""Triangles solved eight unknowns at a time, against one by one."""

import numpy as np
import pytest

from kernelpick.core.numerics.compilation import compiled, fma
from kernelpick.core.numerics.triangles import solve

pytestmark = pytest.mark.bounds


@compiled
def run(N, L, count):
    solve(N, L, 1, count)


@compiled
def plain(N, L, count):
    for q in range(count):
        for r in range(q + 1, count):
            L[1, r] = fma(-N[1, q, r], L[1, q], L[1, r])


@pytest.mark.parametrize("size", [4, 12, 16, 64])
def test_the_same_bits_as_one_by_one(size):
    generator = np.random.default_rng(size)
    N = generator.normal(size=(2, size, size))  # what lies on and below the diagonal is not looked at
    for count in range(size + 1):
        L = generator.normal(size=(3, size))
        expected = L.copy()
        run(N, L, count)
        plain(N, expected, count)
        assert np.array_equal(L[1, :count], expected[1, :count])
        assert np.array_equal(L[[0, 2]], expected[[0, 2]])
