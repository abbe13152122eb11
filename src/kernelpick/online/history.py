"""What a model thought of its kernels, and when: entries that are few, and do not depend on how the stream was cut."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kernelpick.core.kernels import Kernel

MOST = (
    256  # entries; beyond that, or a smaller number, the oldest ones go, first those whose rounds are no powers of two
)
FIT, MERGE, CHALLENGE, LEAD, ROUND = WHY = ("fit", "merge", "challenge", "lead", "round")


class Entry(NamedTuple):
    """How things stood after a round.

    Losses are those of a round in units of the scaled target, in which kernels are compared: the mean of the estimates
    so far. Where there is a leader ("auto"), its own is the mean of what was said so far, and those of the others are
    that and how much worse they were in recent rounds which both have played. They are NaN where nothing is known.
    """

    round: int  # rows learned from
    why: str  # "fit": kernels are new; "challenge": the leader is challenged; "lead": another leads; "round": 2^n;
    # "merge": several models became one
    kernels: tuple[Kernel, ...]
    losses: tuple[float, ...]
    leader: int  # the place of the kernel in the lead
    lead: float  # how much less its loss is than that of the next best; NaN if nothing is known of any other
    error: float  # loss_ up to that round
    coverage: float  # coverage_ up to that round

    @property
    def kernel(self) -> Kernel:
        """The one in the lead."""
        return self.kernels[self.leader]


def entry(
    round: int, why: str, kernels: Sequence[Kernel], leader: int, losses: ArrayLike, error: float, coverage: float
) -> Entry:
    own = tuple(np.asarray(losses, dtype=float).tolist())
    known = [loss for arm, loss in enumerate(own) if arm != leader and not math.isnan(loss)]
    lead = min(known) - own[leader] if known else math.nan
    return Entry(round, why, tuple(kernels), own, leader, lead, error, coverage)


def is_power(round: int) -> bool:
    return round > 0 and round & (round - 1) == 0


class History:
    """The entries, at most one a round."""

    def __init__(self, most: int = MOST) -> None:
        self.entries: list[Entry] = []
        self.most = most

    @property
    def last(self) -> Entry | None:
        return self.entries[-1] if self.entries else None

    def add(self, new: Entry) -> None:
        """Of two entries of a round the later stays, with the weightier reason; what is no power of two may have to go.

        The round that a stream has come to may be less than it was, by rows that a fit could not learn from.
        """
        while self.entries and self.entries[-1].round >= new.round:
            old = self.entries.pop()
            if old.round == new.round:
                new = new._replace(why=min(old.why, new.why, key=WHY.index))
        self.entries.append(new)
        if len(self.entries) > self.most:
            del self.entries[next((i for i, one in enumerate(self.entries) if not is_power(one.round)), 0)]
