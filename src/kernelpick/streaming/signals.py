"""Signals that ask for an end are heard between two blocks: what was begun is finished and saved."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self

from kernelpick.streaming.exits import Interruption

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Signals:
    """``with Signals() as signals:`` remembers the first of them in ``heard``."""

    def __init__(self) -> None:
        self.heard: int | None = None
        self._waits = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._hear) for number in ENDING}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = self.heard or number
        if self._waits:
            self._waits = False
            raise Interruption

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While rows are waited for, which may take for ever, a signal is an Interruption at once."""
        self._waits = True
        try:
            if self.heard is not None:
                raise Interruption
            yield
        finally:
            self._waits = False
