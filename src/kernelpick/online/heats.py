"""Arms that learn one after the other: each as a state of its own, whose arrays are parts of those of the whole.

So a round of a fit that runs beside others (job.py) has one player, and what it has learned is where it belongs.
"""

import math
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.loop import Rows
from kernelpick.core.parts import changed
from kernelpick.core.stream import play_rows
from kernelpick.online.pace import PACE, STEP
from kernelpick.online.said import part_of

NEVER = 2**60
AT_A_TIME = 2, 2, 2  # steps in which an arm is made, where no heat is under way

Steps = Generator[float, float, Any]  # yields what was done, and is sent how much more may be done now
Arm = tuple[Specification, State]


def one_arm(spec: Specification, state: State, arm: int) -> Arm:
    """One arm of a state as a state of its own, whose arrays are parts of those of the whole."""
    made: list[Arm] = []
    deque(making(spec, state, arm, made), maxlen=0)
    return made[0]


def making(spec: Specification, state: State, arm: int, made: list[Arm]) -> Iterator[None]:
    """The same in steps, each of which takes about as long as a round; what is made goes to the list."""
    own, seat = replace(spec, kernels=(spec.kernels[arm],)), state.seat(arm)
    yield

    def part(array: np.ndarray, axes: Any) -> np.ndarray:
        if axes.axes[0] in ("arms", "seats"):
            place = arm if axes.axes[0] == "arms" else seat
            return array[place : place + 1]
        return array if axes.given else array.copy()

    problem = own.problem(1)
    yield
    selector = own.row.selector.build(problem)
    selector.enter(np.zeros(1, dtype=np.int64), NEVER)  # nobody challenges it
    yield
    space = changed(state.space, lambda array, axes: part(array, axes) if axes.axes[0] == "arms" else array)
    yield
    alone = State(space, changed(state.learner, part), selector, np.zeros(3))
    alone.share_code(state)
    yield
    assert alone.packed  # found once
    made.append((own, alone))
    yield


def at_a_time(steps: Iterator[None]) -> Steps:
    """Several of the steps in which an arm is made count as one, and after the last nothing is left."""
    for several in AT_A_TIME:
        deque(islice(steps, several), maxlen=0)
        yield STEP


def replay(spec: Specification, state: State, rows: Rows, record: list[Any], beside: Iterable[None] = ()) -> Steps:
    """Play the rows; their outcomes go to the record. Beside each piece of them comes one of something else."""
    done, allowed, others = 0, float(PACE), iter(beside)  # a piece for each row: what is beside it comes once
    while done < len(rows.X):
        stop = min(len(rows.X), done + max(1, math.ceil(allowed)))
        state, outcome = play_rows(spec, state, part_of(rows, slice(done, stop)), skips=True)
        record.append(outcome)
        next(others, None)
        allowed = yield float(stop - done)
        done = stop
    return state


def heats(spec: Specification, state: State, heat: Rows, arms: np.ndarray) -> Steps:
    """Of these arms the best one in these rows but for a quarter of them, their scores, and that arm as its own
    state."""
    scores, alone = np.full(len(spec.kernels), np.inf), {}
    made: list[Arm] = []
    coming = [making(spec, state, arm, made) for arm in arms.tolist()]
    yield from at_a_time(coming[0])
    for arm, steps, beside in zip(arms.tolist(), coming, [*coming[1:], iter(())], strict=True):
        outcomes: list[Any] = []
        deque(steps, maxlen=0)  # what is left of them
        own, start = made[-1]
        alone[arm] = own, (yield from replay(own, start, heat, outcomes, beside))
        paid = np.concatenate([outcome.losses for outcome in outcomes])
        paid = (paid * heat.weights if len(heat.weights) else paid)[len(paid) // 4 :]
        scores[arm] = paid.mean() if np.isfinite(paid).all() else np.inf
        yield STEP
    winner = int(arms[scores[arms].argmin()])
    return winner, scores, *alone[winner]


def seat_winner(state: State, alone: State, winner: int, scores: np.ndarray, heat: int) -> None:
    """The whole state, one arm of which has learned all rows."""
    arms, own = np.flatnonzero(state.selector.seat >= 0), state.selector
    own.enter(arms, 0, winner)
    known = arms[np.isfinite(scores[arms])]
    own.score[known], own.evidence[known] = scores[known], heat - heat // 4
    own.drift[:] = alone.selector.drift
    state.ledger[:2], state.ledger[2 + winner] = alone.ledger[:2], alone.ledger[2]
    carry(alone, state)


def carry(alone: State, whole: State) -> None:
    """What an arm that plays alone has found out for all."""
    if hasattr(whole.learner, "seen"):
        whole.learner.seen[:] = alone.learner.seen
