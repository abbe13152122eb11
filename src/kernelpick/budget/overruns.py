"""Rounds that took longer than their budget, as this process has seen them; no part of a model, nor of its file."""

import math
from collections.abc import Callable
from functools import lru_cache, wraps
from time import thread_time
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kernelpick.budget.parse import seconds
from kernelpick.online.tickets import id_of

F = TypeVar("F", bound=Callable[..., Any])
budget_of = lru_cache(seconds)
MOST_ASKED = 4096  # tickets whose times are kept
SHORTEST, STEPS, BINS = 1e-8, 50, 600  # seconds; bins up to ten times that (each 4.7 % wide), and in all


class Overruns(NamedTuple):
    """Times are processor seconds of a round; percentiles are up to 5 % too large, the worst is exact."""

    rounds: int  # that were timed
    over: int  # how many of them took longer than the budget
    p50: float
    p99: float
    p999: float
    worst: float


class Timer:
    """Counts of rounds by the time that they took."""

    def __init__(self) -> None:
        self.counts, self.over, self.worst, self.before = np.zeros(BINS, np.int64), 0, 0.0, 0.0
        self.asked: dict[int | str, float] = {}  # what tickets took whose labels have not come

    def add(self, time: float, rounds: int, budget: float) -> None:
        """So many rounds, each of which took that long, as far as is known."""
        place = math.ceil(STEPS * math.log10(time / SHORTEST)) if time > SHORTEST else 0
        self.counts[min(place, BINS - 1)] += rounds
        self.worst = max(self.worst, time)
        self.over += rounds if time > budget else 0

    def take(self, other: "Timer") -> None:
        """What another one has counted."""
        self.counts += other.counts
        self.worst, self.over = max(self.worst, other.worst), self.over + other.over

    def told(self) -> Overruns:
        total = int(self.counts.sum())
        if not total:
            return Overruns(0, 0, math.nan, math.nan, math.nan, math.nan)
        ends = self.counts.cumsum()
        places = [int(np.searchsorted(ends, math.ceil(share * total))) for share in (0.5, 0.99, 0.999)]
        p50, p99, p999 = (min(self.worst, SHORTEST * 10 ** (place / STEPS)) for place in places)
        return Overruns(total, self.over, p50, p99, p999, self.worst)

    def __reduce__(self) -> tuple[type["Timer"], tuple[()]]:
        """A copy of a model has a timer of its own."""
        return Timer, ()


class Timed:
    """An estimator whose rounds are timed if it has a budget."""

    time_budget: Any
    _model: Any

    @property
    def overruns_(self) -> Overruns:
        """Of the rounds that this process has played: how many took longer than time_budget, and what they took.

        Times are processor time of the thread. What makes a model, and finds its size, does not count.
        """
        if self.time_budget is None:
            raise AttributeError("Rounds are timed where there is a time_budget, and here there is none.")
        return timer_of(self).told()


def timer_of(estimator: Any) -> Timer:
    own = vars(estimator)
    if "_timer" not in own:  # setdefault would make one in every round
        own["_timer"] = Timer()
    return own["_timer"]  # type: ignore[no-any-return]


def start_again(estimator: Any) -> None:
    """With a new model."""
    vars(estimator).pop("_timer", None)


def plays_one(method: F) -> F:
    """A method that plays a round, as guard.learns_at_once; a prediction right before it is part of the round. One
    function does both: for a single row, each that is called counts."""
    timed = _timed(method, lambda args, kwargs: 1)

    @wraps(method)
    def alone(self: Any, *args: Any, **kwargs: Any) -> Any:
        guard = self._guard
        with guard.learning, guard:
            return (method if self.time_budget is None else timed)(self, *args, **kwargs)

    return alone  # type: ignore[return-value]


def plays_many(method: F) -> F:
    """A method that plays a round for each of its second argument."""
    return _timed(method, lambda args, kwargs: len(args[1] if len(args) > 1 else kwargs["y"]))


def _timed(method: F, count: Callable[[Any, Any], int]) -> F:
    @wraps(method)
    def timed(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.time_budget is None or self._model is None:  # with its first row a model is made, which is no round
            return method(self, *args, **kwargs)
        budget, begin = budget_of(self.time_budget), thread_time()
        done = method(self, *args, **kwargs)
        took, timer, rounds = thread_time() - begin, timer_of(self), count(args, kwargs)
        if rounds:
            timer.add(timer.before + took / rounds, rounds, budget)
        timer.before = 0.0
        return done

    return timed  # type: ignore[return-value]


def asks(method: F) -> F:
    """A method that gives a ticket; with the call that tells its label it is a round."""

    @wraps(method)
    def timed(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.time_budget is None or self._model is None:
            return method(self, *args, **kwargs)
        begin = thread_time()
        ticket = method(self, *args, **kwargs)
        asked = timer_of(self).asked
        asked[ticket.id] = thread_time() - begin
        if len(asked) > MOST_ASKED:  # many are never told
            del asked[next(iter(asked))]
        return ticket

    return timed  # type: ignore[return-value]


def tells(method: F) -> F:
    """A method that learns the label of its first argument, a ticket."""

    @wraps(method)
    def timed(self: Any, ticket: Any, *args: Any, **kwargs: Any) -> Any:
        if self.time_budget is None:
            return method(self, ticket, *args, **kwargs)
        begin = thread_time()
        done = method(self, ticket, *args, **kwargs)
        took, timer = thread_time() - begin, timer_of(self)
        timer.add(timer.asked.pop(id_of(ticket), 0.0) + took, 1, budget_of(self.time_budget))
        return done

    return timed  # type: ignore[return-value]


def comes_before(method: F) -> F:
    """A method that predicts the row of the next round, as guard.at_once."""

    @wraps(method)
    def whole(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._guard:
            if self.time_budget is None:
                return method(self, *args, **kwargs)
            begin = thread_time()
            said = method(self, *args, **kwargs)
            timer_of(self).before = thread_time() - begin
            return said

    return whole  # type: ignore[return-value]
