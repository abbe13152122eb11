"""Sine, cosine and exponential that run in vector lanes.

Numba calls the scalar functions of the C library, one at a time. These are short range reductions and polynomials in
plain arithmetic, accurate to a few units in the last place, that the compiler turns into vector code. Sine and cosine
have fewer terms in single precision.
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import fma, inner, power_of_two
from kernelpick.core.numerics.precision import by_precision, held

TWO_OVER_PI = 2 / math.pi
PI_2_HIGH, PI_2_LOW = 1.5707963267948966, 6.123233995736766e-17  # their sum is pi/2 to 107 bits
LARGEST_ARGUMENT = 1e9  # beyond, the C library takes over; below, the reduction loses less than the product did
LOG2_E = 1 / math.log(2)
LN_2_HIGH, LN_2_LOW = 0.6931471805599453, 2.3190468138462996e-17
SMALLEST_EXPONENT = -708.0  # exp of less is taken as exp of this, about 3e-308

# Taylor coefficients; on |r| <= pi/4 the remainder of sine and cosine, and on |r| <= ln(2)/2 that of the
# exponential, is below half a unit in the last place.
S3, S5, S7, S9, S11, S13, S15 = ((-1) ** (n // 2) / math.factorial(n) for n in (3, 5, 7, 9, 11, 13, 15))
C2, C4, C6, C8, C10, C12, C14, C16 = ((-1) ** (n // 2) / math.factorial(n) for n in (2, 4, 6, 8, 10, 12, 14, 16))
F: Any = np.float32  # the same in single precision
F_ONE, F_TWO_OVER_PI, F_PI_2_HIGH = F(1), F(TWO_OVER_PI), F(math.pi / 2)
F_PI_2_LOW, F_LARGEST = F(math.pi / 2 - float(F_PI_2_HIGH)), F(1e5)
F_S3, F_S5, F_S7, F_S9 = F(S3), F(S5), F(S7), F(S9)
F_C2, F_C4, F_C6, F_C8, F_C10 = F(C2), F(C4), F(C6), F(C8), F(C10)
E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13 = (1 / math.factorial(n) for n in range(2, 14))


@inner
def exponential(x: float) -> float:
    """exp(x) for x <= 700."""
    x = max(x, SMALLEST_EXPONENT)
    n = np.rint(x * LOG2_E)
    r = fma(-n, LN_2_LOW, fma(-n, LN_2_HIGH, x))
    tail = fma(r, fma(r, fma(r, fma(r, fma(r, E13, E12), E11), E10), E9), E8)
    middle = fma(r, fma(r, fma(r, fma(r, tail, E7), E6), E5), E4)
    return fma(r, fma(r, fma(r, fma(r, middle, E3), E2), 1.0), 1.0) * power_of_two(n)


def _near_double(x: float) -> tuple[float, float, float]:
    """The quarter turns n nearest to x, and sine and cosine of what is left of x."""
    n = np.rint(x * TWO_OVER_PI)
    r = fma(-n, PI_2_LOW, fma(-n, PI_2_HIGH, x))
    z = r * r
    odd_terms = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, S15, S13), S11), S9), S7), S5), S3)
    even_terms = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, C16, C14), C12), C10), C8), C6), C4), C2)
    return n, fma(r * z, odd_terms, r), fma(z, even_terms, 1.0)


def _near_single(x: Any) -> tuple[Any, Any, Any]:
    n = np.rint(x * F_TWO_OVER_PI)
    r = fma(-n, F_PI_2_LOW, fma(-n, F_PI_2_HIGH, x))
    z = r * r
    odd_terms = fma(z, fma(z, fma(z, F_S9, F_S7), F_S5), F_S3)
    even_terms = fma(z, fma(z, fma(z, fma(z, F_C10, F_C8), F_C6), F_C4), F_C2)
    return n, fma(r * z, odd_terms, r), fma(z, even_terms, F_ONE)


_near = by_precision(single=_near_single, double=_near_double)
_largest = by_precision(single=lambda angles: F_LARGEST, double=lambda angles: LARGEST_ARGUMENT)


@inner
def cosines_and_sines(
    angles: np.ndarray, row: int, factors: np.ndarray, factor_row: int, scale: Any, out: np.ndarray, out_row: int
) -> None:
    """Cosines of angles[row] * factors[factor_row] * scale, then their sines, into out[out_row] from its start."""
    size = angles.shape[1]
    cosines = out[out_row, :size]  # two slices: one array indexed at j and size + j would not vectorise
    sines = out[out_row, size:]
    beyond, largest, one_half = False, _largest(angles), held(angles, 0.5)
    for j in range(size):
        beyond |= abs(angles[row, j] * (factors[factor_row, j] * scale)) > largest
    if beyond:
        for j in range(size):
            x = angles[row, j] * (factors[factor_row, j] * scale)
            cosines[j] = math.cos(x)
            sines[j] = math.sin(x)
        return
    for j in range(size):
        n, sine, cosine = _near(angles[row, j] * (factors[factor_row, j] * scale))
        # The quadrant n mod 4 by comparisons of floats: integer conversions do not vectorise everywhere.
        half = n * one_half
        whole = np.floor(half)
        odd = half != whole
        quarter = whole * one_half
        lower = quarter != np.floor(quarter)
        first = cosine if odd else sine
        second = sine if odd else cosine
        sines[j] = -first if lower else first
        cosines[j] = -second if lower != odd else second
