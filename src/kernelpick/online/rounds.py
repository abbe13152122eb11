"""Rounds of a model: rows go to the core, and one whose loss is not finite is passed over.

Such a row teaches nothing, and takes nothing from the others: whatever comes with it in a call, all other rows are
learned, so that results do not depend on how rows are cut into calls.
"""

from typing import NamedTuple

import numpy as np

from kernelpick import core
from kernelpick.core import CALL_ROWS, Outcome, State
from kernelpick.online.scaling import add_losses, to_units
from kernelpick.online.tickets import UNDRAWN
from kernelpick.specification import Specification

UNITS = {"square": 2, "huber": 2}  # a loss is in units of the target to this power, 1 for all others
PASSED_OVER = (
    "a loss overflowed, and nothing was learned from that row; a smaller step_scale, no horizon, or targets of smaller "
    "size prevent it."
)


class Rows(NamedTuple):
    """Rows of a stream, and what decides their rounds."""

    X: np.ndarray  # (T, d)
    Y: np.ndarray  # (T, M)
    weights: np.ndarray  # (T,), or empty where all weigh 1
    numbers: np.ndarray  # (T,) random, in [0, 1)

    def part(self, of: slice) -> "Rows":
        return Rows(self.X[of], self.Y[of], self.weights[of], self.numbers[of])


class Said(NamedTuple):
    """What was said to some rows."""

    values: np.ndarray  # (T, M)
    units: np.ndarray | None = None  # (2, T) center and spread of the target that the values are scaled by, if they are
    arms: np.ndarray | None = None  # (T,) the kernels that said it; none while there were none
    diverged: int | None = None  # the first row that was passed over

    def in_units(self) -> np.ndarray:
        """(T, M) in units of the target."""
        if self.units is None:
            return self.values
        out = self.values.copy()
        to_units(out, self.units)
        return out

    @staticmethod
    def together(parts: "list[Said]") -> "Said":
        if len(parts) == 1:
            return parts[0]
        arms = [np.full(len(part.values), UNDRAWN) if part.arms is None else part.arms for part in parts]
        starts = np.cumsum([0, *(len(part.values) for part in parts)]).tolist()
        diverged = [at + part.diverged for at, part in zip(starts, parts, strict=False) if part.diverged is not None]
        return Said(
            np.concatenate([part.in_units() for part in parts]),
            arms=np.concatenate(arms),
            diverged=diverged[0] if diverged else None,
        )


class Books:
    """The sums behind the mean loss of what was said, in units of the target."""

    def __init__(self, loss: str) -> None:
        self.power = UNITS.get(loss, 1)
        self.loss, self.weight = np.zeros(1), 0.0

    @property
    def mean(self) -> float:
        return float(self.loss[0] / self.weight) if self.weight else float("nan")

    def add(self, losses: np.ndarray, units: np.ndarray, weights: np.ndarray, learned: np.ndarray | None) -> None:
        """Losses (T,) scaled by units (2, T), of the rows that were learned, one by one."""
        if learned is not None:
            losses, units = losses[learned], np.ascontiguousarray(units[:, learned])
            weights = weights[learned] if len(weights) else weights
        add_losses(self.loss, losses, units, weights, self.power)
        if len(weights):
            self.weight = float(np.add.accumulate(np.append(self.weight, weights))[-1])
        else:
            self.weight += len(losses)


def play(
    spec: Specification, state: State, rows: Rows, said: Outcome | None = None
) -> tuple[State, Outcome, np.ndarray | None]:
    """The state after the rows, what happened, and which rows were learned, (T,) truths; None where all were.

    The state that is given must not be used again. said is as in core.advance_in_place.
    """
    state, outcome = core.advance_in_place(spec, state, rows.X, rows.Y, rows.numbers, rows.weights, said)
    if outcome.diverged is None:
        return state, outcome, None
    learned = np.ones(len(rows.X), dtype=bool)
    at = outcome.diverged
    while at < len(rows.X):
        learned[at] = False
        if said is None:
            values, arm, p = core.predict(spec, state, rows.X[at : at + 1], float(rows.numbers[at]))
            outcome.predictions[at], outcome.arms[at], outcome.probabilities[at] = values[0], arm, p
        at += 1
        ended = True
        while ended and at < len(rows.X):  # in calls of bounded length: each of them may be passed over again
            part = slice(at, at + CALL_ROWS)
            ahead = rows.part(part)
            state, more = core.advance_in_place(spec, state, ahead.X, ahead.Y, ahead.numbers, ahead.weights)
            for whole, piece in zip(outcome[:4], more[:4], strict=True):
                whole[part] = piece  # type: ignore[index]
            ended = more.diverged is None
            at += len(ahead.X) if more.diverged is None else more.diverged
    if spec.row.plays_all:
        outcome.arms[:], outcome.probabilities[:] = UNDRAWN, np.nan
    return state, outcome, learned
