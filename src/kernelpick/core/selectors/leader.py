"""A leader with scouts: the arm with the lowest recent loss predicts and learns in every round, a few others learn too.

Who leads and who scouts is decided at the ends of blocks of BLOCK rounds (race.py, scouts.py). A scout is compared with
the leader on the rounds that both have played, so that the noise they share cancels; its score moves towards
score[leader] + mean(loss of the scout - loss of the leader), and old comparisons are forgotten over MEMORY rounds.

In the opening all arms play. After it, scouts play as long as the start is a contest, and then as many as N asks for:
N = 1.3 hypotheses a round is a scout in 30 % of the blocks, N = K is full information. N = 1 is a pure bandit: a scout
plays in the place of the leader, in a few blocks, and the two are compared by their own losses.

When the leader becomes worse (drift.py), it is challenged: all others start afresh and play. It stays until one of them
is better, so a false alarm costs time and nothing else. As long as the fresh ones win, there are more challenges.

With more kernels than seats, only those with a seat take part; a challenge draws new ones.

Where no round may do more than its share (even), there are never more players than N, rounded up: no opening, no more
scouts in a contest, and a challenge is one by as many arms as scouts, the best of the rest, which play until it ends.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import BLOCK, Cast, Ledger, Trial, enlist
from kernelpick.core.selectors import drift, race, selector
from kernelpick.core.selectors.appraisal import own_loss
from kernelpick.core.selectors.pooled import pooled
from kernelpick.core.selectors.race import CONTEST, end_block

SEATS = 8  # hypotheses that are kept ready at most, if N does not ask for more


@selector("leader", restarts=True)
class Leader(NamedTuple):
    hypotheses: float  # N
    even: bool
    # the chance of each arm to speak in a block, in the long run: 1 for the leader, or nearly
    p: Annotated[np.ndarray, Axes("arms", adds="own")]
    seat: Annotated[np.ndarray, Axes("arms", fresh=-1, of=int)]  # where an arm sits, -1 if it does not take part
    playing: Annotated[np.ndarray, Axes("arms", of=int)]  # 1 for those that play the current block
    fresh: Annotated[np.ndarray, Axes("arms", of=int)]  # 1 for those that start afresh with the next round
    score: Annotated[np.ndarray, Axes("arms", adds="own")]
    evidence: Annotated[np.ndarray, Axes("arms", adds="sum")]  # rounds behind the score, the older ones count less
    sums: Annotated[np.ndarray, Axes("arms", adds="own")]  # losses in this block, or since the middle of the opening
    race: Annotated[np.ndarray, Axes(1, of=race.FIELDS)]  # see race.py
    drift: Annotated[np.ndarray, Axes(1, of=drift.FIELDS)]  # see drift.py

    @staticmethod
    def count_seats(problem: Problem) -> int:
        return seats_for(problem.arms, problem.hypotheses)

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """Before the first round, with an opening as long as the contest; a pure bandit has none."""
        arms, hypotheses = problem.arms, problem.hypotheses
        seated = np.unique(np.linspace(0, arms - 1, seats_for(arms, hypotheses)).round().astype(np.int64))
        flags: Any = [np.zeros(arms, dtype=np.int64) for _ in range(2)]
        numbers: Any = [np.zeros(arms) for _ in range(3)]
        books: Any = np.zeros(1, race.FIELDS), np.zeros(1, drift.FIELDS)
        start = cls(hypotheses, problem.even, np.zeros(arms), np.full(arms, -1), *flags, *numbers, *books)
        start.enter(seated, CONTEST if hypotheses > 1.0 and not problem.even else 0)
        return start

    def enter(self, arms: np.ndarray, opening: int, lead: int | None = None) -> None:
        """These arms take part, and all of them play until that round or, but for N = 1, the end of the block; the
        first leads, unless another is to."""
        lead = int(arms[0]) if lead is None else lead
        self.seat[:] = -1
        self.seat[arms] = np.arange(len(arms))
        self.race["leader"] = self.race["speaker"] = lead
        self.race["opening"] = opening
        self.playing[:] = 0
        scouts = [] if self.hypotheses <= 1.0 else [arm for arm in arms if arm != lead]
        some = [lead, *scouts[: math.ceil(self.hypotheses) - 1]] if self.even else [lead, *scouts]
        self.playing[arms if opening else some] = 1
        self.p[:] = 0.0
        self.p[lead] = 1.0

    def hear_others(self) -> None:
        """Losses from now on are those of other outputs: what was watched so far is no measure for them."""
        self.drift[:] = np.zeros(1, drift.FIELDS)

    @property
    def speaker(self) -> int:
        """The arm that predicts."""
        return int(self.race["speaker"][0])

    @property
    def estimates(self) -> np.ndarray:
        """(K,) the recent loss of each arm in a round, up to a number that is the same for all; NaN where unknown."""
        return np.where(self.evidence > 0.0, self.score, np.nan)

    def checked(self) -> None:
        """Refuse arrays that do not fit together: every seat is taken once; who leads, speaks and plays has one."""
        seat = self.seat
        for flags in (self.playing, self.fresh):
            if not (((flags == 0) | (flags == 1)) & ((flags == 0) | (seat >= 0))).all():
                raise ValueError("an arm without a seat plays")
        if sorted(seat[seat != -1].tolist()) != list(range(seats_for(len(seat), self.hypotheses))):
            raise ValueError("the seats are wrong")
        for arm in (self.race["leader"][0], self.race["speaker"][0]):
            if not 0 <= arm < len(seat) or seat[arm] < 0:
                raise ValueError("the leader has no seat")
        if not all(0 <= self.race[name][0] < 2**62 for name in ("opening", "counted", "since", "champion")):
            raise ValueError("a counter of the race is wrong")

    def added(self, states: Any, whole: Any) -> Self:
        """One race from those of all shards, see pooled.py."""
        return pooled(self, [state.selector for state in states], whole.rounds)

    @staticmethod
    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        count, speaker = 0, selector.race[0]["speaker"]
        for i in range(len(selector.playing)):
            if selector.playing[i]:
                enlist(cast, count, i, 1.0)
                cast.seat[count] = selector.seat[i]
                cast.share[count] = 1.0 if i == speaker else 0.0
                count += 1
        return count

    @staticmethod
    def appraise(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
        for j in range(count):
            costs[cast.arm[j]] = own_loss(trial, cast.arm[j])
        paid = costs[selector.race[0]["speaker"]]
        selector.drift[0]["block_loss"] += math.sqrt(max(paid, 0.0))  # before rows are weighed

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        t, race = int(ledger.clock[0]), selector.race[0]
        for j in range(count):
            selector.sums[cast.arm[j]] += costs[cast.arm[j]]
        race["counted"] += 1
        opening = race["opening"]
        turns = False
        if t % BLOCK == 0 or t == opening:
            turns = end_block(selector, t, trial.numbers[0])
        if t < opening and t == opening // 2:  # what was said in the first half of the opening does not count
            race["counted"] = 0
            selector.sums[:] = 0.0
        return turns


def seats_for(arms: int, hypotheses: float) -> int:
    return min(arms, max(SEATS, math.ceil(hypotheses)))
