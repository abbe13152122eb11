"""Calls of compiled functions, one after the other, in a single call from Python.

For one row a call takes longer than what most of these functions do: Python gathers the arguments, and Numba unpacks
them. So the arguments of a sequence are laid out once, as what is held (held.py), each time behind the address of the
function. The functions are those that are compiled anyway; what a sequence compiles is the calls alone.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import JIT, compiled, look, machine_code
from kernelpick.core.numerics.held import words_of

Call = tuple[Callable[..., Any], tuple[Any, ...]]
Seen = dict[int, tuple[Any, list[int]]]  # what is given, by its id: its kind, and its words
_found: dict[Any, Any] = {}


class Sequence:
    """Compiled functions with their arguments, which have to stay where they are.

    Called, it gives the sum of all whole numbers that came of the functions, and the second one of the last pair. Of
    several sequences with the same arguments, seen has what was found of these: it takes long.
    """

    def __init__(self, calls: list[Call], seen: Seen | None = None) -> None:
        self.calls, self.code = calls, run
        if JIT:
            seen = {} if seen is None else seen
            told = [[_look_once(one, seen) for one in given] for _, given in calls]
            asked = tuple((call[0], *(kind for kind, _ in own)) for call, own in zip(calls, told, strict=True))
            if asked not in _found:
                _found[asked] = _compiled(calls)
            self.code, addresses = _found[asked]
            words: list[int] = []
            for address, own in zip(addresses, told, strict=True):
                words.append(address)
                for _, some in own:
                    words.extend(some)
            self.words = np.array(words, dtype=np.int64)
        self.address: Any = self.words.ctypes.data if JIT else self

    def __call__(self) -> tuple[int, int]:
        return self.code(self.address)


def _look_once(one: Any, seen: Seen) -> tuple[Any, list[int]]:
    found = seen.get(id(one))
    if found is None:
        found = seen[id(one)] = look(one), words_of(one)
    return found


@compiled
def run(sequence: Any) -> tuple[int, int]:
    return called(sequence)


def called(sequence: Any) -> tuple[int, int]:
    """In compiled code: what came of the calls."""
    total, why = 0, 0
    for function, given in sequence.calls:
        came = function(*(one.address if hasattr(one, "address") else one for one in given))
        if isinstance(came, tuple):
            why = came[1]
        elif came is not None:
            total += came
    return total, why


def _compiled(calls: list[Call]) -> tuple[Any, list[int]]:
    """The machine code of a sequence of such calls, and where that of its functions is."""
    kinds, addresses = [], []
    for function, given in calls:
        machine_code(function, *given)
        kind = tuple(map(numba.typeof, given))
        known = function.overloads[kind]  # type: ignore[attr-defined]
        kinds.append((known.signature.return_type, kind))
        addresses.append(known.library.get_pointer_to_function(known.fndesc.llvm_func_name))
    of = (SequenceType(tuple(kinds)),)
    if of not in run.overloads:  # type: ignore[attr-defined]
        run.compile(of)  # type: ignore[attr-defined]
    return run.overloads[of].entry_point, addresses  # type: ignore[attr-defined]


if JIT:
    import numba
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import NativeValue, intrinsic, models, register_model, unbox

    from kernelpick.core.numerics.held import Reader

    class SequenceType(types.Type):
        """The address of functions that give and take such types, and of what they take."""

        def __init__(self, calls: Any) -> None:
            self.calls = calls
            super().__init__(f"Sequence({calls})")

        @property
        def key(self) -> Any:
            return self.calls

    @register_model(SequenceType)
    class _Address(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, of: Any) -> None:
            super().__init__(manager, of, ir.IntType(64))  # type: ignore[no-untyped-call]

    @unbox(SequenceType)  # type: ignore[no-untyped-call]
    def _unpack(of: Any, given: Any, c: Any) -> NativeValue:
        """A whole number, as it is."""
        return NativeValue(c.pyapi.long_as_longlong(given))  # type: ignore[no-untyped-call]

    @intrinsic
    def _called(typing_context, sequence):  # type: ignore[no-untyped-def]
        result = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            reader = Reader(context, builder, builder.inttoptr(args[0], ir.IntType(64).as_pointer()))
            total = why = context.get_constant(types.int64, 0)
            for gives, takes in sequence.calls:
                kind = context.call_conv.get_function_type(gives, takes).as_pointer()
                function = builder.inttoptr(reader.read(types.int64), kind)
                given = [reader.read(one) for one in takes]
                status, came = context.call_conv.call_function(builder, function, gives, takes, given)
                with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
                    context.call_conv.return_status_propagate(builder, status)
                if isinstance(gives, types.BaseTuple):
                    why = builder.extract_value(came, 1)
                elif isinstance(gives, types.Integer):
                    total = builder.add(total, came)
            return context.make_tuple(builder, result, [total, why])

        return result(sequence), generate

    called = _called  # type: ignore[assignment]
