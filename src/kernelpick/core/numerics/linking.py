"""Functions that only compiled code calls are optimised once, inside the function that Python calls.

By default Numba optimises every function it compiles together with all that it calls, and makes machine code of it, at
each level of calls again: a product that is four calls deep is optimised four times. Here an inner function is handed
on as it is, and the outermost one is optimised as a whole. And steps of the pipeline that our code has no use for are
left out, each of which goes over the whole function.
The bits stay: without fast-math the optimiser may not change them.

It leans on two classes of Numba that are not part of its documented interface. Where they are not what they are
expected to be, both are None and compiling is only slower.
"""

from types import CodeType
from typing import Any

OUTER: Any = None
INNER: Any = None
# Steps of Numba's pipeline that have nothing to do in the code of this package: with statements, literal loops, raised
# values, overloads to be written out, notes for people. And what is for functions inside functions.
FOR_OTHERS = ("WithLifting", "FindLiterallyCalls", "LiteralUnroll", "LiteralPropagationSubPipelinePass")
FOR_PEOPLE = ("RewriteDynamicRaises", "AnnotateTypes", "DumpParforDiagnostics", "NoPythonSupportedFeatureValidation")
UNUSED = frozenset((*FOR_OTHERS, *FOR_PEOPLE, "InlineOverloads"))
FOR_NESTED = frozenset(("InlineClosureLikes", "MakeFunctionToJitFunction"))

try:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder

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

    class Outer(CompilerBase):
        """Numba's pipeline; functions of this package, whose habits are known, skip what they do not use."""

        def define_pipelines(self) -> Any:
            steps, function = DefaultPassBuilder.define_nopython_pipeline(self.state), self.state.func_id
            if (function.modname or "").startswith("kernelpick."):
                nested = any(isinstance(constant, CodeType) for constant in function.code.co_consts)
                unused = UNUSED if nested else UNUSED | FOR_NESTED
                steps.passes = [step for step in steps.passes if step[0].__name__ not in unused]
            return [steps]

    class Inner(Outer):
        """The same, whose result is such code."""

        def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
            super().__init__(typingctx, targetctx, library, *rest)
            if library is None:
                self.state.library = Linked(self.state.targetctx.codegen(), "inner")

    _used = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
    if all(hasattr(JITCodeLibrary, name) for name in (*_used, "_verify_declare_only_symbols", "_ensure_finalized")):
        OUTER, INNER = Outer, Inner
except ImportError:
    pass
