"""How long a fit takes that runs beside the rounds (job.py).

Work is counted in rounds of one player. For each row that comes PACE = 2 of them are played, one of which is for the
row itself: so a fit that plays W rounds before it learns what comes meanwhile takes W rows. Until then there are no
scouts: what they would find out is of no use for the state that comes. Where a budget has bought many of them, their
time is the fit's, which takes W/(pace - 1) rows.
"""

from typing import Any

from kernelpick.core import Specification
from kernelpick.core.selectors.leader import Leader, seats_for

PACE = 2
HEAT, HEATS = 128, 512  # rows of a heat that several arms have, and of all heats together where few have some
RACED, METRIC = 128, 192  # rows of a race of scales, and that a metric is learned from, at most
OF_OLD, OF_NEW = 8, 2  # rows that companions learn for each that comes, until they have trees, and then
LOOKED_AT, GRADIENTS = 256, 8  # rows whose gradients are looked at for a metric, at most; and in one step
STEP = 2.0  # what a step that is no replay counts
FIXED, MADE, OF_METRIC = 8, 3, 3  # such steps: of every fit, of an arm that is made, of a metric beside its gradients


def pace(spec: Specification) -> int:
    """Rounds of one player that are played for each row that comes; the leader beside them is one more."""
    return pace_for(spec.hypotheses)


def pace_for(hypotheses: float) -> int:
    return max(PACE, int(hypotheses) - 1)


def heat(arms: int) -> int:
    """Rows of each of the heats, but for that of the winner, which goes on: few arms have more each, since to choose a
    wrong one costs more than time does (docs/budget.md)."""
    return max(HEAT, HEATS // max(arms - 1, 1))


def duration(prep: Any, base: int, last: bool, races: bool = True, compares: bool | None = None) -> int:
    """Rows that a fit with so many takes: as many as it has rounds to play before it learns what comes meanwhile.

    races: whether targets compete with their logarithms; compares: whether arms do, which the preparation says.
    """
    spec = prep.plan.specification
    work = FIXED * STEP + base
    if spec.row.selector is Leader:
        arms = seats_for(spec.row.size.widths if prep.plan.auto_kernels else len(spec.kernels), spec.hypotheses)
        if prep.may_have_metric(last):
            arms = prep.arms(spec, last)
            work += min(METRIC, base) + (-(-min(LOOKED_AT, base) // GRADIENTS) + MADE + OF_METRIC) * STEP
        if not (prep.compares(last) if compares is None else compares):
            arms = 1
        work += (arms - 1) * min(heat(arms), base) + (arms + MADE) * STEP
    if prep.plan.scale_target and races:
        work += 2 * min(RACED, base) + STEP
    return int(-(-work // (16 * (pace(spec) - 1))) * 16)


def longest(prep: Any, at_once: int) -> int:
    """The rows that first fits keep, at most; one that is under way puts off the next."""
    begin = prep.fits[-1]
    for fit in prep.fits[:-1]:
        if fit > at_once:
            begin = max(begin, fit + duration(prep, fit, False))
    return begin + duration(prep, begin, True)
