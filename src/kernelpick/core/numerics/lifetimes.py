"""Where variables live is found out when somebody asks.

After each of its steps Numba finds out anew which variables live where in a function, and in ours, which are no
generators, hardly a step wants to know. And of all that an instruction consists of, most is no variable at a glance.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.core.numerics.replacing import replaced

unasked: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

try:
    from numba.core.ir import Inst, Loc, Var
    from numba.core.postproc import PostProcessor, VariableLifetime
    from numba.core.transforms import canonicalize_cfg

    _find_out, _look_for = PostProcessor.run, Inst._rec_list_vars
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
        """In the place of Numba's own, which asks for the kinds that have variables first."""
        kind = type(value)
        if kind in NO_VARIABLES:
            return []
        return [value] if kind is Var else _look_for(self, value)

    @contextlib.contextmanager
    def _unasked() -> Iterator[None]:
        with replaced(PostProcessor, "run", _when_asked), replaced(Inst, "_rec_list_vars", _variables_in):
            yield

    unasked = _unasked
except (ImportError, AttributeError):
    pass
