"""LLVM's code for functions of this package: less of it, which says the same.

Numba copies an array's description into memory whenever one of its numbers is asked for, and takes it out of there
again piece by piece; here it is asked for what is needed. And where no references are counted (see compilation.py),
nobody has to know what a variable held before, nor when it is held for the last time. LLVM would find all of this out
by itself: what it need not read, Python need not write.
"""

from functools import cached_property
from typing import Any

from kernelpick.core.numerics.ranges import RANGES

LOWERING: Any = None

try:
    from numba.core import cgutils, ir, types
    from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca
    from numba.core.base import BaseContext
    from numba.core.compiler_machinery import register_pass
    from numba.core.lowering import Lower
    from numba.core.runtime.context import NRTContext
    from numba.core.typed_passes import NativeLowering
    from numba.np.arrayobj import fix_integer_index, load_item, store_item

    FIELDS = {"shape": "shape", "size": "nitems"}  # of an array, where its description has them

    class _Counted(NRTContext):
        """References are counted where there are any: Numba takes everything else out of a tuple, too."""

        def get_meminfos(self, builder: Any, ty: Any, val: Any) -> list[Any]:
            model = self._context.data_model_manager[ty]
            found = [(ty, model.get_nrt_meminfo(builder, val))] if model.has_nrt_meminfo() else []
            for kind, part in model.traverse(builder):
                if self._context.data_model_manager[kind].contains_nrt_meminfo():
                    found += self.get_meminfos(builder, kind, part(val))
            return found

    class _Lower(RANGES or Lower):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.context.nrt = _Counted(self.context, self.context.enable_nrt)

        def _find_singly_assigned_variable(self) -> None:
            super()._find_singly_assigned_variable()
            counts = self.context.enable_nrt  # and has to know what was there before
            if not (counts or self.func_ir.is_generator):
                self._singly_assigned_vars |= _known_where_used(dict(self.blocks))

        def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
            if self.context.enable_debuginfo:
                return super().alloca_lltype(name, lltype, datamodel)
            return cgutils.alloca_once(self.builder, lltype, name=name)  # LLVM is asked for its size for debuggers only

        def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
            in_memory = name not in self._singly_assigned_vars
            if in_memory and not (self.context.enable_nrt or self.context.enable_debuginfo):
                self.builder.store(value, self.getvar(name))
            else:
                super().storevar(value, name, argidx)

        def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
            array, index_type = signature.args
            if self._is_number(array, index_type):
                place = self._place(value, index, array, index_type)
                number = load_item(self.context, self.builder, array, place)
                return self.context.cast(self.builder, number, array.dtype, resty)
            return super().lower_getitem(resty, expr, value, index, signature)

        def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
            array, index_type, number_type = signature.args
            if self._is_number(array, index_type) and isinstance(number_type, types.Number | types.Boolean):
                number, given = self.loadvar(value_var.name), self.typeof(value_var.name)
                place = self._place(target_var, index_var, array, index_type)
                for before, after in ((given, number_type), (number_type, array.dtype)):
                    number = self.context.cast(self.builder, number, before, after)
                return store_item(self.context, self.builder, array, number, place)
            return super().lower_setitem(target_var, index_var, value_var, signature)

        def lower_expr(self, resty: Any, expr: Any) -> Any:
            field = FIELDS.get(expr.attr) if expr.op == "getattr" else None
            of = self.typeof(expr.value.name) if field else None
            if type(of) is types.Array:
                return self.context.data_model_manager[of].get(self.builder, self.loadvar(expr.value.name), field)
            return super().lower_expr(resty, expr)

        def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
            of = self.typeof(expr.args[0].name) if getattr(fnty, "typing_key", None) is len and expr.args else None
            if type(of) is types.Array and of.ndim:
                place = self.context.data_model_manager[of].get_field_position("shape")
                return self.builder.extract_value(self.loadvar(expr.args[0].name), [place, 0])
            return super()._lower_call_normal(fnty, expr, signature)

        def _is_number(self, array: Any, index: Any) -> bool:
            """Whether an array has a number at such an index, and nobody looks whether the index is in its bounds."""
            axes = _axes(index)
            return (
                type(array) is types.Array
                and isinstance(array.dtype, types.Number | types.Boolean)
                and len(axes) == array.ndim
                and all(isinstance(axis, types.Integer) for axis in axes)
                and not self.context.enable_boundscheck
            )

        def _place(self, array_var: Any, index_var: Any, array: Any, index: Any) -> Any:
            """Where the number is; a negative index counts from the end."""
            context, builder, model = self.context, self.builder, self.context.data_model_manager[array]
            value, places = self.loadvar(array_var.name), self.loadvar(index_var.name)
            value = context.cast(builder, value, self.typeof(array_var.name), array)
            places = context.cast(builder, places, self.typeof(index_var.name), index)

            def numbers(field: str) -> list[Any]:
                """Each by its whole way: LLVM finds a number again that was put in by itself, but not a row of them."""
                place = model.get_field_position(field)
                return [builder.extract_value(value, [place, axis]) for axis in range(array.ndim)]

            shape, data = numbers("shape"), model.get(builder, value, "data")
            each = cgutils.unpack_tuple(builder, places, array.ndim) if isinstance(index, types.BaseTuple) else [places]
            axes = zip(_axes(index), each, shape, strict=True)
            indices = [fix_integer_index(context, builder, *axis) for axis in axes]
            if array.ndim == 1 and array.layout != "A":
                return builder.gep(data, indices)
            strides = numbers("strides") if array.layout == "A" else []
            return cgutils.get_item_pointer2(context, builder, data, shape, strides, array.layout, indices)

    def _known_where_used(blocks: dict[int, Any]) -> set[str]:
        """Variables with one definition that comes before all uses, whichever way one takes through the function. Numba
        keeps them in memory where they are used in other blocks than that of the definition."""
        defined: dict[str, list[int]] = {}
        for label, block in blocks.items():
            for assignment in block.find_insts(ir.Assign):
                defined.setdefault(assignment.target.name, []).append(label)
        used: dict[str, list[int]] = {}
        for label, names in compute_use_defs(blocks).usemap.items():  # by what another block, or a round before, knows
            for name in names:
                used.setdefault(name, []).append(label)
        before = compute_cfg_from_blocks(blocks).dominators()
        return {
            name
            for name, (label, *others) in defined.items()
            if not others and all(label < use and label in before.get(use, ()) for use in used.get(name, ()))
        } - must_use_alloca(blocks)

    def _axes(index: Any) -> tuple[Any, ...]:
        return tuple(index) if isinstance(index, types.BaseTuple) else (index,)  # type: ignore[arg-type]

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _Lowering(NativeLowering):
        _name = "kernelpick_lowering"

        @property
        def lowering_class(self) -> Any:
            return _Lower

    def _is_known(name: str, *arguments: str) -> bool:
        return getattr(Lower, name).__code__.co_varnames[1 : len(arguments) + 1] == arguments

    if (
        isinstance(vars(BaseContext).get("nrt"), cached_property)
        and _is_known("storevar", "value", "name", "argidx")
        and _is_known("lower_getitem", "resty", "expr", "value", "index", "signature")
        and _is_known("lower_setitem", "target_var", "index_var", "value_var", "signature")
        and _is_known("alloca_lltype", "name", "lltype", "datamodel")
        and _is_known("lower_expr", "resty", "expr")
        and _is_known("_lower_call_normal", "fnty", "expr", "signature")
        and "_singly_assigned_vars" in Lower.storevar.__code__.co_names
    ):
        LOWERING = _Lowering
except (ImportError, AttributeError):
    pass
