"""The Hadamard transform of several rows at a time: sums and differences, n log n of them, and no products.

A row of n numbers, n a power of two, becomes H x, where H[i, j] is 1 or -1 as the bits that i and j share are even or
odd in number. Rows lie side by side, eight in a vector: T[i, r] is number i of row r. No sum depends on another row.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from kernelpick.core.numerics.arrays import flattened
from kernelpick.core.numerics.compilation import JIT, inner
from kernelpick.core.numerics.vectors import KINDS, LANES, data, place, pointer, vector_at


def _plain_two(T: np.ndarray, at: int, far: int) -> None:
    """Vectors a, b, which begin so far from each other, become a + b, a - b."""
    a, b = T[at : at + LANES].copy(), T[at + far : at + far + LANES].copy()
    T[at : at + LANES], T[at + far : at + far + LANES] = a + b, a - b


def _plain_four(T: np.ndarray, at: int, far: int) -> None:
    """The same for a, b and c, d, and then for the sums, and for the differences."""
    for first in (at, at + 2 * far):
        _plain_two(T, first, far)
    for first in (at, at + far):
        _plain_two(T, first, 2 * far)


def _pairs(builder: Any, a: Any, b: Any) -> list[Any]:
    return [builder.fadd(a, b), builder.fsub(a, b)]


def _butterflies(count: int) -> Any:
    """The two above, in registers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        T, kind = data(context, builder, signature, args, 0), KINDS[signature.args[0].dtype]
        places = [place(builder, args[1], (i, args[2])) for i in range(count)]
        found = [vector_at(builder, T, at, kind) for at in places]
        if count == 4:
            (a, b), (c, d) = _pairs(builder, *found[:2]), _pairs(builder, *found[2:])
            (first, third), (second, fourth) = _pairs(builder, a, c), _pairs(builder, b, d)
            found = [first, second, third, fourth]
        else:
            found = _pairs(builder, *found)
        for at, x in zip(places, found, strict=True):
            builder.store(x, pointer(builder, T, at, kind), align=kind.size)
        return context.get_dummy_value()

    @intrinsic
    def fast(typing_context, T, at, far):  # type: ignore[no-untyped-def]
        return types.void(T, types.int64, types.int64), generate

    return fast


_two, _four = (_butterflies(2), _butterflies(4)) if JIT else (_plain_two, _plain_four)


@inner
def transform(T: np.ndarray) -> None:
    """T (n, LANES) <- H T, in place."""
    n, flat = T.shape[0], flattened(T)
    far, odd = 1, n
    while odd > 3:
        odd //= 4
    if odd == 2:
        for i in range(0, n, 2):
            _two(flat, i * LANES, LANES)
        far = 2
    while far < n:
        for block in range(0, n, 4 * far):
            for i in range(block, block + far):
                _four(flat, i * LANES, far * LANES)
        far *= 4
