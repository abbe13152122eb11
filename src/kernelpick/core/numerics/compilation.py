"""Compile with Numba, and compose by type: an operation is the static method of that name of a part's class."""

import math
from collections.abc import Callable, Mapping
from functools import cache as cached
from inspect import signature
from typing import Any, Protocol, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from kernelpick.core.numerics import cache
from kernelpick.core.numerics.inside import Inside
from kernelpick.core.numerics.kept_code import KeptCode
from kernelpick.core.numerics.linking import INNER, OUTER, OUTER_LOOP
from kernelpick.core.numerics.notices import listen
from kernelpick.core.numerics.undivided import hand_over_undivided

F = TypeVar("F", bound=Callable[..., Any])

JIT = not cache.settings.DISABLE_JIT
# No fast-math: the compiler may neither reorder a sum nor fuse a product into it, so that the bits that come out are
# those that the source says, in whichever function, process or chunk the code ends up. Fused operations and sums in
# lanes are written out where they are wanted (fma below, products.dot).
OPTIONS: dict[str, Any] = {"error_model": "numpy"}
# For what only compiled code calls. Such a function owns no array: it borrows those that it is given, and counts no
# references, which would cost more than the arithmetic of a round. So it can't make arrays; scratch comes from outside.
# Numba would hand on "forceinline" from a function to all that is compiled inside it.
WITHIN: Any = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False, "forceinline": False}
if INNER is not None:
    WITHIN["pipeline_class"] = INNER
OUTSIDE: Any = {**OPTIONS, "no_cfunc_wrapper": True}  # for what Python calls
if OUTER is not None:
    OUTSIDE["pipeline_class"] = OUTER
WOVEN: Any = {**WITHIN, "forceinline": True}  # for what is woven into the function that calls it, by LLVM
MAKING: Any = {**WITHIN, "_nrt": True}  # for the few that make arrays
ARRAY_FLAGS = 0x0001 | 0x0002 | 0x0100 | 0x0400  # of an array's flags: its order in memory; aligned; may be written to
_called_by_python: list[Any] = []
listen(_called_by_python)
if JIT:
    hand_over_undivided()


def compiled(function: F) -> F:
    """Compile a function that Python calls; it is kept (see kept_code.py) with all that it calls."""
    return _kept(function, OUTSIDE)


def compiled_loop(function: F) -> F:
    """The same for a large one, whose loops are written out in vectors where that matters: LLVM does not unroll any."""
    return _kept(function, OUTSIDE if OUTER_LOOP is None else {**OUTSIDE, "pipeline_class": OUTER_LOOP})


def _kept(function: F, options: Any) -> F:
    if not JIT:
        return function
    dispatcher = numba.njit(**options)(function)
    _called_by_python.append(dispatcher)
    dispatcher._cache = KeptCode(function)
    return dispatcher  # type: ignore[no-any-return]


def takes_in(module: str) -> None:
    """Code of this module may be compiled into ours from now on: its content belongs to the key of the cache."""
    if JIT and cache.add_foreign(module):
        for dispatcher in _called_by_python:
            dispatcher._cache.forget_outside()


def machine_code(function: F, *like: Any) -> F:
    """A compiled function for arguments of the types of these, and of no others: nobody looks at types any more.

    For a single row, looking at the types of all arrays of a state takes longer than the round itself. Who calls it
    sees to it that arrays are what they are said to be: of their type, and with their numbers one after the other.
    """
    if not JIT:
        return function
    asked = function, *map(look, like)
    if asked not in _entry_points:
        signature = tuple(map(numba.typeof, like))
        overloads = function.overloads  # type: ignore[attr-defined]
        if signature not in overloads:
            function.compile(signature)  # type: ignore[attr-defined]
        _entry_points[asked] = overloads[signature].entry_point
    return _entry_points[asked]  # type: ignore[no-any-return]


_entry_points: dict[Any, Any] = {}


