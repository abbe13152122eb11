"""Functions that only compiled code calls are linked and optimised once, inside the function that Python calls.

By default Numba optimises every function it compiles together with all that it calls, and makes machine code of it, at
each level of calls again: a product that is four calls deep is copied and optimised four times. Here an inner function
is handed on as it is, the outermost one takes in all that is called, and is optimised as a whole. And steps of the
pipeline that our code has no use for are left out, each of which goes over the whole function.
The bits stay: without fast-math the optimiser may not change them.

It leans on classes of Numba that are not part of its documented interface. Where they are not what they are expected to
be, OUTER, OUTER_LOOP and INNER are None and compiling is only slower.
"""

import contextlib
import gc
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from kernelpick.core.numerics.interrupts import Uninterrupted
from kernelpick.core.numerics.lifetimes import unasked
from kernelpick.core.numerics.lowering import LOWERING
from kernelpick.core.numerics.resolving import remembering
from kernelpick.core.numerics.unheard import unheard

OUTER: Any = None
OUTER_LOOP: Any = None
INNER: Any = None
# Steps of Numba's pipeline that have nothing to do in the code of this package: with statements, literal loops, raised
# values, overloads to be written out, notes for people. And what is for functions inside functions.
FOR_OTHERS = ("WithLifting", "FindLiterallyCalls", "LiteralUnroll", "LiteralPropagationSubPipelinePass")
FOR_PEOPLE = ("RewriteDynamicRaises", "AnnotateTypes", "DumpParforDiagnostics", "NoPythonSupportedFeatureValidation")
UNUSED = frozenset((*FOR_OTHERS, *FOR_PEOPLE, "InlineOverloads"))
# What is for expressions of arrays, which make some, and what says when a variable is held for the last time: without
# counted references there are none, and nobody asks.
FOR_COUNTING = frozenset(("NopythonRewrites", "IRLegalization"))
FOR_NESTED = frozenset(("InlineClosureLikes", "MakeFunctionToJitFunction"))


@contextlib.contextmanager
def _collecting_later() -> Iterator[None]:
    """No garbage is looked for meanwhile: compiling makes objects by the million, and few of them are garbage. What is
    there at the end counts as old, or all of it would be looked at in the next moment."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()


try:
    from llvmlite.binding import Linkage, create_pass_builder, create_pipeline_tuning_options
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

    def _with_callees(libraries: Iterable[Any]) -> dict[Any, None]:
        """These libraries and all that the code in them calls, each once."""
        found: dict[Any, None] = {}
        waiting = list(libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                waiting += library._linking_libraries if isinstance(library, Linked) else ()
        return found

    class _OptimisedOnce(JITCodeLibrary):
        """Code that LLVM goes over as a whole; Numba has it go over each function by itself first."""

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

    class Linked(_OptimisedOnce):
        """Code that waits to be linked into other code; what it calls is linked there too, and not here."""

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._finalize_dynamic_globals()
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"  # it may come from several places, and go where it is not needed
            self._finalized = True

        def _get_module_for_linking(self) -> Any:
            """For code of others, which knows nothing of this: with all that it calls."""
            if self._shared_module is None:
                self._shared_module = self._final_module.clone()
                _link(self._shared_module, self)
            return self._shared_module

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Any:
            return _Codegen(self._codegen)

    def _link(module: Any, library: Any) -> None:
        """Into the module of this library, all that its code calls."""
        for callee in _with_callees(library._linking_libraries):
            library._reload_init.update(callee._reload_init)
            linked = callee._final_module if isinstance(callee, Linked) else callee._get_module_for_linking()
            module.link_in(linked, preserve=True)

    class Whole(_OptimisedOnce):
        """Code that Python calls: all that it calls is linked into it, each function once, and optimised with it."""

        unrolls = True

        def finalize(self) -> None:
            _link(self._final_module, self)
            self._linking_libraries = []
            for function in self._final_module.functions:
                ours = function.linkage == Linkage.linkonce_odr and not function.name.startswith("NRT_")
                if ours and not function.is_declaration:
                    # Nobody else calls it: what is called once is inlined, and arguments may be left out. By its name
                    # code of others, which has the same function in it, would find this one.
                    function.linkage, function.name = "internal", f"kernelpick.{function.name}"
            with Uninterrupted():
                super().finalize()

        def _optimize_final_module(self) -> None:
            """Once, where Numba does it twice."""
            how = create_pipeline_tuning_options(speed_level=3)
            how.loop_vectorization, how.loop_unrolling, how.loop_interleaving = True, self.unrolls, False
            passes = create_pass_builder(self._codegen._tm, how)
            manager = passes.getModulePassManager()
            manager.add_refprune_pass()
            manager.run(self._final_module, passes)

    class NotUnrolled(Whole):
        """The same, whose loops are written out in vectors where that matters: a third of the time is saved."""

        unrolls = False

    def _ours(step: Any, what: str) -> tuple[Any, str]:
        """A step of the pipeline, or what is in its place."""
        return (LOWERING if step.__name__ == "NativeLowering" and LOWERING else step), what

    class Outer(CompilerBase):
        """Numba's pipeline; functions of this package, whose habits are known, skip what they do not use."""

        library: Any = Whole

        def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
            super().__init__(typingctx, targetctx, library, *rest)
            if library is None:
                self.state.library = self.library(self.state.targetctx.codegen(), self.library.__name__)
                self.state.library.enable_object_caching()

        def compile_extra(self, func: Any) -> Any:
            with _collecting_later(), remembering(), unasked(), unheard():
                return super().compile_extra(func)

        def define_pipelines(self) -> Any:
            steps, function = DefaultPassBuilder.define_nopython_pipeline(self.state), self.state.func_id
            if (function.modname or "").startswith("kernelpick."):
                nested = any(isinstance(constant, CodeType) for constant in function.code.co_consts)
                unused = UNUSED if nested else UNUSED | FOR_NESTED
                if not self.state.flags.nrt:
                    unused |= FOR_COUNTING
                steps.passes = [_ours(*step) for step in steps.passes if step[0].__name__ not in unused]
            return [steps]

    class OuterLoop(Outer):
        """The same, whose loops LLVM leaves as they are."""

        library = NotUnrolled

    class Inner(Outer):
        """The same, whose result waits to be linked."""

        library = Linked

    _used = ("_optimize_functions", "_optimize_final_module", "_finalize_dynamic_globals", "_get_module_for_linking")
    if all(hasattr(JITCodeLibrary, name) for name in (*_used, "_raise_if_finalized", "_ensure_finalized")):
        OUTER, OUTER_LOOP, INNER = Outer, OuterLoop, Inner
except ImportError:
    pass
