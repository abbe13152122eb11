"""How many fused multiply-adds a core can do in a second, measured here: chains in registers, and nothing else.

A chain waits for itself, so there are several; too many do not fit the registers. How many is best depends on the
machine: a few numbers are tried, and the fastest counts.
"""

import time
from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

CHAINS = (6, 8, 10, 12, 14)
STEPS = 200_000
KINDS = {
    np.dtype(np.float64): (ir.DoubleType(), "f64", (4, 8)),
    np.dtype(np.float32): (ir.FloatType(), "f32", (8, 16)),
}


def chains(dtype: np.dtype, count: int, lanes: int) -> Any:
    """A compiled function (numbers, steps): count chains of x <- a x + b in vectors, with a, b = numbers[:2]."""
    number, name, _ = KINDS[dtype]
    vector, whole, narrow = ir.VectorType(number, lanes), ir.IntType(64), ir.IntType(32)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        kind = ir.FunctionType(vector, (vector,) * 3)
        fused = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{lanes}{name}")
        nothing, zeros = ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(narrow, lanes), [0] * lanes)

        def spread(place: int) -> Any:
            x = builder.load(builder.gep(data, [ir.Constant(whole, place)]))
            return builder.shuffle_vector(builder.insert_element(nothing, x, ir.Constant(narrow, 0)), nothing, zeros)

        a, b = spread(0), spread(1)
        starts = [spread(2 + i) for i in range(count)]  # different ones, so that no chain is another
        before, body, after = builder.block, *(builder.append_basic_block(part) for part in ("body", "after"))
        builder.branch(body)
        builder.position_at_end(body)
        step, sums = builder.phi(whole), [builder.phi(vector) for _ in range(count)]
        further = builder.add(step, ir.Constant(whole, 1))
        done = [builder.call(fused, (total, a, b)) for total in sums]
        for phi, first, then in zip([step, *sums], [ir.Constant(whole, 0), *starts], [further, *done], strict=True):
            phi.add_incoming(first, before)
            phi.add_incoming(then, body)
        builder.cbranch(builder.icmp_signed("<", further, args[1]), body, after)
        builder.position_at_end(after)
        total = done[0]
        for one in done[1:]:
            total = builder.fadd(total, one)
        builder.store(builder.extract_element(total, ir.Constant(narrow, 0)), data)
        return context.get_dummy_value()

    @intrinsic
    def run(typing_context, numbers, steps):  # type: ignore[no-untyped-def]
        return types.void(numbers, types.int64), generate

    @numba.njit
    def compiled(numbers, steps):  # type: ignore[no-untyped-def]
        run(numbers, steps)

    return compiled


@cache
def peak(precision: str = "double") -> float:
    """Multiply-adds a second."""
    dtype = np.dtype(np.float64 if precision == "double" else np.float32)
    best = 0.0
    for lanes in KINDS[dtype][2]:
        for count in CHAINS:
            run = chains(dtype, count, lanes)
            numbers = np.linspace(0.5, 1.0, 2 + max(CHAINS)).astype(dtype)
            run(numbers, 1)  # compiles
            for _ in range(5):
                start = time.perf_counter()
                run(numbers, STEPS)
                best = max(best, count * lanes * STEPS / (time.perf_counter() - start))
    return best


def share(multiply_adds: float, seconds: float, precision: str = "double") -> float:
    """The part of the peak that work reaches whose definition needs so many, and that takes so long."""
    return multiply_adds / seconds / peak(precision)


if __name__ == "__main__":
    for precision in ("double", "single"):
        print(f"{precision}: {peak(precision) / 1e9:.1f} billion multiply-adds a second")
