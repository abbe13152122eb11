"""Pieces of matrix products held in registers: vector instructions written out.

The compiler's own vectoriser keeps no tile of sums in registers and reaches half of what the machine can do. Here every
sum is a chain of fused multiply-adds in a fixed order, whatever the shape of the piece: the bits do not depend on how
many rows are worked on together. Sums are in single precision where those arrays are that they are written to (tile),
or that they are made of (dots). With the compiler off, the same sums in plain Python.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kernelpick.core.numerics.compilation import JIT

LANES = 8
WHOLE, NARROW = ir.IntType(64), ir.IntType(32)


class Kind(NamedTuple):
    """The numbers of an array, as the compiler calls them."""

    number: Any
    vector: Any
    name: str
    size: int

    @property
    def zero(self) -> Any:
        return ir.Constant(self.vector, [0.0] * LANES)


KINDS = {
    types.float64: Kind(ir.DoubleType(), ir.VectorType(ir.DoubleType(), LANES), "f64", 8),
    types.float32: Kind(ir.FloatType(), ir.VectorType(ir.FloatType(), LANES), "f32", 4),
}


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
                    total = total + C.dtype.type(A[a + r * ar + k * ak]) * B[b + q * bq + k * bk + lanes].astype(
                        C.dtype
                    )
                C[at] = total

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        A, B, C = (_data(context, builder, signature, args, i) for i in (0, 4, 9))
        right_kind, kind = (KINDS[signature.args[i].dtype] for i in (4, 9))
        a, ar, ak, b, bq, bk, depth, c, cr, cq = (args[i] for i in (1, 2, 3, 5, 6, 7, 8, 10, 11, 12))
        places = [_place(builder, c, (r, cr), (q, cq)) for r in range(rows) for q in range(panels)]

        def step(k: Any, sums: list[Any]) -> list[Any]:
            right = [
                _cast(builder, _load(builder, B, _place(builder, b, (q, bq), (k, bk)), right_kind), kind.vector)
                for q in range(panels)
            ]
            more = []
            for r in range(rows):
                x = builder.load(builder.gep(A, [_place(builder, a, (r, ar), (k, ak))]))
                left = _spread(builder, _cast(builder, x, kind.number), kind)
                more += [_fma(builder, left, right[q], sums[r * panels + q], kind) for q in range(panels)]
            return more

        starts = [_load(builder, C, at, kind) if accumulate else kind.zero for at in places]
        for at, total in zip(places, _loop(builder, depth, 1, starts, step), strict=True):
            builder.store(total, _lanes(builder, C, at, kind), align=kind.size)
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
        A, z, out = (_data(context, builder, signature, args, i) for i in (0, 3, 6))
        kind, out_kind = (KINDS[signature.args[i].dtype] for i in (0, 6))
        a, ar, at, size, o = (args[i] for i in (1, 2, 4, 5, 7))

        def step(j: Any, sums: list[Any]) -> list[Any]:
            right = _load(builder, z, builder.add(at, j), kind)
            left = [_load(builder, A, builder.add(_place(builder, a, (r, ar)), j), kind) for r in range(rows)]
            return [_fma(builder, left[r], right, sums[r], kind) for r in range(rows)]

        for r, total in enumerate(_loop(builder, size, LANES, [kind.zero] * rows, step)):
            whole = _added(builder, total)
            place = builder.gep(out, [builder.add(o, ir.Constant(WHOLE, r))])
            builder.store(_cast(builder, whole, out_kind.number), place)
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
        A, B = (_data(context, builder, signature, args, i) for i in (0, 2))
        kind = KINDS[signature.args[0].dtype]

        def further(j: Any, sums: list[Any]) -> list[Any]:
            places = [builder.add(j, ir.Constant(WHOLE, i * LANES)) for i in range(chains)]
            left, right = (
                [_load(builder, array, builder.add(first, place), kind) for place in places]
                for array, first in ((A, args[1]), (B, args[3]))
            )
            return [_fma(builder, x, y, z, kind) for x, y, z in zip(left, right, sums, strict=True)]

        total, *others = _loop(builder, args[4], step, [kind.zero] * chains, further)
        for more in others:
            total = builder.fadd(total, more)
        return _added(builder, total)

    @intrinsic
    def fast(typing_context, A, a, B, b, size):  # type: ignore[no-untyped-def]
        n = types.int64
        return A.dtype(A, n, B, n, n), generate

    return fast if JIT else plain


# -- what they are made of


def _data(context: Any, builder: Any, signature: Any, args: Any, i: int) -> Any:
    return context.make_array(signature.args[i])(context, builder, args[i]).data


def _place(builder: Any, base: Any, *steps: tuple[Any, Any]) -> Any:
    """base + the sum of times * stride."""
    for times, stride in steps:
        times = ir.Constant(WHOLE, times) if isinstance(times, int) else times
        base = builder.add(base, builder.mul(times, stride))
    return base


def _lanes(builder: Any, array: Any, index: Any, kind: Kind) -> Any:
    return builder.bitcast(builder.gep(array, [index]), kind.vector.as_pointer())


def _load(builder: Any, array: Any, index: Any, kind: Kind) -> Any:
    return builder.load(_lanes(builder, array, index, kind), align=kind.size)


def _cast(builder: Any, x: Any, wanted: Any) -> Any:
    """x, one number or several, in that precision."""
    if x.type == wanted:
        return x
    longer = wanted in (KINDS[types.float64].number, KINDS[types.float64].vector)
    return builder.fpext(x, wanted) if longer else builder.fptrunc(x, wanted)


def _added(builder: Any, total: Any) -> Any:
    """The sum of all lanes."""
    lane = [builder.extract_element(total, ir.Constant(NARROW, i)) for i in range(LANES)]
    low = [builder.fadd(lane[i], lane[i + 4]) for i in range(4)]
    return builder.fadd(builder.fadd(low[0], low[1]), builder.fadd(low[2], low[3]))


def _spread(builder: Any, x: Any, kind: Kind) -> Any:
    """x in every lane."""
    nothing = ir.Constant(kind.vector, ir.Undefined)
    alone = builder.insert_element(nothing, x, ir.Constant(NARROW, 0))
    return builder.shuffle_vector(alone, nothing, ir.Constant(ir.VectorType(NARROW, LANES), [0] * LANES))


def _fma(builder: Any, x: Any, y: Any, z: Any, kind: Kind) -> Any:
    function = ir.FunctionType(kind.vector, (kind.vector,) * 3)
    insert: Any = cgutils.get_or_insert_function
    return builder.call(insert(builder.module, function, f"llvm.fma.v{LANES}{kind.name}"), (x, y, z))


def _loop(
    builder: Any, stop: Any, by: int, starts: list[Any], step: Callable[[Any, list[Any]], list[Any]]
) -> list[Any]:
    """The sums after step(k, sums) was taken for k = 0, by, ... below stop."""
    before = builder.block
    head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    k = builder.phi(WHOLE)
    k.add_incoming(ir.Constant(WHOLE, 0), before)
    sums = [builder.phi(start.type) for start in starts]
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
