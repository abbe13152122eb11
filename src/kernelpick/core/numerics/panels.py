"""Symmetric matrices in panels of eight columns, and the products that second-order learners are made of.

P[s, J, k, l] is the element (k, 8 J + l) of matrix s. Orders are multiples of 8, all arrays are contiguous, and no
result depends on how many rows are asked for at once.
"""

import numpy as np

from kernelpick.core.numerics.arrays import empty, flattened
from kernelpick.core.numerics.compilation import MAKING, inner, making
from kernelpick.core.numerics.precision import by_precision
from kernelpick.core.numerics.registers import dots, tile
from kernelpick.core.numerics.vectors import LANES

_four, _wide, _alone = tile(4, 1, False), tile(1, 4, False), tile(1, 1, False)
_four_more, _alone_more = tile(4, 1, True), tile(1, 1, True)
_four_by_two, _four_by_two_more = tile(4, 2, False), tile(4, 2, True)  # as many registers in single precision
_four_dots, _one_dot = dots(4), dots(1)
NEARBY = 256  # rows of a panel that stay in the nearest cache while all rows pass


def padded(size: int) -> int:
    """The order of a matrix that holds so many."""
    return -(-size // LANES) * LANES


def _times_double(
    A: np.ndarray, a: int, first: int, last: int, P: np.ndarray, s: int, out: np.ndarray, o: int, to: int
) -> None:
    """out[o, to + i] = A[a, first + i] P[s], for the rows first .. last - 1 of A[a]."""
    panels, depth = P.shape[1], P.shape[2]
    width, out_width = A.shape[2], out.shape[2]
    x, p, y = flattened(A), flattened(P), flattened(out)
    x0, p0 = (a * A.shape[1] + first) * width, s * panels * depth * LANES
    y0 = (o * out.shape[1] + to) * out_width
    whole = (last - first) // 4 * 4
    if whole > 0:
        for J in range(panels):
            panel, column = p0 + J * depth * LANES, y0 + J * LANES
            piece = min(NEARBY, depth)
            for r in range(0, whole, 4):
                _four(x, x0 + r * width, width, 1, p, panel, 0, LANES, piece, y, column + r * out_width, out_width, 0)
            for k in range(NEARBY, depth, NEARBY):
                piece = min(NEARBY, depth - k)
                for r in range(0, whole, 4):
                    _four_more(
                        x, x0 + r * width + k, width, 1, p, panel + k * LANES, 0, LANES, piece,
                        y, column + r * out_width, out_width, 0,
                    )  # fmt: skip
    _one_by_one(A, a, first + whole, last, P, s, out, o, to + whole)


def _times_single(
    A: np.ndarray, a: int, first: int, last: int, P: np.ndarray, s: int, out: np.ndarray, o: int, to: int
) -> None:
    """The same in single precision; P, which may be double, is rounded, once for many rows."""
    panels, depth = P.shape[1], P.shape[2]
    width, out_width = A.shape[2], out.shape[2]
    x, p, y = flattened(A), flattened(P), flattened(out)
    x0, y0 = (a * A.shape[1] + first) * width, (o * out.shape[1] + to) * out_width
    whole = (last - first) // 4 * 4
    near = np.empty(2 * NEARBY * LANES if whole > 0 else 0, A.dtype)
    for J in range(0, panels if whole > 0 else 0, 2):
        both, column = J + 1 < panels, y0 + J * LANES
        for k in range(0, depth, NEARBY):
            piece = min(NEARBY, depth - k)
            for q in range(2 if both else 1):
                panel, place = ((s * panels + J + q) * depth + k) * LANES, q * NEARBY * LANES
                there, here = p[panel : panel + piece * LANES], near[place : place + piece * LANES]
                for i in range(len(here)):
                    here[i] = there[i]
            for r in range(0, whole, 4):
                row, at = x0 + r * width + k, column + r * out_width
                if both and k == 0:
                    _four_by_two(x, row, width, 1, near, 0, NEARBY * LANES, LANES, piece, y, at, out_width, LANES)
                elif both:
                    _four_by_two_more(x, row, width, 1, near, 0, NEARBY * LANES, LANES, piece, y, at, out_width, LANES)
                elif k == 0:
                    _four(x, row, width, 1, near, 0, 0, LANES, piece, y, at, out_width, 0)
                else:
                    _four_more(x, row, width, 1, near, 0, 0, LANES, piece, y, at, out_width, 0)
    _one_by_one(A, a, first + whole, last, P, s, out, o, to + whole)


@inner
def _one_by_one(
    A: np.ndarray, a: int, first: int, last: int, P: np.ndarray, s: int, out: np.ndarray, o: int, to: int
) -> None:
    panels, depth = P.shape[1], P.shape[2]
    x, p, y = flattened(A), flattened(P), flattened(out)
    p0 = s * panels * depth * LANES
    for r in range(last - first):
        row, to_row = (a * A.shape[1] + first + r) * A.shape[2], (o * out.shape[1] + to + r) * out.shape[2]
        for J in range(0, panels - 3, 4):
            panel = p0 + J * depth * LANES
            _wide(x, row, 0, 1, p, panel, depth * LANES, LANES, depth, y, to_row + J * LANES, 0, LANES)
        for J in range(panels // 4 * 4, panels):
            _alone(x, row, 0, 1, p, p0 + J * depth * LANES, 0, LANES, depth, y, to_row + J * LANES, 0, 0)


times = by_precision(single=_times_single, double=_times_double, options=MAKING)


@inner
def eliminate(N: np.ndarray, K: np.ndarray, s: int, rows: int) -> None:
    """K[s, r] -= sum over q < r of N[s, q, r] K[s, q], row after row, in place. N[s] is overwritten by -N[s]."""
    width, count = K.shape[2], N.shape[2]
    n, k = flattened(N), flattened(K)
    n0, k0 = s * N.shape[1] * count, s * K.shape[1] * width
    for q in range(rows):
        for r in range(q + 1, rows):
            N[s, q, r] = -N[s, q, r]
    for r in range(0, rows, 4):
        together = min(4, rows - r)
        if together == 4 and r > 0:  # what four rows take from all rows before them,
            for j in range(0, width, LANES):
                _four_more(n, n0 + r, 1, count, k, k0 + j, 0, width, r, k, k0 + r * width + j, width, 0)
        start = r if together == 4 else 0
        for i in range(r, r + together):  # then what they take from each other
            for j in range(0, width, LANES):
                at, row = n0 + start * count + i, k0 + i * width + j
                _alone_more(n, at, 0, count, k, k0 + start * width + j, 0, width, i - start, k, row, 0, 0)


@making
def downdate(P: np.ndarray, s: int, A: np.ndarray, a: int, rows: int, c: np.ndarray) -> None:
    """P[s] -= sum over r < rows of c[a, r] A[a, r] A[a, r]'.

    Computed on and above the diagonal and then mirrored, so that P stays symmetric to the last bit.
    """
    order = A.shape[2]
    left, right, p = empty(order * rows), empty(rows * LANES), flattened(P)
    p0 = s * order * order
    for r in range(rows):
        factor = -c[a, r]
        for i in range(order):
            left[i * rows + r] = factor * A[a, r, i]
    for J in range(order // LANES):
        for r in range(rows):
            for lane in range(LANES):
                right[r * LANES + lane] = A[a, r, J * LANES + lane]
        for i in range(0, J * LANES + LANES, 4):
            _four_more(left, i * rows, rows, 1, right, 0, 0, LANES, rows, p, p0 + (J * order + i) * LANES, LANES, 0)
    mirror(P, s)


@inner
def mirror(P: np.ndarray, s: int) -> None:
    """Copy what is above the diagonal of P[s] to below it."""
    for J in range(P.shape[1]):
        for H in range(J):
            for i in range(LANES):
                for lane in range(LANES):
                    P[s, H, LANES * J + lane, i] = P[s, J, LANES * H + i, lane]
        for i in range(LANES):
            for lane in range(i):
                P[s, J, LANES * J + i, lane] = P[s, J, LANES * J + lane, i]


@inner
def diagonal(P: np.ndarray, s: int, value: float) -> None:
    """P[s] = value * I."""
    for J in range(P.shape[1]):
        for k in range(P.shape[2]):
            for lane in range(LANES):
                P[s, J, k, lane] = value if k == LANES * J + lane else 0.0


@inner
def products_with(A: np.ndarray, a: int, count: int, Z: np.ndarray, z: int, at: int, out: np.ndarray, o: int) -> None:
    """out[o, i] = A[a, i] . Z[z, at] for i < count."""
    width = A.shape[2]
    x, y, flat = flattened(A), flattened(Z), flattened(out)
    x0, y0, o0 = a * A.shape[1] * width, (z * Z.shape[1] + at) * width, o * out.shape[1]
    whole = count // 4 * 4
    for i in range(0, whole, 4):
        _four_dots(x, x0 + i * width, width, y, y0, width, flat, o0 + i)
    for i in range(whole, count):
        _one_dot(x, x0 + i * width, width, y, y0, width, flat, o0 + i)


def dense(P: np.ndarray) -> np.ndarray:
    """A matrix in panels as an ordinary one."""
    return P.transpose(1, 0, 2).reshape(P.shape[1], -1)


def in_panels(matrix: np.ndarray) -> np.ndarray:
    """The inverse of dense."""
    return np.ascontiguousarray(matrix.reshape(len(matrix), -1, LANES).transpose(1, 0, 2))
