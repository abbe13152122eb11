"""Vector instructions, by functions that write them: what products in registers and of half matrices are made of."""

from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils

LANES = 8
WHOLE, NARROW = ir.IntType(64), ir.IntType(32)


class Kind(NamedTuple):
    """The numbers of an array, and so many of them, as the compiler calls them."""

    number: Any
    vector: Any
    name: str
    size: int

    @property
    def zero(self) -> Any:
        return ir.Constant(self.vector, [0.0] * self.vector.count)


DOUBLE = Kind(ir.DoubleType(), ir.VectorType(ir.DoubleType(), LANES), "f64", 8)
KINDS = {
    types.float64: DOUBLE,
    types.float32: Kind(ir.FloatType(), ir.VectorType(ir.FloatType(), LANES), "f32", 4),
}


def data(context: Any, builder: Any, signature: Any, args: Any, i: int) -> Any:
    return context.make_array(signature.args[i])(context, builder, args[i]).data


def place(builder: Any, base: Any, *steps: tuple[Any, Any]) -> Any:
    """base + the sum of times * stride."""
    for times, stride in steps:
        times = ir.Constant(WHOLE, times) if isinstance(times, int) else times
        base = builder.add(base, builder.mul(times, stride))
    return base


def pointer(builder: Any, array: Any, index: Any, kind: Kind = DOUBLE) -> Any:
    return builder.bitcast(builder.gep(array, [index]), kind.vector.as_pointer())


def vector_at(builder: Any, array: Any, index: Any, kind: Kind = DOUBLE) -> Any:
    return builder.load(pointer(builder, array, index, kind), align=kind.size)


def cast(builder: Any, x: Any, wanted: Any) -> Any:
    """x, one number or several, in that precision."""
    if x.type == wanted:
        return x
    longer = wanted in (DOUBLE.number, DOUBLE.vector)
    return builder.fpext(x, wanted) if longer else builder.fptrunc(x, wanted)


def added(builder: Any, total: Any) -> Any:
    """The sum of all lanes."""
    lane = [builder.extract_element(total, ir.Constant(NARROW, i)) for i in range(LANES)]
    low = [builder.fadd(lane[i], lane[i + 4]) for i in range(4)]
    return builder.fadd(builder.fadd(low[0], low[1]), builder.fadd(low[2], low[3]))


def shuffled(builder: Any, x: Any, y: Any, lanes: list[int]) -> Any:
    """Some lanes of two vectors; those of the second have the numbers after those of the first."""
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(NARROW, len(lanes)), lanes))


def turned(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of four rows of four."""
    (a, b, c, d), even, odd = rows, [0, 4, 2, 6], [1, 5, 3, 7]
    pairs = [(shuffled(builder, a, b, lanes), shuffled(builder, c, d, lanes)) for lanes in (even, odd)]
    return [shuffled(builder, x, y, lanes) for lanes in ([0, 1, 4, 5], [2, 3, 6, 7]) for x, y in pairs]


def added_four(builder: Any, totals: list[Any]) -> Any:
    """The sums of all lanes of four vectors, as one vector of four: each in the order of added."""
    halves = [[shuffled(builder, total, total, list(lanes)) for lanes in (range(4), range(4, 8))] for total in totals]
    lane = turned(builder, [builder.fadd(low, high) for low, high in halves])
    return builder.fadd(builder.fadd(lane[0], lane[1]), builder.fadd(lane[2], lane[3]))


def spread(builder: Any, x: Any, kind: Kind = DOUBLE) -> Any:
    """x in every lane."""
    nothing = ir.Constant(kind.vector, ir.Undefined)
    alone = builder.insert_element(nothing, x, ir.Constant(NARROW, 0))
    return shuffled(builder, alone, nothing, [0] * kind.vector.count)


def fused(builder: Any, x: Any, y: Any, z: Any, kind: Kind = DOUBLE) -> Any:
    function = ir.FunctionType(kind.vector, (kind.vector,) * 3)
    insert: Any = cgutils.get_or_insert_function
    return builder.call(insert(builder.module, function, f"llvm.fma.v{kind.vector.count}{kind.name}"), (x, y, z))


def loop(builder: Any, stop: Any, by: int, starts: list[Any], step: Callable[[Any, list[Any]], list[Any]]) -> list[Any]:
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
