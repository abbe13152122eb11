"""Functions that only compiled code calls are optimised once, inside the function that Python calls.

By default Numba optimises every function it compiles together with all that it calls, and makes machine code of it, at
each level of calls again: a product that is four calls deep is optimised four times. Here an inner function is handed
on as it is, and the outermost one is optimised as a whole.
The bits stay: without fast-math the optimiser may not change them.

It leans on two classes of Numba that are not part of its documented interface. Where they are not what they are
expected to be, PIPELINE is None and compiling is only slower.
"""

from typing import Any

PIPELINE: Any = None

try:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    class _Codegen:
        """The code generator, for code that has no environment of its own."""

        def __init__(self, whole: Any) -> None:
            self._whole = whole

        def __getattr__(self, name: str) -> Any:
            return getattr(self._whole, name)

        def set_env(self, name: str, environment: Any) -> None:
            """Nothing: a copy of the function is linked into others, and none of these functions uses one."""

    class Linked(JITCodeLibrary):
        """Code that waits to be linked into other code."""

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

        def _optimize_final_module(self) -> None:
            """Not here, but in what it is linked into."""

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Any:
            return _Codegen(self._codegen)

    class Inner(Compiler):
        """Numba's pipeline, whose result is such code."""

        def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
            super().__init__(typingctx, targetctx, library, *rest)
            if library is None:
                self.state.library = Linked(self.state.targetctx.codegen(), "inner")

    _used = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
    if all(hasattr(JITCodeLibrary, name) for name in (*_used, "_verify_declare_only_symbols", "_ensure_finalized")):
        PIPELINE = Inner
except ImportError:
    pass
