"""The record of rounds: what the loop writes down in each of them, one row of numbers, and how it is read.

Columns: the loss, who spoke, the predictions (M), and for each arm that was drawn what the cast says of it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.numerics.compilation import inner

LOSS, SPEAKER, SAID = range(3)
ARM, SEAT, CHANCE, DIVISOR, SHARE, ROLES = range(6)  # of a player; roles: 1 it is charged, 2 it learns
PLAYER_COLUMNS = 6


@inner
def note(cast: Any, j: int, count: int, record: np.ndarray, row: int, to: int) -> None:
    """What the record keeps of a player; an arm of -1 where fewer play than could."""
    if j >= count:
        for column in range(to, to + PLAYER_COLUMNS):
            record[row, column] = -1.0
        return
    record[row, to + ARM], record[row, to + SEAT] = cast.arm[j], cast.seat[j]
    record[row, to + CHANCE], record[row, to + DIVISOR] = cast.chance[j], cast.divisor[j]
    record[row, to + SHARE] = cast.share[j]
    record[row, to + ROLES] = cast.charged[j] + 2 * cast.learns[j]


@inner
def recall(cast: Any, record: np.ndarray, row: int, first: int, drawn: int) -> int:
    """The players that the record names."""
    for j in range(drawn):
        to = first + j * PLAYER_COLUMNS
        arm, roles = int(record[row, to + ARM]), int(record[row, to + ROLES])
        if arm < 0:
            return j
        cast.arm[j], cast.seat[j], cast.chance[j] = arm, int(record[row, to + SEAT]), record[row, to + CHANCE]
        cast.divisor[j], cast.share[j] = record[row, to + DIVISOR], record[row, to + SHARE]
        cast.charged[j], cast.learns[j] = roles % 2, roles // 2
    return drawn


def new_record(spec: Any, rows: int) -> np.ndarray:
    """Room for what happens in so many rounds; loop.py tells the columns."""
    return np.empty((rows, spec.n_columns))


def asking(spec: Any, rows: int, arm: int, seat: int) -> np.ndarray:
    """The record of rows of which one arm is asked what it says, and nothing is learned."""
    record = np.empty((rows, SAID + spec.n_outputs + PLAYER_COLUMNS))
    record[:, -PLAYER_COLUMNS:] = arm, seat, 1.0, 1.0, 1.0, 0.0
    return record


def n_player_columns(spec: Any) -> int:
    """What the record keeps of the arms that are drawn in a round."""
    return int(PLAYER_COLUMNS * spec.n_drawn)


class Turn(NamedTuple):
    """Somebody else leads, or the leader is challenged."""

    row: int  # rows of the call that had been played
    round: int
    challenged: bool  # others start afresh
    leader: int
    losses: np.ndarray  # (K,) as State.losses


class Outcome:
    """What happened in some rounds, read from the record of the loop when it is asked for."""

    __slots__ = ("diverged", "record", "spec", "turns")

    def __init__(self, spec: Any, record: np.ndarray, diverged: int | None, turns: Sequence[Turn] = ()) -> None:
        self.spec, self.record, self.turns = spec, record, turns
        self.diverged = diverged  # the first round whose loss was not finite; nothing was learned from it

    @property
    def losses(self) -> np.ndarray:
        """(T,)"""
        return self.record[:, LOSS]

    @property
    def predictions(self) -> np.ndarray:
        """(T, M)"""
        return self.record[:, SAID : SAID + self.spec.n_outputs]

    @property
    def arms(self) -> np.ndarray:
        """(T,) the arm that spoke, -1 where all play."""
        speakers = self.record[:, SPEAKER]
        nobody = np.isnan(speakers) | self.spec.row.selector.plays_all
        return np.where(nobody, -1, speakers).astype(np.int64)

    @property
    def shown_arms(self) -> np.ndarray:
        """(T,) the arm that spoke, or (T, n) where a selector shows n of those that were drawn, who spoke first."""
        shown = self.spec.row.selector.shown
        if shown == 1:
            return self.arms
        players = self.players[:, :shown, ARM]
        return np.where(np.isnan(players), -1, players).astype(np.int64)

    @property
    def probabilities(self) -> np.ndarray:
        """(T,) the chance of the arm that spoke, NaN where all play."""
        arms = self.arms
        chances = self.players[:, 0, CHANCE] if self.spec.n_drawn else np.ones(len(arms))
        return np.where(arms < 0, np.nan, chances)

    @property
    def players(self) -> np.ndarray:
        """(T, n, 6) arm, seat, chance, divisor, share and roles of each arm that was drawn; see loop.py."""
        first = SAID + self.spec.n_outputs
        return self.record[:, first:].reshape(len(self.record), self.spec.n_drawn, PLAYER_COLUMNS)
