"""Arrays that compiled code makes or finds, put together piece by piece.

NumPy's own ``np.empty`` works in compiled code, too. Numba compiles it anew for each shape and each kind of number,
a tenth of a second each and a dozen of them in a loop. Here the few instructions are written where they are needed.
"""

from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import JIT

Shape = int | tuple[int, ...]


def empty(shape: Shape, kind: Any = np.float64) -> np.ndarray:
    """np.empty, in functions that make arrays (see compilation.py, ``making``); lengths below 0 are not found out."""
    return np.empty(shape, kind)


def zeroed(shape: Shape, kind: Any = np.float64) -> np.ndarray:
    """np.zeros, in the same."""
    return np.zeros(shape, kind)


def flattened(array: np.ndarray, kind: Any = None) -> np.ndarray:
    """The numbers of a C-contiguous array in a row; as numbers of another kind, if these are as long or longer."""
    row = array.reshape(array.size)
    return row if kind is None else row.view(kind)


if JIT:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    WORD = ir.IntType(64)

    def put_together(context: Any, builder: Any, of: Any, shape: list[Any], **found: Any) -> Any:
        """An array of that type and shape, its numbers one after the other; ``found`` is where they are. Each number is
        inserted by itself: what goes through memory, LLVM does not find again in all places."""
        model, strides = context.data_model_manager[of], list[Any]()
        size = ir.Constant(WORD, context.get_abi_sizeof(context.get_data_type(of.dtype)))
        items, step = ir.Constant(WORD, 1), size
        for length in reversed(shape):
            strides.insert(0, step)
            items, step = builder.mul(items, length), builder.mul(step, length)
        pieces = {**found, "nitems": items, "itemsize": size}
        pieces |= {name: _row(builder, numbers) for name, numbers in (("shape", shape), ("strides", strides))}
        array = ir.Constant(context.get_value_type(of), None)
        for name, piece in pieces.items():
            array = builder.insert_value(array, piece, model.get_field_position(name))
        return array

    def _row(builder: Any, numbers: list[Any]) -> Any:
        row = ir.Constant(ir.ArrayType(WORD, len(numbers)), ir.Undefined)
        for place, number in enumerate(numbers):
            row = builder.insert_value(row, number, place)
        return row

    def _made(shape: Any, kind: Any, filled: bool) -> Any:
        """The signature of a function that makes an array, and the code for it."""
        whole = tuple(shape) if isinstance(shape, types.BaseTuple) else (shape,)  # type: ignore[arg-type]
        number = types.float64 if kind is None else kind.dtype
        if not all(isinstance(length, types.Integer) for length in whole):
            raise TypingError("Lengths are whole numbers.")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            of = signature.return_type
            several = isinstance(shape, types.BaseTuple)
            given = cgutils.unpack_tuple(builder, args[0], len(whole)) if several else [args[0]]
            lengths = [context.cast(builder, *each, types.intp) for each in zip(given, whole, strict=True)]
            size = ir.Constant(WORD, context.get_abi_sizeof(context.get_data_type(of.dtype)))
            for length in lengths:
                size = builder.mul(size, length)
            align = ir.Constant(ir.IntType(32), context.get_preferred_array_alignment(of.dtype))
            memory = context.nrt.meminfo_alloc_aligned(builder, size, align)  # or a MemoryError
            there = context.nrt.meminfo_data(builder, memory)
            if filled:
                cgutils.memset(builder, there, size, 0)
            data = builder.bitcast(there, context.get_data_type(of.dtype).as_pointer())
            return put_together(context, builder, of, lengths, meminfo=memory, data=data)

        return types.Array(number, len(whole), "C")(shape, *_given(kind)), generate

    def _given(kind: Any) -> tuple[Any]:
        return (types.Omitted(None) if kind is None else kind,)

    @intrinsic
    def _empty(typing_context, shape, kind=None):  # type: ignore[no-untyped-def]
        return _made(shape, kind, filled=False)

    @intrinsic
    def _zeroed(typing_context, shape, kind=None):  # type: ignore[no-untyped-def]
        return _made(shape, kind, filled=True)

    @intrinsic
    def _flattened(typing_context, array, kind=None):  # type: ignore[no-untyped-def]
        if getattr(array, "layout", None) != "C":
            raise TypingError("Only what lies in memory in one piece can be flat.")
        number = array.dtype if kind is None else kind.dtype
        if number.bitwidth < array.dtype.bitwidth:
            raise TypingError("Numbers can be read as longer ones, not as shorter.")

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            def part(name: str) -> Any:
                return builder.extract_value(args[0], context.data_model_manager[array].get_field_position(name))

            def size(of: Any) -> int:
                return int(context.get_abi_sizeof(context.get_data_type(of)))

            items, memory = part("nitems"), part("meminfo")
            if number != array.dtype:
                items = builder.sdiv(items, ir.Constant(WORD, size(number) // size(array.dtype)))
            data = builder.bitcast(part("data"), context.get_data_type(number).as_pointer())
            row = put_together(context, builder, signature.return_type, [items], meminfo=memory, data=data)
            if context.enable_nrt:
                context.nrt.incref(builder, signature.return_type, row)
            return row

        return types.Array(number, 1, "C", readonly=not array.mutable)(array, *_given(kind)), generate

    empty, zeroed, flattened = _empty, _zeroed, _flattened  # type: ignore[assignment]
