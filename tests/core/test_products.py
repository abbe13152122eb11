"""The product of two vectors: eight chains of fused operations, the first of which takes what is left over."""

from fractions import Fraction

import numpy as np
import pytest

from kernelpick.core.numerics.compilation import JIT, compiled
from kernelpick.core.numerics.products import dot


@compiled
def dot_of(A: np.ndarray, a: int, m: int, B: np.ndarray, b: int) -> float:
    return dot(A, a, m, B, b)


def fused(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


@pytest.mark.skipif(not JIT, reason="without the compiler products are rounded before they are added")
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 16, 39, 41, 800])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_product_of_vectors_is_summed_in_its_order(size, kind):
    """Also of weights, which are double, and features in single precision."""
    rng = np.random.default_rng(size)
    A, B = rng.normal(size=(2, 3, size)) * 10.0 ** rng.integers(-9, 9, size), rng.normal(size=(4, size)).astype(kind)
    a, b, chains, whole = A[1, 2].tolist(), B[3].tolist(), [0.0] * 8, size - size % 8
    for j in range(size):
        lane = j % 8 if j < whole else 0
        chains[lane] = fused(a[j], b[j], chains[lane])
    s = chains
    assert dot_of(A, 1, 2, B, 3) == ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
