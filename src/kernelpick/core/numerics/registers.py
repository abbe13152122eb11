"""Pieces of matrix products held in registers: vector instructions written out.

The compiler's own vectoriser keeps no tile of sums in registers and reaches half of what the machine can do. Here every
sum is a chain of fused multiply-adds in a fixed order, whatever the shape of the piece: the bits do not depend on how
many rows are worked on together. Sums are in single precision where those arrays are that they are written to (tile),
or that they are made of (dots). With the compiler off, the same sums in plain Python.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernelpick.core.numerics.compilation import JIT
from kernelpick.core.numerics.vectors import (
    KINDS,
    LANES,
    WHOLE,
    added,
    added_four,
    cast,
    data,
    fused,
    loop,
    place,
    pointer,
    spread,
    vector_at,
)


def tile(rows: int, panels: int, accumulate: bool) -> Callable[..., None]:
    """A function (A, a, ar, ak, B, b, bq, bk, depth, C, c, cr, cq), for flat arrays and places in them, that does

    C[c + r cr + q cq + l] (+)= sum over k < depth of A[a + r ar + k ak] * B[b + q bq + k bk + l]

    for all r < rows, q < panels, l < LANES; each sum is one chain in the order of k.
    """

    def plain(A, a, ar, ak, B, b, bq, bk, depth, C, c, cr, cq):  # type: ignore[no-untyped-def]
        lanes = np.arange(LANES)
        for r in range(rows):
            for q in range(panels):
                at = c + r * cr + q * cq + lanes
                total = C[at] if accumulate else np.zeros(LANES, C.dtype)
                for k in range(depth):
                    right = B[b + q * bq + k * bk + lanes].astype(C.dtype)
                    total = total + C.dtype.type(A[a + r * ar + k * ak]) * right
                C[at] = total

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        A, B, C = (data(context, builder, signature, args, i) for i in (0, 4, 9))
        right_kind, kind = (KINDS[signature.args[i].dtype] for i in (4, 9))
        a, ar, ak, b, bq, bk, depth, c, cr, cq = (args[i] for i in (1, 2, 3, 5, 6, 7, 8, 10, 11, 12))
        places = [place(builder, c, (r, cr), (q, cq)) for r in range(rows) for q in range(panels)]

        def step(k: Any, sums: list[Any]) -> list[Any]:
            right = [
                cast(builder, vector_at(builder, B, place(builder, b, (q, bq), (k, bk)), right_kind), kind.vector)
                for q in range(panels)
            ]
            more = []
            for r in range(rows):
                x = builder.load(builder.gep(A, [place(builder, a, (r, ar), (k, ak))]))
                left = spread(builder, cast(builder, x, kind.number), kind)
                more += [fused(builder, left, right[q], sums[r * panels + q], kind) for q in range(panels)]
            return more

        starts = [vector_at(builder, C, at, kind) if accumulate else kind.zero for at in places]
        for at, total in zip(places, loop(builder, depth, 1, starts, step), strict=True):
            builder.store(total, pointer(builder, C, at, kind), align=kind.size)
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, A, a, ar, ak, B, b, bq, bk, depth, C, c, cr, cq):  # type: ignore[no-untyped-def]
        n = types.int64
        return types.void(A, n, n, n, B, n, n, n, n, C, n, n, n), generate

    return fast if JIT else plain


def dots(rows: int) -> Callable[..., None]:
    """A function (A, a, ar, z, at, size, out, o), for flat arrays and places in them, that does

    out[o + r] = sum over j < size of A[a + r ar + j] * z[at + j]

    for r < rows; size is a multiple of LANES. The order of the sums is that of products.dot.
    """

    def plain(A, a, ar, z, at, size, out, o):  # type: ignore[no-untyped-def]
        for r in range(rows):
            total = np.zeros(LANES, A.dtype)
            for j in range(0, size, LANES):
                total = total + A[a + r * ar + j : a + r * ar + j + LANES] * z[at + j : at + j + LANES]
            low = total[:4] + total[4:]
            out[o + r] = (low[0] + low[1]) + (low[2] + low[3])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        A, z, out = (data(context, builder, signature, args, i) for i in (0, 3, 6))
        kind, out_kind = (KINDS[signature.args[i].dtype] for i in (0, 6))
        a, ar, at, size, o = (args[i] for i in (1, 2, 4, 5, 7))

        def step(j: Any, sums: list[Any]) -> list[Any]:
            right = vector_at(builder, z, builder.add(at, j), kind)
            left = [vector_at(builder, A, builder.add(place(builder, a, (r, ar)), j), kind) for r in range(rows)]
            return [fused(builder, left[r], right, sums[r], kind) for r in range(rows)]

        totals = loop(builder, size, LANES, [kind.zero] * rows, step)
        for r in range(0, rows - 3, 4):
            four = added_four(builder, totals[r : r + 4])
            wanted = ir.VectorType(out_kind.number, 4)
            to = builder.gep(out, [builder.add(o, ir.Constant(WHOLE, r))])
            four = builder.fpext(four, wanted) if four.type != wanted else four  # sums of single are kept in double
            builder.store(four, builder.bitcast(to, wanted.as_pointer()), align=out_kind.size)
        for r in range(rows // 4 * 4, rows):
            to = builder.gep(out, [builder.add(o, ir.Constant(WHOLE, r))])
            builder.store(cast(builder, added(builder, totals[r]), out_kind.number), to)
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, A, a, ar, z, at, size, out, o):  # type: ignore[no-untyped-def]
        n = types.int64
        return types.void(A, n, n, z, n, n, out, n), generate

    return fast if JIT else plain


def lanes(chains: int) -> Callable[..., float]:
    """A function (A, a, B, b, size), for flat arrays and places in them: the sum over j < size of A[a + j] * B[b + j],
    in so many vectors side by side; size is a multiple of LANES * chains."""
    step = LANES * chains

    def plain(A, a, B, b, size):  # type: ignore[no-untyped-def]
        sums = np.zeros((chains, LANES), A.dtype)
        for j in range(0, size, step):
            sums = sums + (A[a + j : a + j + step] * B[b + j : b + j + step]).reshape(chains, LANES)
        total = sums[0]
        for more in sums[1:]:
            total = total + more
        low = total[:4] + total[4:]
        return (low[0] + low[1]) + (low[2] + low[3])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        A, B = (data(context, builder, signature, args, i) for i in (0, 2))
        kind = KINDS[signature.args[0].dtype]

        def further(j: Any, sums: list[Any]) -> list[Any]:
            places = [builder.add(j, ir.Constant(WHOLE, i * LANES)) for i in range(chains)]
            left, right = (
                [vector_at(builder, array, builder.add(first, place), kind) for place in places]
                for array, first in ((A, args[1]), (B, args[3]))
            )
            return [fused(builder, x, y, z, kind) for x, y, z in zip(left, right, sums, strict=True)]

        total, *others = loop(builder, args[4], step, [kind.zero] * chains, further)
        for more in others:
            total = builder.fadd(total, more)
        return added(builder, total)

    @intrinsic
    def fast(typing_context, A, a, B, b, size):  # type: ignore[no-untyped-def]
        n = types.int64
        return A.dtype(A, n, B, n, n), generate

    return fast if JIT else plain


def chains() -> Callable[..., float]:
    """A function (A, a, B, b, size), for flat arrays and places in them: the sum over j < size of A[a + j] * B[b + j],
    in one vector, in the precision of A; what is left over goes to its first lane, one after the other."""

    def plain(A, a, B, b, size):  # type: ignore[no-untyped-def]
        sums, whole = np.zeros(LANES, A.dtype), size - size % LANES
        for j in range(0, whole, LANES):
            sums = sums + A[a + j : a + j + LANES] * B[b + j : b + j + LANES]
        for j in range(whole, size):
            sums[0] = sums[0] + A[a + j] * B[b + j]
        low = sums[:4] + sums[4:]
        return (low[0] + low[1]) + (low[2] + low[3])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds, size = [KINDS[signature.args[i].dtype] for i in (0, 2)], args[4]
        both = [
            (data(context, builder, signature, args, i), args[i + 1], own) for i, own in zip((0, 2), kinds, strict=True)
        ]
        kind, whole = kinds[0], builder.and_(size, ir.Constant(WHOLE, -LANES))
        first = ir.Constant(ir.IntType(32), 0)

        def further(j: Any, sums: list[Any]) -> list[Any]:
            found = [vector_at(builder, array, builder.add(at, j), own) for array, at, own in both]
            left, right = (cast(builder, x, kind.vector) for x in found)
            return [fused(builder, left, right, sums[0], kind)]

        def one(j: Any, sums: list[Any]) -> list[Any]:
            j = builder.add(whole, j)
            found = [builder.load(builder.gep(array, [builder.add(at, j)])) for array, at, _ in both]
            left, right = (cast(builder, x, kind.number) for x in found)
            return [builder.fma(left, right, sums[0])]

        (total,) = loop(builder, whole, LANES, [kind.zero], further)
        (rest,) = loop(builder, builder.sub(size, whole), 1, [builder.extract_element(total, first)], one)
        return added(builder, builder.insert_element(total, rest, first))

    @intrinsic
    def fast(typing_context, A, a, B, b, size):  # type: ignore[no-untyped-def]
        n = types.int64
        return A.dtype(A, n, B, n, n), generate

    return fast if JIT else plain
