"""A leader with scouts: the arm with the lowest recent loss predicts and learns in every round, a few others learn too.

Who leads and who scouts is decided at the ends of blocks of BLOCK rounds. A scout is compared with the leader on the
rounds that both have played, so that the noise they share cancels; its score moves towards
score[leader] + mean(loss of the scout - loss of the leader), and old comparisons are forgotten over MEMORY rounds.

In the opening all arms play. After it, scouts play as long as the start is a contest, and then as many as N asks for:
N = 1.3 hypotheses a round is a scout in 30 % of the blocks, N = K is full information. N = 1 is a pure bandit: a scout
plays in the place of the leader, in a few blocks, and the two are compared by their own losses.

When the leader becomes worse (drift.py), it is challenged: all others start afresh and play. It stays until one of them
is better, so a false alarm costs time and nothing else. As long as the fresh ones win, there are more challenges.

With more kernels than seats, only those with a seat take part; a challenge draws new ones.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import inner
from ..learners import restart
from ..losses import value
from . import appraise, combine, draw, place, renew, select, speaker
from .drift import BLOCK_LOSS, watch

BLOCK = 64  # rounds
SEATS = 8  # hypotheses that are kept ready at most, if N does not ask for more
MEMORY = 2000.0  # rounds over which scores forget
CONTEST = 512  # rounds: until then two scouts in every block, one until twice that
ALONE = 0.1  # N = 1: how often a block is a scout's
CHALLENGE = 1024  # rounds that a challenge lasts

LEADER, SPEAKER, OPENING, COUNTED, SINCE, CHAMPION = range(6)  # entries of race


class Leader(NamedTuple):
    hypotheses: float  # N
    p: np.ndarray  # (K,) the chance of each arm to speak in a block, in the long run: 1 for the leader, or nearly
    seat: np.ndarray  # (K,) where an arm sits, -1 if it does not take part
    playing: np.ndarray  # (K,) 1 for those that play the current block
    fresh: np.ndarray  # (K,) 1 for those that start afresh with the next round
    score: np.ndarray  # (K,)
    evidence: np.ndarray  # (K,) rounds behind the score, the older ones count less
    sums: np.ndarray  # (K,) losses in the current block, or since the middle of the opening
    race: np.ndarray  # (6,) leader, speaker, length of the opening, rounds in sums, last challenge, who led then
    drift: np.ndarray  # (5,) see drift.py


def seats_for(arms: int, hypotheses: float) -> int:
    return min(arms, max(SEATS, math.ceil(hypotheses)))


def leader(arms: int, hypotheses: float) -> Leader:
    """Before the first round, with an opening as long as the contest; a pure bandit has none."""
    seated = np.unique(np.linspace(0, arms - 1, seats_for(arms, hypotheses)).round().astype(np.int64))
    race = np.zeros(6, dtype=np.int64)
    race[LEADER] = race[SPEAKER] = seated[0]
    start = Leader(
        hypotheses,
        np.zeros(arms),
        np.full(arms, -1),
        np.zeros(arms, dtype=np.int64),
        np.zeros(arms, dtype=np.int64),
        np.zeros(arms),
        np.zeros(arms),
        np.zeros(arms),
        race,
        np.zeros(5),
    )
    enter(start, seated, CONTEST if hypotheses > 1.0 else 0)
    return start


def enter(selector: Leader, arms: np.ndarray, opening: int) -> None:
    """Before the first round: these arms take part, and all of them play for that many rounds."""
    selector.seat[:] = -1
    selector.seat[arms] = np.arange(len(arms))
    selector.race[LEADER] = selector.race[SPEAKER] = arms[0]
    selector.race[OPENING] = opening
    selector.playing[:] = 0
    selector.playing[arms if opening else arms[:1]] = 1
    selector.p[:] = 0.0
    selector.p[arms[0]] = 1.0


@draw.register(Leader)
def _draw(selector: Any, u: float) -> tuple[int, int, float]:
    return 0, len(selector.p), 1.0


@place.register(Leader)
def _place(selector: Any, arm: int) -> int:
    return selector.seat[arm] if selector.playing[arm] else -1


@speaker.register(Leader)
def _speaker(selector: Any, first: int) -> int:
    return selector.race[SPEAKER]


@combine.register(Leader)
def _combine(selector: Any, values: np.ndarray, first: int, last: int, f: np.ndarray) -> None:
    for m in range(len(f)):
        f[m] = values[selector.race[SPEAKER], m]


@appraise.register(Leader)
def _appraise(
    selector: Any, loss: int, values: np.ndarray, predictions: np.ndarray, Y: np.ndarray, row: int, first: int,
    last: int, penalties: np.ndarray, costs: np.ndarray,
) -> None:  # fmt: skip
    for i in range(first, last):
        if selector.playing[i]:
            total = penalties[i]
            for m in range(Y.shape[1]):
                total += value(loss, values[i, m], Y[row, m])
            costs[i] = total
    selector.drift[BLOCK_LOSS] += math.sqrt(max(costs[selector.race[SPEAKER]], 0.0))  # before rows are weighed


@select.register(Leader)
def _select(selector: Any, ledger: Any, arm: int, costs: np.ndarray, p: float, margin: float, u: float) -> None:
    t, race = ledger.clock[0], selector.race
    for i in range(len(costs)):
        if selector.playing[i]:
            selector.sums[i] += costs[i]
    race[COUNTED] += 1
    opening = race[OPENING]
    if t % BLOCK == 0 or t == opening:
        _end_block(selector, t, u)
    if t < opening and t == opening // 2:  # what was said in the first half of the opening does not count
        race[COUNTED] = 0
        for i in range(len(costs)):
            selector.sums[i] = 0.0


@inner
def _end_block(selector: Any, t: int, u: float) -> None:
    race, sums, rows = selector.race, selector.sums, selector.race[COUNTED]
    alarm = False
    if t % BLOCK == 0 and race[SPEAKER] == race[LEADER]:
        length = min(BLOCK, t - race[OPENING]) if t > race[OPENING] else BLOCK
        alarm = watch(selector.drift, selector.drift[BLOCK_LOSS] / length)
    selector.drift[BLOCK_LOSS] = 0.0
    if t == race[OPENING]:  # losses of beginners are no measure
        selector.drift[:] = 0.0
    if rows > 0:
        _compare(selector, t, rows)
    if t >= race[OPENING]:
        race[COUNTED] = 0
        for i in range(len(sums)):
            sums[i] = 0.0
    best = race[LEADER]
    for i in range(len(sums)):
        if selector.seat[i] >= 0 and selector.evidence[i] > 0.0 and selector.score[i] < selector.score[best]:
            best = i
    race[LEADER] = best
    since = t - race[SINCE]
    if race[SINCE] > 0:
        again = since == CHALLENGE and best != race[CHAMPION]  # restarting has paid: it may do so again
        alarm = again or (alarm and since >= CHALLENGE)
    if alarm and t > CONTEST and t > race[OPENING]:
        u = _challenge(selector, t, u)
        since = 0
    _appoint(selector, t, since, u)


@inner
def _compare(selector: Any, t: int, rows: int) -> None:
    """Move the scores of those who played."""
    score, evidence, sums, lead = selector.score, selector.evidence, selector.sums, selector.race[LEADER]
    if t <= selector.race[OPENING]:
        for i in range(len(score)):
            if selector.playing[i]:
                score[i], evidence[i] = sums[i] / rows, rows
        return
    keep, leading = math.exp(-rows / MEMORY), score[lead]
    for i in range(len(score)):
        if selector.playing[i] and (i != lead or (selector.race[SPEAKER] == lead and selector.hypotheses <= 1.0)):
            mean = sums[i] / rows
            if selector.playing[lead] and i != lead:
                mean = leading + (sums[i] - sums[lead]) / rows
            evidence[i] = evidence[i] * keep + rows
            score[i] += rows / evidence[i] * (mean - score[i])


@inner
def _challenge(selector: Any, t: int, u: float) -> float:
    """All but the leader start afresh; with more kernels than seats, others take these. What is left of u.

    An arm that is alone has nobody to challenge it, and starts afresh itself.
    """
    race, seat, lead = selector.race, selector.seat, selector.race[LEADER]
    race[SINCE], race[CHAMPION] = t, lead
    selector.drift[:] = 0.0
    seats = seated(selector)
    if seats < len(seat):
        for i in range(len(seat)):
            seat[i] = seat[i] if i == lead else -1
        free, rest = 0, len(seat) - 1
        for _ in range(seats - 1):
            free += 1 if free == seat[lead] else 0
            u, skip = _split(u, rest)
            for i in range(len(seat)):
                if seat[i] < 0:
                    if skip == 0:
                        seat[i] = free
                        break
                    skip -= 1
            rest -= 1
            free += 1
    for i in range(len(seat)):
        selector.fresh[i] = 1 if seat[i] >= 0 and (i != lead or seats == 1) else 0
        if i != lead:
            selector.score[i], selector.evidence[i] = selector.score[lead], 0.0
    return u


@inner
def _appoint(selector: Any, t: int, since: int, u: float) -> None:
    """Who plays the next block, decided by u in [0, 1)."""
    race, playing, score, lead = selector.race, selector.playing, selector.score, selector.race[LEADER]
    arms, alone = len(playing), selector.hypotheses <= 1.0
    everyone = t < race[OPENING] or (race[SINCE] > 0 and since < CONTEST and not alone)
    rest = -1
    for i in range(arms):
        playing[i] = 1 if i == lead or (everyone and selector.seat[i] >= 0) else 0
        rest += 1 if selector.seat[i] >= 0 else 0
        selector.p[i] = 1.0 if i == lead else 0.0
    race[SPEAKER] = lead
    if everyone or rest == 0:
        return
    wanted = ALONE if alone else min(selector.hypotheses - 1.0, float(rest))
    scouts = int(wanted)
    if u < wanted - scouts:
        scouts, u = scouts + 1, u / (wanted - scouts)
    else:
        u = (u - (wanted - scouts)) / (1.0 - (wanted - scouts))
    contest = 0
    if not alone:
        contest = 2 if since < CONTEST else (1 if since < 2 * CONTEST else 0)
    elif since < CONTEST:
        scouts = 1
    for _ in range(min(max(scouts, contest), rest)):
        u, coin = _split(u, 2)  # half of the time the best of the rest, else any of them
        u, skip = _split(u, rest)
        by_score = contest > 0 or (coin == 0 and not (alone and since < CONTEST))
        chosen = -1
        for i in range(arms):
            if selector.seat[i] >= 0 and not playing[i]:
                if by_score:
                    if chosen < 0 or score[i] < score[chosen]:
                        chosen = i
                elif skip == 0:
                    chosen = i
                    break
                else:
                    skip -= 1
        playing[chosen] = 1
        rest -= 1
        if alone:
            playing[lead], race[SPEAKER] = 0, chosen
    if alone:
        for i in range(arms):
            if selector.seat[i] >= 0:
                selector.p[i] = 1.0 - ALONE if i == lead else ALONE / max(1, seated(selector) - 1)


@inner
def seated(selector: Any) -> int:
    count = 0
    for i in range(len(selector.seat)):
        count += 1 if selector.seat[i] >= 0 else 0
    return count


@inner
def _split(u: float, parts: int) -> tuple[float, int]:
    """A number below parts from u in [0, 1), and what is left of u, again in [0, 1)."""
    scaled = u * parts
    whole = min(int(scaled), parts - 1)
    return scaled - whole, whole


@renew.register(Leader)
def _renew(selector: Any, learner: Any, space: Any) -> None:
    for i in range(len(selector.fresh)):
        if selector.fresh[i]:
            restart(learner, space, i, selector.seat[i])
            selector.fresh[i] = 0
