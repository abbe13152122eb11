"""Systems with a triangle of numbers, solved from its first row on, eight unknowns at a time in registers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernelpick.core.numerics.arrays import flattened
from kernelpick.core.numerics.compilation import JIT, fma, inner
from kernelpick.core.numerics.vectors import (
    LANES,
    NARROW,
    WHOLE,
    data,
    fused,
    loop,
    place,
    pointer,
    shuffled,
    spread,
    vector_at,
)


def _eight() -> Callable[..., None]:
    """A function (N, n, row, L, l, first), of flat arrays and places in them, that does

    L[l + s] -= N[n + q row + s] * L[l + q]   for all q < s, in their order,

    for the eight s from the first on; the L before them are solved.
    """

    def plain(N, n, row, L, l, first):  # type: ignore[no-untyped-def]  # noqa: E741
        for q in range(first + LANES):
            for s in range(max(first, q + 1), first + LANES):
                L[l + s] -= N[n + q * row + s] * L[l + q]

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        N, L = (data(context, builder, signature, args, i) for i in (0, 3))
        n, row, to, first = (args[i] for i in (1, 2, 4, 5))

        def taken(total: Any, done: Any, q: Any) -> Any:
            return fused(
                builder, spread(builder, builder.fneg(done)), vector_at(builder, N, place(builder, at, (q, row))), total
            )

        at, own = builder.add(n, first), builder.add(to, first)
        (total,) = loop(
            builder, first, 1, [vector_at(builder, L, own)],
            lambda q, sums: [taken(sums[0], builder.load(builder.gep(L, [builder.add(to, q)])), q)],
        )  # fmt: skip
        for i in range(LANES - 1):
            done = builder.extract_element(total, ir.Constant(NARROW, i))
            more = taken(total, done, builder.add(first, ir.Constant(WHOLE, i)))
            total = shuffled(builder, total, more, [s if s <= i else LANES + s for s in range(LANES)])
        builder.store(total, pointer(builder, L, own), align=8)
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, N, n, row, L, l, first):  # type: ignore[no-untyped-def]  # noqa: E741
        whole = types.int64
        return types.void(N, whole, whole, L, whole, whole), generate

    return fast if JIT else plain


_solve_eight = _eight()


@inner
def solve(N: np.ndarray, L: np.ndarray, s: int, count: int) -> None:
    """L[s, r] -= sum over q < r of N[s, q, r] L[s, q], for r < count; what comes after these may change, too."""
    n, flat = flattened(N), flattened(L)
    row = N.shape[2]
    n0, l0, whole = s * N.shape[1] * row, s * L.shape[1], min(count + LANES - 1, row) // LANES * LANES
    for first in range(0, whole, LANES):
        _solve_eight(n, n0, row, flat, l0, first)
    for q in range(count if count > whole else 0):
        for r in range(max(q + 1, whole), count):
            L[s, r] = fma(-N[s, q, r], L[s, q], L[s, r])
