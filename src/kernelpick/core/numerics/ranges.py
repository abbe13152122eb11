"""LLVM's code for loops over ranges: less of it, which says the same.

For each ``for i in range(n)`` Numba writes some hundred instructions, in which LLVM finds that a step of 1 is not zero,
that n / 1 is n, and that what was put into memory is there. In our functions, which are loops over ranges, that was a
quarter of all code. Here a step that the source says is known, and numbers stay out of memory.
"""

from typing import Any

RANGES: Any = None

try:
    from llvmlite.ir import Constant, Undefined
    from numba.core import cgutils, types
    from numba.core.lowering import Lower

    class _Ranges(Lower):
        """What makes LLVM's code of a function."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._ranges: dict[Any, tuple[Any, Any, Any]] = {}  # start, stop and step of those in the function

        def _put_together(self, of: Any, **pieces: Any) -> Any:
            value = Constant(self.context.get_value_type(of), Undefined)
            for name, piece in pieces.items():
                place = self.context.data_model_manager[of].get_field_position(name)
                value = self.builder.insert_value(value, piece, place)
            return value

        def _take_out(self, of: Any, value: Any, name: str) -> Any:
            return self.builder.extract_value(value, self.context.data_model_manager[of].get_field_position(name))

        def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
            of = signature.return_type
            if of is not types.range_state64_type or getattr(fnty, "typing_key", None) is not range:
                return super()._lower_call_normal(fnty, expr, signature)
            given = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
            zero, one = (self.context.get_constant(types.int64, number) for number in (0, 1))
            start, stop, step = ([zero, *given] if len(given) == 1 else [*given])[:2] + ([*given][2:] or [one])
            state = self._put_together(of, start=start, stop=stop, step=step)
            self._ranges[state] = start, stop, step
            return state

        def lower_expr(self, resty: Any, expr: Any) -> Any:
            lower, lowered = OWN.get(expr.op), None
            if lower is not None:
                lowered = lower(self, resty, self.typeof(expr.value.name), self.loadvar(expr.value.name))
            return super().lower_expr(resty, expr) if lowered is None else lowered

        def _begin(self, resty: Any, of: Any, state: Any) -> Any:
            """The loop is about to begin: how often it runs."""
            start, stop, step = self._ranges.get(state, (None, None, None))
            if not (isinstance(step, Constant) and step.constant > 0):
                return None
            builder, count = self.builder, self.builder.sub(stop, start)
            if step.constant > 1:
                zero, one = (self.context.get_constant(types.int64, number) for number in (0, 1))
                steps = builder.add(builder.sdiv(builder.sub(count, one), step), one)
                count = builder.select(builder.icmp_signed(">", count, zero), steps, zero)
            places = {"iter": start, "count": count}
            kept = {name: cgutils.alloca_once(builder, number.type) for name, number in places.items()}
            for name, number in places.items():
                builder.store(number, kept[name])
            return self._put_together(resty, stop=stop, step=step, **kept)

        def _go_on(self, resty: Any, of: Any, state: Any) -> Any:
            """The next number, if there is one. After the last nobody asks any more: it need not be told apart."""
            if of is not types.range_iter64_type:
                return None
            builder = self.builder
            at, left, step = (self._take_out(of, state, name) for name in ("iter", "count", "step"))
            number, count = builder.load(at), builder.load(left)
            zero, one = (self.context.get_constant(types.int64, number) for number in (0, 1))
            builder.store(builder.sub(count, one, flags=["nsw"]), left)
            builder.store(builder.add(number, step, flags=["nsw"]), at)
            return self._put_together(resty, first=number, second=builder.icmp_signed(">", count, zero))

        def _first(self, resty: Any, of: Any, pair: Any) -> Any:
            return self._take_out(of, pair, "first") if isinstance(of.first_type, types.Number) else None

        def _second(self, resty: Any, of: Any, pair: Any) -> Any:
            return self._take_out(of, pair, "second")

    # what is lowered here, by what; or in Numba's own way, where that returns None
    OWN: dict[str, Any] = {
        "getiter": _Ranges._begin,
        "iternext": _Ranges._go_on,
        "pair_first": _Ranges._first,
        "pair_second": _Ranges._second,
    }
    _names = Lower._lower_call_normal.__code__.co_varnames[1:4], Lower.lower_expr.__code__.co_varnames[1:3]
    if _names == (("fnty", "expr", "signature"), ("resty", "expr")) and types.range_iter64_type:
        RANGES = _Ranges
except (ImportError, AttributeError):
    pass
