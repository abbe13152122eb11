"""The end of a block of the leader: scores move, somebody leads, and a leader that has become worse is challenged."""

import math
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import inner
from kernelpick.core.rounds import BLOCK
from kernelpick.core.selectors.drift import forget, watch
from kernelpick.core.selectors.scouts import NO_SCOUTS, appoint, scout, seated, split

# who leads, who speaks, length of the opening, rounds in the sums, round of the last challenge, who led then
FIELDS = np.dtype([(name, "i8") for name in ("leader", "speaker", "opening", "counted", "since", "champion")])
MEMORY = 2000.0  # rounds over which scores forget
CONTEST = 512  # rounds: until then two scouts in every block, one until twice that
CHALLENGE = 1024  # rounds that a challenge lasts


@inner
def end_block(selector: Any, t: int, u: float) -> bool:
    """True: somebody else leads, or some hypotheses are to start afresh."""
    race, sums, rows = selector.race[0], selector.sums, selector.race[0]["counted"]
    alarm = _alarm(selector, t)
    if rows > 0:
        _compare(selector, t, rows)
    if t >= race["opening"]:
        race["counted"] = 0
        for i in range(len(sums)):
            sums[i] = 0.0
    before = best = race["leader"]
    for i in range(len(sums)):
        if selector.seat[i] >= 0 and selector.evidence[i] > 0.0 and selector.score[i] < selector.score[best]:
            best = i
    race["leader"] = best
    since = t - race["since"]
    if race["since"] > 0:
        again = since == CHALLENGE and best != race["champion"]  # restarting has paid: it may do so again
        alarm = again or (alarm and since >= CHALLENGE)
    rest = 1.0 < selector.hypotheses <= NO_SCOUTS  # then an alarm waits
    challenged = alarm and t > CONTEST and t > race["opening"] and not rest
    if challenged and selector.even and selector.hypotheses > 1.0:
        _challenge_by_few(selector, t)
    elif challenged:
        u = _challenge(selector, t, u)
        appoint(selector, t, 0, u, CONTEST)
    else:
        appoint(selector, t, since, u, CONTEST)
    return challenged or best != before


@inner
def _alarm(selector: Any, t: int) -> bool:
    """Whether the leader's losses of this block say that it has become worse."""
    race, drift, alarm = selector.race[0], selector.drift[0], False
    if t % BLOCK == 0 and race["speaker"] == race["leader"]:
        length = min(BLOCK, t - race["opening"]) if t > race["opening"] else BLOCK
        alarm = watch(drift, drift["block_loss"] / length)
    drift["block_loss"] = 0.0
    if t == race["opening"]:  # losses of beginners are no measure
        forget(drift)
    return alarm


@inner
def _compare(selector: Any, t: int, rows: int) -> None:
    """Move the scores of those who played."""
    race, lead = selector.race[0], selector.race[0]["leader"]
    score, evidence, sums = selector.score, selector.evidence, selector.sums
    if t <= race["opening"]:
        for i in range(len(score)):
            if selector.playing[i]:
                score[i], evidence[i] = sums[i] / rows, rows
        return
    keep, leading = math.exp(-rows / MEMORY), score[lead]
    for i in range(len(score)):
        if selector.playing[i] and (i != lead or (race["speaker"] == lead and selector.hypotheses <= 1.0)):
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
    race, seat, lead = selector.race[0], selector.seat, selector.race[0]["leader"]
    race["since"], race["champion"] = t, lead
    forget(selector.drift[0])
    seats = seated(selector)
    if seats < len(seat):
        u = _draw_seats(seat, lead, seats, u)
    for i in range(len(seat)):
        selector.fresh[i] = 1 if seat[i] >= 0 and (i != lead or seats == 1) else 0
        if i != lead:
            selector.score[i], selector.evidence[i] = selector.score[lead], 0.0
    return u


@inner
def _challenge_by_few(selector: Any, t: int) -> None:
    """The best of the rest start afresh, as many as N asks for, and play with the leader; an arm that is alone starts
    afresh itself."""
    race, lead = selector.race[0], selector.race[0]["leader"]
    race["since"], race["champion"], race["speaker"] = t, lead, lead
    forget(selector.drift[0])
    rest = seated(selector) - 1
    for i in range(len(selector.seat)):
        selector.playing[i] = selector.fresh[i] = 0
        selector.p[i] = 1.0 if i == lead else 0.0
    selector.playing[lead] = 1
    selector.fresh[lead] = 1 if rest == 0 else 0
    for _ in range(min(rest, math.ceil(selector.hypotheses) - 1)):
        chosen = scout(selector, True, 0)
        selector.playing[chosen] = selector.fresh[chosen] = 1
        selector.score[chosen], selector.evidence[chosen] = selector.score[lead], 0.0


@inner
def _draw_seats(seat: np.ndarray, lead: int, seats: int, u: float) -> float:
    """All seats but the leader's are drawn anew. What is left of u."""
    for i in range(len(seat)):
        seat[i] = seat[i] if i == lead else -1
    free, rest = 0, len(seat) - 1
    for _ in range(seats - 1):
        free += 1 if free == seat[lead] else 0
        u, skip = split(u, rest)
        for i in range(len(seat)):
            if seat[i] < 0:
                if skip == 0:
                    seat[i] = free
                    break
                skip -= 1
        rest -= 1
        free += 1
    return u
