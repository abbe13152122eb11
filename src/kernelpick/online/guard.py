"""Who may touch a model when several threads do.

One thread learns at a time. Learning goes in pieces, and each piece leaves the model whole; between two of them,
whoever waits comes first. So a reader sees the model before or after a row, never in between, and waits for no more
than the compiled calls of one piece.
"""

from collections.abc import Callable
from functools import wraps
from threading import Lock, RLock, get_ident
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

F = TypeVar("F", bound=Callable[..., Any])


class Guard:
    """``with guard:`` for one piece of learning, or one prediction; ``with guard.learning:`` for all of a call that
    learns. The same thread may enter again."""

    def __init__(self) -> None:
        self.learning = RLock()
        self._turn, self._lock = Lock(), Lock()
        self._owner, self._depth = 0, 0

    def __enter__(self) -> None:
        me = get_ident()
        if self._owner != me:
            with self._turn:  # held while waiting: a thread that comes back at once queues behind those that wait
                self._lock.acquire()
            self._owner = me
        self._depth += 1

    def __exit__(self, *error: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._owner = 0
            self._lock.release()

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
    """A method that reads the model, or changes it by a single row: no piece of learning comes in between."""

    @wraps(method)
    def whole(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._guard:
            return method(self, *args, **kwargs)

    return whole  # type: ignore[return-value]


def guard_of(owner: Any) -> Guard:
    """The guard of an estimator that has no model yet."""
    with _DOOR:
        return _WAITING.setdefault(owner, Guard())