def look(value: Any) -> Any:
    """What the type of a value depends on: Numba's own answer takes some milliseconds for a state."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num & ARRAY_FLAGS
    if isinstance(value, tuple):
        return (type(value), *map(look, value))
    return (type(value), look(value.value)) if hasattr(value, "address") else type(value)


def found_once(function: F, *like: Any) -> Callable[[], F]:
    """A function that gives the machine code for arguments like these, which it finds when it is first asked."""
    return cached(lambda: machine_code(function, *like))


def inner(function: F) -> F:
    """Compile a function that only compiled code calls, and that makes no arrays."""
    return cast(F, Inside(function, WITHIN)) if JIT else function


def making(function: F) -> F:
    """Compile a function that only compiled code calls, and that makes arrays."""
    return cast(F, Inside(function, MAKING)) if JIT else function


def woven(function: F) -> F:
    """As inner; its machine code is woven into the function that calls it."""
    return cast(F, Inside(function, WOVEN)) if JIT else function


class Operation(Protocol):
    """What operation makes of a contract."""

    of_numbers: Callable[..., Any] | None

    def __call__(self, *args: Any) -> Any: ...


def making_operation(contract: Callable[..., Any]) -> Operation:
    """An operation that makes arrays."""
    return operation(contract, MAKING)


def woven_operation(contract: Callable[..., Any]) -> Operation:
    """An operation whose machine code is woven into the loop: handing over all that it is given would take longer."""
    return operation(contract, WOVEN)


def operation(contract: Callable[..., Any], options: Any = WITHIN, otherwise: Any = None) -> Operation:
    """A function whose implementation is the static method of its name in the class of its first argument.

    It works inside compiled code, where the choice is made while compiling and costs nothing. The decorated function
    states the contract. Where a whole number stands for a part (see losses), ``of_numbers`` is what is done. Classes
    without the method are refused, unless ``otherwise`` says what is done for them.
    """
    name = contract.__name__

    def implementation(kind: Any) -> Any:
        found = call.of_numbers if kind is int else getattr(kind, name, otherwise)  # type: ignore[attr-defined]
        if found is None:
            raise TypeError(f"{getattr(kind, '__name__', kind)} has no operation {name}.")
        return found

    def call(part: Any, *args: Any) -> Any:
        return implementation(type(part) if isinstance(part, tuple) else int)(part, *args)

    if JIT:

        @overload(call, strict=False, jit_options=options)
        def choose(part: Any, *args: Any) -> Any:
            found = implementation(int if isinstance(part, types.Integer) else part.instance_class)
            return getattr(found, "py_func", found)

    call.__name__, call.__doc__, call.of_numbers = name, contract.__doc__, None  # type: ignore[attr-defined]
    call.__signature__ = signature(contract)  # type: ignore[attr-defined]
    return cast(Operation, call)


def switch(
    alternatives: Mapping[str, Callable[..., Any]], arguments: str, otherwise: str | Callable[..., Any]
) -> Callable[..., Any]:
    """A function of a part and the named arguments, that hands both to the alternative whose condition holds.

    Written as a ladder of comparisons, since compiled code can't look up functions at run time.
    """
    taken = ", ".join(filter(None, ("part", arguments)))
    space: dict[str, Any] = {"nan": math.nan, "__name__": __name__}  # a function of this package
    lines = [f"def chosen({taken}):"]
    for i, (condition, function) in enumerate(alternatives.items()):
        space[f"choice_{i}"] = woven(function)
        lines += [f"    if {condition}:", f"        return choice_{i}({taken})"]
    if callable(otherwise):
        space["choice"], otherwise = woven(otherwise), f"choice({taken})"
    exec("\n".join([*lines, f"    return {otherwise}"]), space)
    return space["chosen"]  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """For a few lines that are compiled as if they stood where they are called."""
    return numba.njit(inline="always", **WITHIN)(function) if JIT else function  # type: ignore[no-any-return]


def fma(a: float, b: float, c: float) -> float:
    """a * b + c, in compiled code with one rounding; in single precision if all three are."""
    return a * b + c


def power_of_two(n: float) -> float:
    """2**n for an integral float n in -1022 .. 1023."""
    return float(2.0**n)


if JIT:

    @intrinsic
    def _fma(typing_context, a, b, c):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.fma(*args)

        kind = types.float32 if a == b == c == types.float32 else types.float64
        return kind(kind, kind, kind), generate

    @intrinsic
    def _power_of_two(typing_context, n):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            bits, double = ir.IntType(64), ir.DoubleType()
            # Adding 1.5 * 2**52 puts the integer n + 1023 into the low bits; shifted, they are the exponent.
            shifted = builder.fadd(args[0], ir.Constant(double, 1.5 * 2.0**52 + 1023))
            exponent = builder.shl(builder.bitcast(shifted, bits), ir.Constant(bits, 52))
            return builder.bitcast(exponent, double)

        return types.float64(types.float64), generate

    fma, power_of_two = _fma, _power_of_two  # type: ignore[assignment]
