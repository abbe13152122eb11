"""What Numba tells itself each time that it calls LLVM, and at each step of its pipeline, is left out: nobody hears it.

It notes when LLVM begins and ends to do something, a hundred thousand times for one of our loops, and once more for
each function that waits for what it calls to be compiled, to know in the end how long LLVM took for each of them. At
each step it writes out all types that a function is for, looks at the clock, and checks what the step has done; and it
writes a log.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.core.numerics.replacing import replaced

unheard: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

try:
    from numba.core import errors, event, ssa
    from numba.core.compiler_machinery import PassManager
    from numba.core.ir import Assign

    def _without_llvm(tell: Any) -> Any:
        def told(kind: str, *about: Any, **named: Any) -> None:
            if kind != "numba:llvm_lock":
                tell(kind, *about, **named)

        return told

    _began, _ended = _without_llvm(event.start_event), _without_llvm(event.end_event)

    def _take_step(self: Any, index: int, step: Any, state: Any) -> None:
        """In the place of Numba's own: the step itself."""
        step.analysis = self._analysis
        with errors.new_error_context("Pass {name}", name=step.name()):  # type: ignore[attr-defined]
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)

    def _each_statement(states: Any, block: Any, handler: Any) -> Iterator[Any]:
        """In the place of Numba's own, which speaks of each to its log, for each variable that is assigned twice."""
        for statement in block.body:
            yield (handler.on_assign if isinstance(statement, Assign) else handler.on_other)(states, statement)

    @contextlib.contextmanager
    def _unheard() -> Iterator[None]:
        with (
            replaced(event, "start_event", _began),
            replaced(event, "end_event", _ended),
            replaced(PassManager, "_runPass", _take_step),
            replaced(ssa, "_run_ssa_block_pass", _each_statement),
        ):
            yield

    _step, _statements = PassManager._runPass.__wrapped__.__code__, ssa._run_ssa_block_pass.__code__
    _known = _step.co_varnames[1:4] == ("index", "pss", "internal_state") and not PassManager._ENFORCING
    if _known and _statements.co_varnames[:3] == ("states", "blk", "handler"):
        unheard = _unheard
except (ImportError, AttributeError):
    pass
