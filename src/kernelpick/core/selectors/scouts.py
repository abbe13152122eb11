"""Who plays the next block of the leader: everybody, the leader with some scouts, or one scout in its place."""

from typing import Any

from kernelpick.core.numerics.compilation import inner

NO_SCOUTS = 1.0 + 1e-9  # hypotheses a round, while scouts rest; one would be a pure bandit
ALONE = 0.1  # N = 1: how often a block is a scout's
STAY = 512  # rounds that a scout stays where rounds are even and N whole: the first row of another waits for its matrix


@inner
def appoint(selector: Any, t: int, since: int, u: float, contest: int) -> None:
    """since: rounds since the last challenge or the start; contest: rounds that a start is one; u is in [0, 1)."""
    race, alone = selector.race[0], selector.hypotheses <= 1.0
    lead = race["leader"]
    if selector.even and not alone and _play_on(selector, t, since, contest):
        race["speaker"] = lead
        for i in range(len(selector.p)):
            selector.p[i] = 1.0 if i == lead else 0.0
        return
    challenged = race["since"] > 0 and since < contest and not alone and not selector.even
    everyone = t < race["opening"] or challenged
    for i in range(len(selector.playing)):
        selector.playing[i] = 1 if i == lead or (everyone and selector.seat[i] >= 0) else 0
        selector.p[i] = 1.0 if i == lead else 0.0
    race["speaker"] = lead
    rest = seated(selector) - 1
    if everyone or rest == 0:
        return
    if alone:
        _send_one(selector, rest, since < contest, u)
    else:
        least = 2 if since < contest else (1 if since < 2 * contest else 0)
        _send_some(selector, rest, 0 if selector.even or selector.hypotheses <= NO_SCOUTS else least, u)


@inner
def _play_on(selector: Any, t: int, since: int, contest: int) -> bool:
    """Those who challenge, and scouts whose time is not over, whichever of the players leads by now.

    Where N is no whole number scouts come and go with every block: there would be more of them than it says.
    """
    if selector.race[0]["since"] > 0 and 0 < since < contest:
        return True
    count = 0
    for i in range(len(selector.playing)):
        count += selector.playing[i]
    leads = selector.playing[selector.race[0]["leader"]] == 1
    return t % STAY != 0 and leads and count == selector.hypotheses


@inner
def _send_some(selector: Any, rest: int, least: int, u: float) -> None:
    """As many scouts as N asks for on average; in a contest at least so many, and the best ones."""
    scouts, u = _count(min(selector.hypotheses - 1.0, float(rest)), u)
    for _ in range(min(max(scouts, least), rest)):
        u, coin = split(u, 2)  # half of the time the best of the rest, else any of them
        u, skip = split(u, rest)
        selector.playing[scout(selector, least > 0 or coin == 0, skip)] = 1
        rest -= 1


@inner
def _send_one(selector: Any, rest: int, contest: bool, u: float) -> None:
    """N = 1: in some blocks, and in every one of a contest, a scout plays and speaks in the place of the leader."""
    race, lead = selector.race[0], selector.race[0]["leader"]
    scouts, u = _count(ALONE, u)
    if scouts > 0 or contest:
        u, coin = split(u, 2)
        u, skip = split(u, rest)
        chosen = scout(selector, coin == 0 and not contest, skip)
        selector.playing[chosen], selector.playing[lead] = 1, 0
        race["speaker"] = chosen
    for i in range(len(selector.playing)):
        if selector.seat[i] >= 0:
            selector.p[i] = 1.0 - ALONE if i == lead else ALONE / max(1, rest)


@inner
def _count(wanted: float, u: float) -> tuple[int, float]:
    """A whole number that is wanted on average, and what is left of u."""
    whole = int(wanted)
    if u < wanted - whole:
        return whole + 1, u / (wanted - whole)
    return whole, (u - (wanted - whole)) / (1.0 - (wanted - whole))


@inner
def scout(selector: Any, by_score: bool, skip: int) -> int:
    """Of those who have a seat and do not play yet: the best, or the one after so many others."""
    chosen = -1
    for i in range(len(selector.playing)):
        if selector.seat[i] >= 0 and not selector.playing[i]:
            if by_score:
                if chosen < 0 or selector.score[i] < selector.score[chosen]:
                    chosen = i
            elif skip == 0:
                chosen = i
                break
            else:
                skip -= 1
    return chosen


@inner
def seated(selector: Any) -> int:
    count = 0
    for i in range(len(selector.seat)):
        count += 1 if selector.seat[i] >= 0 else 0
    return count


@inner
def split(u: float, parts: int) -> tuple[float, int]:
    """A number below parts from u in [0, 1), and what is left of u, again in [0, 1)."""
    scaled = u * parts
    whole = min(int(scaled), parts - 1)
    return scaled - whole, whole
