"""What the parts of an algorithm tell each other in a round. These tuples are made inside compiled code, at no cost."""

from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.numerics.compilation import inner

# Rows that are looked ahead for gradient steps; and the rows of a block of the leader, of a flush of newton and of what
# is looked ahead for it, which are one number: a block of the leader is one matrix product of the learner.
SHORT_BLOCK, BLOCK = 8, 64


class Ledger(NamedTuple):
    """The books that learners and selectors share."""

    clock: np.ndarray  # (1,) rounds played
    total: np.ndarray  # (1,) the sum of all loss estimates
    losses: np.ndarray  # (K,) the same for each arm


class Cast(NamedTuple):
    """The players of a round. A selector fills it; the first entries count."""

    arm: np.ndarray  # (n,)
    seat: np.ndarray  # (n,) where a learner keeps what it knows of the arm
    chance: np.ndarray  # (n,) the probability of the draw; gradients are divided by it
    divisor: np.ndarray  # (n,) what its loss is divided by in the books: the chance, or more (implicit exploration)
    share: np.ndarray  # (n,) of the prediction; 0: it does not predict
    charged: np.ndarray  # (n,) 1 if it pays for its loss
    learns: np.ndarray  # (n,) 1 if it learns


class At(NamedTuple):
    """A row, and the player that looks at it."""

    X: np.ndarray
    row: int
    slot: int  # the row's place in the block that is looked ahead
    arm: int
    seat: int
    place: int  # of the player in the cast
    chance: float  # that the arm plays the coming rows, too: whether looking ahead pays; negative: it does not learn


class Trial(NamedTuple):
    """The label of a round, what was said before, and what the players say now."""

    loss: Any
    said: np.ndarray  # (M,) the prediction
    truth: np.ndarray  # (M,) the label
    values: np.ndarray  # (K, M) of the players
    penalties: np.ndarray  # (K,) that learners add to the losses of the players
    margin: float  # exp(-y f), where the published settings replace the paper's b by it; else 0
    numbers: np.ndarray  # the random numbers of the round
    X: np.ndarray
    row: int  # the round's, in X
    slot: int  # its place in the block that is looked ahead


class Lesson(NamedTuple):
    """What a player learns from."""

    loss: Any
    truth: np.ndarray  # (M,) the label
    at: np.ndarray  # (M,) where the slope is taken
    values: np.ndarray  # (K, M) as in the trial
    weight: float  # of the row
    margin: float  # as in the trial
    capped: bool  # no step moves a prediction beyond its label
    ledger: Ledger


@inner
def enlist(cast: Cast, place: int, arm: int, chance: float) -> None:
    """The usual player: it predicts, is charged and learns, and sits at its own number."""
    cast.arm[place], cast.seat[place], cast.chance[place], cast.divisor[place] = arm, arm, chance, chance
    cast.share[place], cast.charged[place], cast.learns[place] = 1.0, 1, 1
