"""A symmetric matrix times rows, and for a single one from half of its panels (see panels.py).

A number above the diagonal stands for the one below it, too, which is the same to the last bit. So a pass reads half of
the matrix, and that is what takes its time. The bits are those of panels.times: with panels of ascending columns, every
sum is one chain over the rows of the matrix in ascending order, first of what its own panel holds and then, block after
block, of what later panels hold for it; blocks are turned in registers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernelpick.core.numerics.arrays import flattened
from kernelpick.core.numerics.compilation import JIT, MAKING, inner
from kernelpick.core.numerics.panels import times
from kernelpick.core.numerics.precision import by_precision
from kernelpick.core.numerics.vectors import LANES, WHOLE, Kind, data, fused, loop, pointer, spread, turned, vector_at

HALF = LANES // 2  # numbers of a vector here: what is turned is four by four
FOUR = Kind(ir.DoubleType(), ir.VectorType(ir.DoubleType(), HALF), "f64", 8)


def strip(panels: int, alone: bool) -> Callable[..., None]:
    """A function (P, p, pq, z, at, column, y, to), of flat arrays and places in them: the products with the panels from
    the column on, and with what those hold for the columns before them; alone, there are none before them. With row k
    of panel q at P[p + q pq + 8 k], z of row k at z[at + k] and its sum at y[to + k].

    Sums wait for each other in two ways, down a panel and across the panels. So four rows by half a panel are a cell,
    and the cells of a step lie on a slope: none of them waits for another.
    """
    halves = 2 * panels

    def plain(P, p, pq, z, at, column, y, to):  # type: ignore[no-untyped-def]
        own = slice(to + column, to + column + LANES * panels)
        y[own] = 0.0
        for k in range(column + LANES * panels):
            row = np.concatenate([P[p + q * pq + LANES * k :][:LANES] for q in range(panels)])
            if k >= column:  # what is left of the diagonal lies above it, too
                beside = [p + (k - column) // LANES * pq + LANES * j + (k - column) % LANES for j in range(column, k)]
                row[: k - column] = P[beside]
            y[own] += z[at + k] * row
            for j in range(LANES * panels if k < column else 0):
                y[to + k] += z[at + column + j] * row[j]

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        P, z, y = (data(context, builder, signature, args, i) for i in (0, 3, 6))
        p, pq, at, column, to = (args[i] for i in (1, 2, 4, 5, 7))

        def further(base: Any, steps: int) -> Any:
            return builder.add(base, ir.Constant(WHOLE, steps))

        def own(k: Any, steps: int) -> Any:
            """z of a row, in all lanes."""
            return spread(builder, builder.load(builder.gep(z, [further(builder.add(at, k), steps)])), FOUR)

        def block(half: int, k: Any) -> list[Any]:
            """Four rows of half a panel, from row k on."""
            panel = builder.add(p, builder.mul(ir.Constant(WHOLE, half // 2), pq))
            start = further(builder.add(panel, builder.mul(k, ir.Constant(WHOLE, LANES))), HALF * (half % 2))
            return [vector_at(builder, P, further(start, LANES * r), FOUR) for r in range(HALF)]

        def down(rows: list[Any], k: Any, total: Any) -> Any:
            """The sums of half a panel, after these rows."""
            for r, row in enumerate(rows):
                total = fused(builder, own(k, r), row, total, FOUR)
            return total

        def across(rows: list[Any], half: int, total: Any) -> Any:
            """The sums of these four rows, as columns, after the columns of half a panel."""
            for lane, x in enumerate(turned(builder, rows)):
                total = fused(builder, looked[HALF * half + lane], x, total, FOUR)
            return total

        def step(k: Any, sums: list[Any], first: int, last: int) -> list[Any]:
            """The cells of the halves first .. last - 1: of the rows from k on, from k - 4 on, and so forth. The sums
            are those of the halves, and then those of the rows between two of them."""
            tall, wide = list(sums[:halves]), list(sums[halves:])
            for half in reversed(range(first, last)):
                here = builder.sub(k, ir.Constant(WHOLE, HALF * half))
                rows, heap = block(half, here), pointer(builder, y, builder.add(to, here), FOUR)
                tall[half] = down(rows, here, tall[half])
                total = across(rows, half, wide[half - 1] if half else builder.load(heap, align=8))
                if half < halves - 1:
                    wide[half] = total
                else:
                    builder.store(total, heap, align=8)
            return tall + wide

        looked = [own(column, j) for j in range(LANES * panels)]
        sums = [FOUR.zero] * (2 * halves - 1)
        if not alone:
            for t in range(halves - 1):
                sums = step(ir.Constant(WHOLE, HALF * t), sums, 0, t + 1)
            begin = ir.Constant(WHOLE, HALF * (halves - 1))
            sums = loop(
                builder, builder.sub(column, begin), HALF, sums,
                lambda k, sums: step(builder.add(k, begin), sums, 0, halves),
            )  # fmt: skip
            for t in range(halves - 1):
                sums = step(further(column, HALF * t), sums, t + 1, halves)
        for g in range(panels):  # blocks on the diagonal, and those beside them
            places = [further(column, LANES * g + HALF * half) for half in range(2)]
            for k in places:
                for half in range(2 * g, halves):
                    sums[half] = down(block(half, k), k, sums[half])
            for i, k in enumerate(places):
                for half in range(2 * g + 2, halves):
                    sums[2 * g + i] = across(block(half, k), half, sums[2 * g + i])
        for i, total in enumerate(sums[:halves]):
            builder.store(total, pointer(builder, y, further(builder.add(to, column), HALF * i), FOUR), align=8)
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, P, p, pq, z, at, column, y, to):  # type: ignore[no-untyped-def]
        n = types.int64
        return types.void(P, n, n, z, n, n, y, n), generate

    return fast if JIT else plain


_first, _first_two, _one, _two = strip(1, True), strip(2, True), strip(1, False), strip(2, False)


@inner
def _one_row(A: np.ndarray, a: int, row: int, P: np.ndarray, s: int, out: np.ndarray, o: int, to: int) -> None:
    """out[o, to] = P[s] A[a, row]; what lies below the blocks on the diagonal of P[s] is not looked at."""
    panels, order = P.shape[1], P.shape[2]
    p, x, y = flattened(P), flattened(A), flattened(out)
    x0, y0 = (a * A.shape[1] + row) * A.shape[2], (o * out.shape[1] + to) * out.shape[2]
    pq, p0 = order * LANES, s * panels * order * LANES
    if panels == 1:
        _first(p, p0, pq, x, x0, 0, y, y0)
    else:
        _first_two(p, p0, pq, x, x0, 0, y, y0)
    for J in range(2, panels - 1, 2):
        _two(p, p0 + J * pq, pq, x, x0, LANES * J, y, y0)
    if panels > 1 and panels % 2:
        _one(p, p0 + (panels - 1) * pq, pq, x, x0, LANES * (panels - 1), y, y0)


def _double(
    A: np.ndarray, a: int, first: int, last: int, P: np.ndarray, s: int, out: np.ndarray, o: int, to: int
) -> None:
    """As panels.times, where P[s] is symmetric to the last bit."""
    few = (last - first) % 4
    if first < last - few:
        times(A, a, first, last - few, P, s, out, o, to)
    for row in range(last - few, last):
        _one_row(A, a, row, P, s, out, o, to + row - first)


def _single(
    A: np.ndarray, a: int, first: int, last: int, P: np.ndarray, s: int, out: np.ndarray, o: int, to: int
) -> None:
    times(A, a, first, last, P, s, out, o, to)


times_symmetric = by_precision(single=_single, double=_double, options=MAKING)
