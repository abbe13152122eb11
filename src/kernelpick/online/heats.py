"""Arms that learn one after the other: each as a state of its own, whose arrays are parts of those of the whole.

So a round of a fit that runs beside others (job.py) has one player, and what it has learned is where it belongs.
"""

import math
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.loop import Rows
from kernelpick.core.parts import changed
from kernelpick.core.stream import play_rows
from kernelpick.online.pace import HEAT
from kernelpick.online.said import part_of

NEVER = 2**60

Steps = Generator[float, float, Any]  # yields what was done, and is sent how much more may be done now


def one_arm(spec: Specification, state: State, arm: int) -> tuple[Specification, State]:
    """One arm of a state as a state of its own, whose arrays are parts of those of the whole."""
    own, seat = replace(spec, kernels=(spec.kernels[arm],)), state.seat(arm)

    def part(array: np.ndarray, axes: Any) -> np.ndarray:
        if axes.axes[0] in ("arms", "seats"):
            place = arm if axes.axes[0] == "arms" else seat
            return array[place : place + 1]
        return array if axes.given else array.copy()

    space = changed(state.space, lambda array, axes: part(array, axes) if axes.axes[0] == "arms" else array)
    selector = own.row.selector.build(own.problem(1))
    selector.enter(np.zeros(1, dtype=np.int64), NEVER)  # nobody challenges it
    alone = State(space, changed(state.learner, part), selector, np.zeros(3))
    alone.machine_code.update(state.machine_code)  # which takes long to find
    return own, alone


def replay(spec: Specification, state: State, rows: Rows, record: list[Any]) -> Steps:
    """Play the rows; their outcomes go to the record."""
    done, allowed = 0, 1.0
    while done < len(rows.X):
        stop = min(len(rows.X), done + max(1, math.ceil(allowed)))
        state, outcome = play_rows(spec, state, part_of(rows, slice(done, stop)), skips=True)
        record.append(outcome)
        allowed = yield float(stop - done)
        done = stop
    return state


def heats(spec: Specification, state: State, scaled: Rows) -> Steps:
    """The best arm in the first rows but for a quarter of them, the scores of all, and that arm as its own state."""
    arms, heat = np.flatnonzero(state.selector.seat >= 0), part_of(scaled, slice(HEAT))
    scores, alone = np.full(len(spec.kernels), np.inf), {}
    for arm in arms.tolist():
        outcomes: list[Any] = []
        own, start = one_arm(spec, state, arm)
        alone[arm] = own, (yield from replay(own, start, heat, outcomes))
        paid = np.concatenate([outcome.losses for outcome in outcomes])
        paid = (paid * heat.weights if len(heat.weights) else paid)[len(paid) // 4 :]
        scores[arm] = paid.mean() if np.isfinite(paid).all() else np.inf
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
    if hasattr(state.learner, "seen"):
        state.learner.seen[:] = alone.learner.seen
