"""Pieces of matrix products held in registers: vector instructions written out.

The compiler's own vectoriser keeps no tile of sums in registers and reaches half of what the machine can do. Here every
sum is a chain of fused multiply-adds in a fixed order, whatever the shape of the piece: the bits do not depend on how
many rows are worked on together. With the compiler off, the same sums in plain Python.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kernelpick.core.numerics.compilation import JIT

LANES = 8
NUMBER, WHOLE, NARROW = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
VECTOR = ir.VectorType(NUMBER, LANES)
ZERO = ir.Constant(VECTOR, [0.0] * LANES)


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
                total = C[at] if accumulate else np.zeros(LANES)
                for k in range(depth):
                    total = total + A[a + r * ar + k * ak] * B[b + q * bq + k * bk + lanes]
                C[at] = total

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        A, B, C = (data_of(context, builder, signature, args, i) for i in (0, 4, 9))
        a, ar, ak, b, bq, bk, depth, c, cr, cq = (args[i] for i in (1, 2, 3, 5, 6, 7, 8, 10, 11, 12))
        places = [lanes_at(builder, C, place(builder, c, (r, cr), (q, cq))) for r in range(rows) for q in range(panels)]

        def step(k: Any, sums: list[Any]) -> list[Any]:
            right = [
                builder.load(lanes_at(builder, B, place(builder, b, (q, bq), (k, bk))), align=8) for q in range(panels)
            ]
            more = []
            for r in range(rows):
                left = spread(builder, builder.load(builder.gep(A, [place(builder, a, (r, ar), (k, ak))])))
                more += [fused(builder, left, right[q], sums[r * panels + q]) for q in range(panels)]
            return more

        starts = [builder.load(at, align=8) if accumulate else ZERO for at in places]
        for at, total in zip(places, looped(builder, depth, 1, starts, step), strict=True):
            builder.store(total, at, align=8)
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
            total = np.zeros(LANES)
            for j in range(0, size, LANES):
                total = total + A[a + r * ar + j : a + r * ar + j + LANES] * z[at + j : at + j + LANES]
            low = total[:4] + total[4:]
            out[o + r] = (low[0] + low[1]) + (low[2] + low[3])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        A, z, out = (data_of(context, builder, signature, args, i) for i in (0, 3, 6))
        a, ar, at, size, o = (args[i] for i in (1, 2, 4, 5, 7))

        def step(j: Any, sums: list[Any]) -> list[Any]:
            right = builder.load(lanes_at(builder, z, builder.add(at, j)), align=8)
            left = [lanes_at(builder, A, builder.add(place(builder, a, (r, ar)), j)) for r in range(rows)]
            return [fused(builder, builder.load(left[r], align=8), right, sums[r]) for r in range(rows)]

        for r, total in enumerate(looped(builder, size, LANES, [ZERO] * rows, step)):
            lane = [builder.extract_element(total, ir.Constant(NARROW, i)) for i in range(LANES)]
            low = [builder.fadd(lane[i], lane[i + 4]) for i in range(4)]
            whole = builder.fadd(builder.fadd(low[0], low[1]), builder.fadd(low[2], low[3]))
            builder.store(whole, builder.gep(out, [builder.add(o, ir.Constant(WHOLE, r))]))
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, A, a, ar, z, at, size, out, o):  # type: ignore[no-untyped-def]
        n = types.int64
        return types.void(A, n, n, z, n, n, out, n), generate

    return fast if JIT else plain


# -- what both are made of


def data_of(context: Any, builder: Any, signature: Any, args: Any, i: int) -> Any:
    return context.make_array(signature.args[i])(context, builder, args[i]).data


def constant(number: int) -> Any:
    return ir.Constant(WHOLE, number)


def place(builder: Any, base: Any, *steps: tuple[Any, Any]) -> Any:
    """base + the sum of times * stride."""
    for times, stride in steps:
        times = ir.Constant(WHOLE, times) if isinstance(times, int) else times
        base = builder.add(base, builder.mul(times, stride))
    return base


def lanes_at(builder: Any, array: Any, index: Any) -> Any:
    return builder.bitcast(builder.gep(array, [index]), VECTOR.as_pointer())


def spread(builder: Any, x: Any) -> Any:
    """x in every lane."""
    nothing = ir.Constant(VECTOR, ir.Undefined)
    alone = builder.insert_element(nothing, x, ir.Constant(NARROW, 0))
    return builder.shuffle_vector(alone, nothing, ir.Constant(ir.VectorType(NARROW, LANES), [0] * LANES))


def fused(builder: Any, x: Any, y: Any, z: Any) -> Any:
    kind = ir.FunctionType(VECTOR, (VECTOR, VECTOR, VECTOR))
    insert: Any = cgutils.get_or_insert_function
    return builder.call(insert(builder.module, kind, f"llvm.fma.v{LANES}f64"), (x, y, z))


def looped(
    builder: Any, stop: Any, by: int, starts: list[Any], step: Callable[[Any, list[Any]], list[Any]]
) -> list[Any]:
    """The sums after step(k, sums) was taken for k = 0, by, ... below stop."""
    before = builder.block
    head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    k = builder.phi(WHOLE)
    k.add_incoming(ir.Constant(WHOLE, 0), before)
    sums = [builder.phi(VECTOR) for _ in starts]
    for total, start in zip(sums, starts, strict=True):
        total.add_incoming(start, before)
    builder.cbranch(builder.icmp_signed("<", k, stop), body, after)
    builder.position_at_end(body)
    further = step(k, sums)
    k.add_incoming(builder.add(k, ir.Constant(WHOLE, by)), body)
    for total, more in zip(sums, further, strict=True):
        total.add_incoming(more, body)
    builder.branch(head)
    builder.position_at_end(after)
    return sums
