"""Where variables live is found out when somebody asks.

After each of its steps Numba finds out anew which variables live where in a function, and in ours, which are no
generators, hardly a step wants to know. Of all that an instruction consists of, most is no variable at a glance. And
traces of ``with`` and of large dictionaries, for which all variables are looked at, are in none of our functions.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.core.numerics.replacing import replaced

unasked: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

try:
    from numba.core import interpreter
    from numba.core.interpreter import Interpreter
    from numba.core.ir import Inst, Loc, Var
    from numba.core.postproc import PostProcessor, VariableLifetime
    from numba.core.transforms import canonicalize_cfg

    _find_out, _mend = PostProcessor.run, Interpreter.post_process
    FOR_OTHERS = (interpreter.peep_hole_delete_with_exit, interpreter.peep_hole_fuse_dict_add_updates)
    NO_VARIABLES = frozenset((str, int, bool, type(None), Loc))

    def _when_asked(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        """In the place of Numba's own: the rest of what it does, for functions of this package."""
        function = self.func_ir
        if emit_dels or function.is_generator or not (function.func_id.modname or "").startswith("kernelpick."):
            _find_out(self, emit_dels, extend_lifetimes)
        else:
            function.blocks = canonicalize_cfg(function.blocks)
            function.variable_lifetime = VariableLifetime(function.blocks)  # which looks when it is asked
            function.generator_info = None

    def _variables_in(self: Any, value: Any) -> list[Any]:
        """In the place of Numba's own, which is called for all that an instruction consists of."""
        found: list[Any] = []
        _collect((value,), found)
        return found

    def _collect(values: Any, found: list[Any]) -> None:
        for value in values:
            kind = type(value)
            if kind is Var:
                found.append(value)
            elif kind is list or kind is tuple:
                _collect(value, found)
            elif kind is dict:
                _collect(value.values(), found)
            elif kind not in NO_VARIABLES and isinstance(value, Inst):
                found += value.list_vars()

    def _used_in_ours(self: Any, peepholes: list[Any], func_ir: Any) -> Any:
        """In the place of Numba's own: what is mended in a function after its bytecode was read."""
        ours = (func_ir.func_id.modname or "").startswith("kernelpick.")
        return _mend(self, [each for each in peepholes if not (ours and each in FOR_OTHERS)], func_ir)

    @contextlib.contextmanager
    def _unasked() -> Iterator[None]:
        with (
            replaced(PostProcessor, "run", _when_asked),
            replaced(Inst, "_rec_list_vars", _variables_in),
            replaced(Interpreter, "post_process", _used_in_ours),
        ):
            yield

    if hasattr(Inst, "_rec_list_vars"):
        unasked = _unasked
except (ImportError, AttributeError):
    pass
