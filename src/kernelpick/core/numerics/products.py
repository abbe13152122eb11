"""Products of a few rows with the rows of a matrix, zeros skipped, and of two vectors; in one fixed order.

The engine looks ahead in the inputs: projections and distances of a block of coming rows are computed together. The
dynamics amplify rounding, so every entry has to come out the same to the last bit however the stream is cut. Here each
entry is one chain of fused multiply-adds over the inputs in ascending order, whatever stands around it; a zero input
leaves the chain as it is, so that skipping it or not makes no difference.
"""

import numpy as np

from kernelpick.core.numerics.arrays import flattened
from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.precision import by_precision, held
from kernelpick.core.numerics.registers import chains, lanes
from kernelpick.core.numerics.vectors import LANES

ROWS_A_PASS = 4  # rows that go through a matrix in one pass,
SPARSE = 1.5  # unless their nonzeros are in different columns and that costs more than this factor in products
WIDE = 4 * LANES  # numbers that a product of vectors in single precision takes at a time
_in_lanes, _in_chains = lanes(4), chains()


@inner
def product(
    A: np.ndarray, a: int, X: np.ndarray, row: int, stop: int, index: np.ndarray, out: np.ndarray, o: int
) -> None:
    """out[o + i, j] = sum over k of X[row + i, k] * A[a, k, j], for the rows row .. stop - 1 of X.

    index, as long as X is wide, is scratch. Written as one function, since each level of calls is compiled anew.
    """
    width = A.shape[2]
    alone = 0  # rows that are to go through one by one
    while row < stop:
        rows = ROWS_A_PASS if alone == 0 and row + ROWS_A_PASS <= stop else 1
        count, entries = 0, 0  # columns in which one of these rows is not zero, and all entries that are not
        for k in range(X.shape[1]):
            here = 0
            for r in range(row, row + rows):
                if X[r, k] != 0.0:
                    here += 1
            if here > 0:
                index[count] = k
                count += 1
                entries += here
        if rows * count > SPARSE * entries:
            alone = rows
            continue
        for r in range(o, o + rows):
            for j in range(width):
                out[r, j] = 0.0
        i = 0
        if rows == 1:
            while i + 2 <= count:  # two inputs at a time: fewer passes over the output, and the same chain
                k0, k1 = index[i], index[i + 1]
                x0, x1 = held(A, X[row, k0]), held(A, X[row, k1])
                for j in range(width):
                    out[o, j] = fma(x1, A[a, k1, j], fma(x0, A[a, k0, j], out[o, j]))
                i += 2
        else:
            while i + 2 <= count:  # two inputs, four rows: each number of A is loaded once for all of them
                k0, k1 = index[i], index[i + 1]
                s0, s1 = held(A, X[row, k0]), held(A, X[row + 1, k0])
                s2, s3 = held(A, X[row + 2, k0]), held(A, X[row + 3, k0])
                t0, t1 = held(A, X[row, k1]), held(A, X[row + 1, k1])
                t2, t3 = held(A, X[row + 2, k1]), held(A, X[row + 3, k1])
                for j in range(width):
                    s, t = A[a, k0, j], A[a, k1, j]
                    out[o, j] = fma(t0, t, fma(s0, s, out[o, j]))
                    out[o + 1, j] = fma(t1, t, fma(s1, s, out[o + 1, j]))
                    out[o + 2, j] = fma(t2, t, fma(s2, s, out[o + 2, j]))
                    out[o + 3, j] = fma(t3, t, fma(s3, s, out[o + 3, j]))
                i += 2
        while i < count:  # what is left over, in either case
            k0 = index[i]
            for r in range(rows):
                x0 = held(A, X[row + r, k0])
                for j in range(width):
                    out[o + r, j] = fma(x0, A[a, k0, j], out[o + r, j])
            i += 1
        alone = max(0, alone - 1)
        row += rows
        o += rows


def _dot_double(A: np.ndarray, a: int, m: int, B: np.ndarray, b: int) -> float:
    """The product of A[a, m] and B[b]: eight chains of fused operations, side by side, that are added in the end."""
    size = A.shape[2]
    return _in_chains(flattened(A), (a * A.shape[1] + m) * size, flattened(B), b * B.shape[1], size)


def _dot_single(A: np.ndarray, a: int, m: int, B: np.ndarray, b: int) -> float:
    """The same with four times as many chains: a register holds eight, and a single one would be waited for."""
    size, width = A.shape[2], B.shape[1]
    first, whole, total = (a * A.shape[1] + m) * size, size - size % WIDE, 0.0
    if whole > 0:
        total = _in_lanes(flattened(A), first, flattened(B), b * width, whole)
    for j in range(whole, size):
        total = fma(A[a, m, j], B[b, j], total)
    return total


dot = by_precision(single=_dot_single, double=_dot_double)
