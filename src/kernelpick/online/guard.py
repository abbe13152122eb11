"""Who may touch a model when several threads do.

One thread learns at a time. Learning goes in pieces, and each piece leaves the model whole; between two of them,
whoever waits comes first. So a reader sees the model before or after a row, never in between, and waits for no more
than the compiled calls of one piece.
"""

from collections.abc import Callable
from functools import wraps
from threading import Lock, RLock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

F = TypeVar("F", bound=Callable[..., Any])


class Guard:
    """``with guard:`` for one piece of learning, or one prediction; ``with guard.learning:`` for all of a call that
    learns. The same thread may enter again."""

    def __init__(self) -> None:
        self.learning = RLock()
        self._lock, self._turn = RLock(), Lock()
        self.is_mine: Callable[[], bool] = self._lock._is_owned  # type: ignore[attr-defined]  # whether it is entered here
        self._waiting = False

    def __enter__(self) -> None:
        if self._waiting or not self._lock.acquire(False):
            self._wait()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._lock.release()

    def _wait(self) -> None:
        """In line: a thread that comes back at once stands behind the one that waits."""
        if self.is_mine():
            self._lock.acquire()
            return
        with self._turn:
            self._waiting = True
            try:
                self._lock.acquire()
            finally:
                self._waiting = False

    def __reduce__(self) -> tuple[type["Guard"], tuple[()]]:
        """A copy of a model has a guard of its own."""
        return Guard, ()


_DOOR = Lock()
_WAITING: WeakKeyDictionary[Any, Guard] = WeakKeyDictionary()


def learns(method: F) -> F:
    """A method of an estimator that changes its model: one such call at a time."""

    @wraps(method)
    def alone(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._guard.learning:
            return method(self, *args, **kwargs)

    return alone  # type: ignore[return-value]


def at_once(method: F) -> F:
    """A method that reads the model: no piece of learning comes in between."""

    @wraps(method)
    def whole(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._guard:
            return method(self, *args, **kwargs)

    return whole  # type: ignore[return-value]


def learns_at_once(method: F) -> F:
    """A method that changes the model by a single row: both of the above."""

    @wraps(method)
    def alone(self: Any, *args: Any, **kwargs: Any) -> Any:
        guard = self._guard
        with guard.learning, guard:
            return method(self, *args, **kwargs)

    return alone  # type: ignore[return-value]


def guard_of(owner: Any) -> Guard:
    """The guard of an estimator that has no model yet."""
    with _DOOR:
        return _WAITING.setdefault(owner, Guard())
