"""What Numba tells itself each time that it calls LLVM is left out: nobody hears it.

It notes when LLVM begins and ends to do something, a hundred thousand times for one of our loops, and once more for
each function that waits for what it calls to be compiled, to know in the end how long LLVM took for each of them.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.core.numerics.replacing import replaced

unheard: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

try:
    from numba.core import event

    def _without_llvm(tell: Any) -> Any:
        def told(kind: str, *about: Any, **named: Any) -> None:
            if kind != "numba:llvm_lock":
                tell(kind, *about, **named)

        return told

    _began, _ended = _without_llvm(event.start_event), _without_llvm(event.end_event)

    @contextlib.contextmanager
    def _unheard() -> Iterator[None]:
        with replaced(event, "start_event", _began), replaced(event, "end_event", _ended):
            yield

    unheard = _unheard
except (ImportError, AttributeError):
    pass
