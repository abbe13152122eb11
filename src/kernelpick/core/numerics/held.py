"""Parts that stay where they are between calls: compiled code is told one address, and finds all arrays from there.

Numba unpacks what it is given in every call, array by array, and a state has dozens: for a single row that takes as
long as the round. So a tuple of parts is laid out once, as whole numbers: of an array where its numbers are and its
shape, of a number its bits. Compiled code that is given the address asks for the tuple by `within`; it borrows the
arrays, which live as long as what is held.
"""

from ctypes import addressof, c_char
from struct import Struct
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import JIT

_BITS, _DOUBLE = Struct("q"), Struct("d")
_there = (c_char * 0).from_buffer  # what begins where the numbers of an array do


class Held:
    """A tuple of tuples, arrays and numbers. Its arrays are C-contiguous."""

    def __init__(self, value: tuple[Any, ...]) -> None:
        self.value = value
        self.words = np.array(words_of(value) if JIT else [], dtype=np.int64)
        self.address: Any = self.words.ctypes.data if JIT else self  # what compiled code is given

    def __index__(self) -> int:
        """So that compiled code can be given this itself, where time does not matter."""
        return int(self.address)

    def __reduce__(self) -> tuple[type["Held"], tuple[Any]]:
        """A copy has arrays of its own, at other addresses."""
        return Held, (self.value,)


def words_of(value: Any) -> list[int]:
    """In their order."""
    words: list[int] = []
    _lay_out(value, words)
    return words


def _lay_out(value: Any, words: list[int]) -> None:
    if isinstance(value, np.ndarray):
        words.append(_where(value))
        words.extend(value.shape)
    elif isinstance(value, tuple):
        for part in value:
            _lay_out(part, words)
    else:
        words.append(_BITS.unpack(_DOUBLE.pack(value))[0] if isinstance(value, float) else int(value))


def _where(array: np.ndarray) -> int:
    """The address of its numbers. What NumPy says takes three times as long; it is asked where nobody may write."""
    try:
        return addressof(_there(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return int(array.ctypes.data)


def within(held: Any) -> Any:
    """In compiled code: the tuple at an address."""
    return held.value


if JIT:
    import numba
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox

    from kernelpick.core.numerics.arrays import put_together

    class HeldType(types.Type):
        """The address of a tuple of that type."""

        def __init__(self, of: Any) -> None:
            self.of = of
            super().__init__(f"Held({of})")

        @property
        def key(self) -> Any:
            return self.of

    @register_model(HeldType)
    class _Address(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, of: Any) -> None:
            super().__init__(manager, of, ir.IntType(64))  # type: ignore[no-untyped-call]

    @typeof_impl.register(Held)
    def _type_of(held: Held, context: Any) -> HeldType:
        return HeldType(numba.typeof(held.value))  # type: ignore[no-untyped-call]

    @unbox(HeldType)  # type: ignore[no-untyped-call]
    def _unpack(of: Any, given: Any, c: Any) -> NativeValue:
        """A whole number, as it is."""
        return NativeValue(c.pyapi.long_as_longlong(given))  # type: ignore[no-untyped-call]

    @intrinsic
    def _within(typing_context, held):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            words = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
            return Reader(context, builder, words).read(signature.return_type)

        return held.of(held), generate

    class Reader:
        """Goes through the words in their order."""

        def __init__(self, context: Any, builder: Any, words: Any) -> None:
            self.context, self.builder, self.words, self.place = context, builder, words, 0

        def read(self, of: Any) -> Any:
            if isinstance(of, types.BaseTuple):
                return self.context.make_tuple(self.builder, of, [self.read(part) for part in of])  # type: ignore[attr-defined]
            return self._array(of) if isinstance(of, types.Array) else self._number(of)

        def _next(self) -> Any:
            self.place += 1
            return self.builder.load(cgutils.gep_inbounds(self.builder, self.words, self.place - 1))  # type: ignore[no-untyped-call]

        def _array(self, of: Any) -> Any:
            data = self.context.get_data_type(of.dtype).as_pointer()
            there = self.builder.inttoptr(self._next(), data)
            return put_together(self.context, self.builder, of, [self._next() for _ in range(of.ndim)], data=there)

        def _number(self, of: Any) -> Any:
            word = self._next()
            if isinstance(of, types.Float):
                return self.builder.bitcast(word, self.context.get_value_type(of))
            if isinstance(of, types.Boolean):
                return self.builder.icmp_signed("!=", word, ir.Constant(word.type, 0))
            return word

    within = _within  # type: ignore[assignment]
