"""Halves of symmetric matrices in panels of eight columns, and the one pass over them that a round of second order is.

P[s, J, k, l] is the element (k, 8 J + l) of matrix s for k < 8 J + 8; what lies below those blocks is not looked at.
So a pass moves half as many numbers, which is what it takes its time for. Every sum has one order.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernelpick.core.numerics.arrays import flattened
from kernelpick.core.numerics.compilation import JIT, inner
from kernelpick.core.numerics.panels import dense
from kernelpick.core.numerics.vectors import DOUBLE, LANES, WHOLE, data, fused, loop, place, pointer, spread, vector_at


def strip(panels: int, both: bool, fades: bool) -> Callable[..., None]:
    """A function (P, p, pq, A, a, n, factor, Z, z, column, first, last, sums, K, k), of flat arrays and places in them.

    For the panels q from the column on, and their rows i = first .. last - 1, it does

        x = P[p + q pq + 8 i] = P[...] - A[a + i] A[a + column + 8 q],   K[k + column + 8 q] += Z[z + i] x,

    each for eight columns at once; where the matrix fades, x = factor P[...] - ... and another vector, at A[a + n], is
    taken away likewise. With both, what is above the diagonal stands for what is below it, too:
    sums[8 i] += Z[z + column + 8 q] x.
    """

    def plain(P, p, pq, A, a, n, factor, Z, z, column, first, last, sums, K, k):  # type: ignore[no-untyped-def]
        lanes = np.arange(LANES)
        for q in range(panels):
            here = column + LANES * q + lanes
            for i in range(first, last):
                at = p + q * pq + LANES * i + lanes
                if fades:
                    P[at] = factor * P[at] - A[a + n + i] * A[a + n + here]
                P[at] -= A[a + i] * A[a + here]
                K[k + here] += Z[z + i] * P[at]
                if both:
                    sums[LANES * i + lanes] += P[at] * Z[z + here]

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        P, A, Z, sums, K = (data(context, builder, signature, args, i) for i in (0, 3, 7, 12, 13))
        p, pq, a, n, factor, z, column, first, last, k = (args[i] for i in (1, 2, 4, 5, 6, 8, 9, 10, 11, 14))
        eight = ir.Constant(WHOLE, LANES)

        def across(array: Any, base: Any) -> list[Any]:
            starts = (place(builder, base, (1, column), (q, eight)) for q in range(panels))
            return [vector_at(builder, array, start) for start in starts]

        further = builder.add(a, n)
        right, other = across(A, a), across(A, further) if fades else []
        looked = across(Z, z) if both else []
        faded = spread(builder, factor) if fades else None

        def step(row: Any, totals: list[Any]) -> list[Any]:
            i = builder.add(first, row)
            left = spread(builder, builder.fneg(builder.load(builder.gep(A, [builder.add(a, i)]))))
            if fades:
                second = spread(builder, builder.fneg(builder.load(builder.gep(A, [builder.add(further, i)]))))
            own, more = spread(builder, builder.load(builder.gep(Z, [builder.add(z, i)]))), []
            heap = pointer(builder, sums, builder.mul(i, eight))
            total = builder.load(heap, align=8) if both else None
            for q in range(panels):
                at = pointer(builder, P, place(builder, p, (q, pq), (i, eight)))
                x = builder.load(at, align=8)
                if fades:
                    x = fused(builder, second, other[q], builder.fmul(faded, x))
                x = fused(builder, left, right[q], x)
                builder.store(x, at, align=8)
                more.append(fused(builder, own, x, totals[q]))
                if both:
                    total = fused(builder, x, looked[q], total)
            if both:
                builder.store(total, heap, align=8)
            return more

        places = [pointer(builder, K, place(builder, k, (1, column), (q, eight))) for q in range(panels)]
        for at, total in zip(
            places, loop(builder, builder.sub(last, first), 1, [DOUBLE.zero] * panels, step), strict=True
        ):
            builder.store(builder.fadd(builder.load(at, align=8), total), at, align=8)
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, P, p, pq, A, a, n, factor, Z, z, column, first, last, sums, K, k):  # type: ignore[no-untyped-def]
        whole = types.int64
        head = types.void, P, whole, whole, A, whole, whole, types.float64
        return head[0](*head[1:], Z, whole, whole, whole, whole, sums, K, whole), generate

    return fast if JIT else plain


@inner
def _clear(sums: np.ndarray, K: np.ndarray) -> None:
    for i in range(len(sums)):
        sums[i] = 0.0
    for i in range(K.shape[1]):
        K[0, i] = 0.0


@inner
def _gather(sums: np.ndarray, K: np.ndarray) -> None:
    """What the rows of the upper half are worth as columns of the lower one."""
    for i in range(K.shape[1]):
        s = LANES * i
        low, high = (
            (sums[s] + sums[s + 4]) + (sums[s + 1] + sums[s + 5]),
            (sums[s + 2] + sums[s + 6]) + (sums[s + 3] + sums[s + 7]),
        )
        K[0, i] += low + high


def _sweep(fades: bool) -> Callable[..., None]:
    """The pass over matrices that fade, or do not."""
    four, one, last = strip(4, True, fades), strip(1, True, fades), strip(1, False, fades)

    @inner
    def over(
        P: np.ndarray, s: int, factor: float, A: np.ndarray, Z: np.ndarray, row: int, sums: np.ndarray, K: np.ndarray
    ) -> None:
        panels, order = P.shape[1], P.shape[2]
        flat, a, z, k = flattened(P), flattened(A), flattened(Z), flattened(K)
        p0, a0, z0, pq = s * panels * order * LANES, s * A.shape[1] * order, row * order, order * LANES
        _clear(sums, K)
        for J in range(0, panels, 4):
            together, start, p = min(4, panels - J), LANES * J, p0 + J * pq
            if together == 4:
                four(flat, p, pq, a, a0, order, factor, z, z0, start, 0, start, sums, k, 0)
            for q in range(together):
                first, column, p = 0 if together < 4 else start, start + LANES * q, p0 + (J + q) * pq
                one(flat, p, pq, a, a0, order, factor, z, z0, column, first, column, sums, k, 0)
                last(flat, p, pq, a, a0, order, factor, z, z0, column, column, column + LANES, sums, k, 0)
        _gather(sums, K)

    return over


# P[s] -= A[s, 0] A[s, 0]', and then K[0] = P[s] Z[0, row]; sums, eight times as long as a row, are scratch. The factor
# is for the other one alone: P[s] = factor P[s] - A[s, 1] A[s, 1]' - A[s, 0] A[s, 0]'.
sweep, sweep_fading = _sweep(False), _sweep(True)


@inner
def half_diagonal(P: np.ndarray, s: int, value: float) -> None:
    """P[s] = value * I, and what lies below stays as it is: memory that nobody has touched costs nothing."""
    for J in range(P.shape[1]):
        for k in range(LANES * J + LANES):
            for lane in range(LANES):
                P[s, J, k, lane] = value if k == LANES * J + lane else 0.0


@inner
def element(P: np.ndarray, s: int, i: int, j: int) -> float:
    """The element (i, j), on whichever side of the diagonal."""
    i, j = min(i, j), max(i, j)
    return P[s, j // LANES, i, j % LANES]  # type: ignore[no-any-return]


def whole(P: np.ndarray) -> np.ndarray:
    """The ordinary matrix of a half in panels."""
    upper = np.triu(dense(P))
    return upper + np.triu(upper, 1).T
