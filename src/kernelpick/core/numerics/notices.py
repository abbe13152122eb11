"""What is said on stderr, once a process: that compiling takes a while, and that its result can't be kept."""

import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from numba.core import event

PATIENCE = 2.0  # seconds of compiling before anything is said
COMPILING = (
    "kernelpick compiles its loops for this machine, once; this takes some 30 seconds for each algorithm. "
    "The command `kernelpick warm` does it beforehand."
)


@cache
def say_once(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


class Compiling(event.Listener):  # type: ignore[misc]
    """Hears when Numba begins to compile one of our functions, and when it ends; not where the cache has the code.

    Nothing is added to the call of a function that is compiled. Numba compiles one function at a time, so there is one
    timer; those that our functions call are compiled within.
    """

    def __init__(self, ours: Sequence[Any]) -> None:
        self._ours = ours
        self._under_way: list[tuple[float, threading.Timer]] = []
        self._spent = 0.0  # seconds

    def on_start(self, started: Any) -> None:
        if self._is_ours(started):
            timer = threading.Timer(max(0.0, PATIENCE - self._spent), say_once, [COMPILING])
            timer.daemon = True
            timer.start()
            self._under_way.append((time.perf_counter(), timer))

    def on_end(self, ended: Any) -> None:
        if self._is_ours(ended):
            began, timer = self._under_way.pop()
            timer.cancel()
            self._spent += time.perf_counter() - began

    def _is_ours(self, about: Any) -> bool:
        return any(about.data["dispatcher"] is function for function in self._ours)


def listen(ours: Sequence[Any]) -> None:
    """Say so when compiling these functions, and those that are added to them, takes a while."""
    event.register("numba:compile", Compiling(ours))  # type: ignore[no-untyped-call]
