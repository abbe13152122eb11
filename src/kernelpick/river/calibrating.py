"""Rounds one row at a time, as a calibration of River's face measures them: a prediction, then its target."""

from itertools import cycle
from typing import Any

from kernelpick.budget.batches import learn_made_up, made_up
from kernelpick.budget.measure import Player, Way
from kernelpick.columns.stream import Columns
from kernelpick.online.plan import Plan

CALLS = 64  # as many as the blocks have in which learners work; few, so that each is played often
TURNS = 8
TIMED = 1.0  # any budget: rounds of a model that has one are timed, which takes a few microseconds itself


def row_by_row(estimator: Any) -> Way:
    """Calls of an estimator like this one."""

    def begin(plan: Plan) -> Player:
        return _begin(type(estimator)(**estimator._params() | {"time_budget": TIMED}), plan)

    return Way("rows", 1, CALLS, begin, TURNS, unmeasured=CALLS)


def _begin(fresh: Any, plan: Plan) -> Player:
    X, Y = made_up(plan)
    rows: list[dict[Any, Any]] = [dict(enumerate(row)) for row in X[:CALLS].tolist()]
    targets = [_target(fresh, values) for values in Y[:CALLS].tolist()]
    model = fresh._begin_by(lambda *sizes: plan, Columns(None).of_dict(rows[0]))
    if not fresh._classifies:
        fresh._note(targets[0])  # the names of several targets
    fresh.learn_one(rows[0], targets[0])
    coming = cycle(zip(rows, targets, strict=True))

    def call() -> None:
        row, target = next(coming)
        fresh.predict_one(row)
        fresh.learn_one(row, target)

    return Player(lambda rows: learn_made_up(model, rows, X, Y), call)


def _target(fresh: Any, values: list[float]) -> Any:
    if fresh._classifies:
        return values[0] > 0
    return values[0] if len(values) == 1 else dict(enumerate(values))
