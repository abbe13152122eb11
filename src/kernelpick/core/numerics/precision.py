"""Arithmetic in the precision of the arrays: the same code is compiled for double and for single precision, by type.

A number that is written in the source is a double, and so is what Numba makes of it and of a single: one such number,
and a loop runs at half the speed. So a constant in a loop is one `held` as the array is, and where fewer terms are
enough, the two are told apart by `by_precision`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic, overload

from kernelpick.core.numerics.compilation import JIT, WITHIN


def held(like: Any, x: float) -> Any:
    """x in the precision of an array or a number."""
    return like.dtype.type(x) if hasattr(like, "dtype") else x


def _is_single(like: Any) -> bool:
    return getattr(like, "dtype", None) == np.float32


def by_precision(single: Callable[..., Any], double: Callable[..., Any], options: Any = WITHIN) -> Callable[..., Any]:
    """A function that does the one or the other, as its first argument is, an array or a number."""

    def call(first: Any, *rest: Any) -> Any:
        return (single if _is_single(first) else double)(first, *rest)

    call.__doc__ = double.__doc__
    if JIT:

        @overload(call, strict=False, jit_options=options)
        def choose(first: Any, *rest: Any) -> Any:
            return single if getattr(first, "dtype", first) == types.float32 else double

    return call


if JIT:

    @intrinsic
    def _held(typing_context, like, x):  # type: ignore[no-untyped-def]
        kind = getattr(like, "dtype", like)

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return context.cast(builder, args[1], types.float64, kind)

        return kind(like, types.float64), generate

    held = _held  # type: ignore[assignment]
