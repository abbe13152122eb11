"""Ctrl-C is heard between two pieces of work, not in the middle of one.

Compiled code does not hear it, so that it would come out right after a compiled call: when rounds are played, and not
yet counted. And while machine code is made, LLVM calls Python back, where an exception is lost, and the code with it.
"""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class Uninterrupted:
    """``with Uninterrupted():`` keeps back an interrupt until the end of the block; in other threads than the main one
    there is none to keep back."""

    _is_held = False  # by a block around this one; asking the system takes as long as some rows

    def __enter__(self) -> Self:
        self._handler: Any = None
        self._heard: list[tuple[int, FrameType | None]] = []
        if threading.current_thread() is threading.main_thread() and not Uninterrupted._is_held:
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, lambda *heard: self._heard.append(heard))
                Uninterrupted._is_held = True
        return self

    def hear(self) -> None:
        """Between two pieces of work in the block: an interrupt that was kept back is heard now."""
        if self._heard:
            self._let_go()
            self.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._heard.clear()
        self._let_go()

    def _let_go(self) -> None:
        handler, self._handler = self._handler, None
        if handler is None:
            return
        Uninterrupted._is_held = False
        signal.signal(signal.SIGINT, handler)
        if self._heard:
            handler(*self._heard[0])
