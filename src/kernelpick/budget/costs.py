"""What a round of an algorithm costs here: curves through what was measured, and what plays beside the kernels."""

import math
from itertools import pairwise
from typing import Any, NamedTuple

from kernelpick.budget.fit import Curve
from kernelpick.budget.measure import Seconds
from kernelpick.core.rounds import BLOCK
from kernelpick.online.pace import OF_NEW, pace_for

AROUND = 0.75  # what Python does for a fit beside a row, in parts of what a row takes without kernels
NORMAL_HIGH = 2.33  # standard deviations up to the 99th percentile


class Use(NamedTuple):
    """What time is spent on."""

    size: int  # pairs of features, or stored examples
    hypotheses: float = 1.0  # in a round, on average
    memories: bool = False
    companions: bool = False


class Point(NamedTuple):
    """A size that was measured."""

    size: int
    x: int
    mean: float
    high: float


class Crowd(NamedTuple):
    """So many hypotheses in a round, of the largest matrices: how many times as long each takes as it does alone, since
    caches do not hold them all."""

    hypotheses: float
    mean: float
    high: float


ALONE = Crowd(1.0, 1.0, 1.0)


class Costs(NamedTuple):
    """Curves over x, which is the size or the order of matrices; see sizes.py."""

    rows: int  # of a call
    points: tuple[Point, ...]
    mean: Curve
    high: Curve
    memories: Seconds = Seconds(0.0, 0.0)
    companions: Seconds = Seconds(0.0, 0.0)
    crowds: tuple[Crowd, ...] = ()  # the smaller first

    def seconds(self, use: Use, x: int) -> Seconds:
        """Of a round; a percentile of a sum is taken to be the sum of percentiles, which it is at most."""
        beside = [self.memories] * use.memories + [self.companions] * use.companions
        crowd = self._crowded(use.hypotheses, x)
        mean = self.mean.fixed + use.hypotheses * self.mean.moving(x) * crowd.mean
        high = self.high.fixed + players(use.hypotheses, self.rows) * self.high.moving(x) * crowd.high
        return Seconds(mean + sum(one.mean for one in beside), high + sum(one.high for one in beside))

    def beside_a_fit(self, use: Use, x: int, before: int) -> float:
        """The same percentile of a single row beside the last of the first fits, where x is before: one hypothesis
        answers and learns, and companions rest; those of the fit learn more rows than come."""
        high, together = self.high, pace_for(use.hypotheses)
        kernels = high.fixed * (1.0 + AROUND) + high.moving(before) + together * high.moving(x)
        return kernels + self.memories.high * use.memories + OF_NEW * self.companions.high * use.companions

    def _crowded(self, hypotheses: float, x: int) -> Crowd:
        """For matrices that are a part of the largest, those of so many take as much memory as fewer of the largest.

        At first it comes late, as the third power of that memory; between what was measured lies a line.
        """
        matrices = hypotheses * (x / self.points[-1].x) ** 2 if self.points else 1.0
        before = ALONE
        for crowd in self.crowds:
            if matrices < crowd.hypotheses:
                part = max((matrices - before.hypotheses) / (crowd.hypotheses - before.hypotheses), 0.0)
                part = part**3 if before is ALONE else part
                return Crowd(*(one + part * (other - one) for one, other in zip(before, crowd, strict=True)))
            before = crowd
        return before

    def told(self) -> dict[str, Any]:
        """As JSON."""
        return {name: _plain(value) for name, value in self._asdict().items()}


def players(hypotheses: float, rows: int) -> float:
    """Hypotheses that play in a round, at the 99th percentile of calls: scouts come or not for a block of rounds.

    >>> players(1.3, 1), round(players(1.3, 1024), 2), players(2.0, 1024)
    (2.0, 1.57, 2.0)
    """
    part = hypotheses - math.floor(hypotheses)
    if rows < BLOCK:
        return float(math.ceil(hypotheses))
    return hypotheses + NORMAL_HIGH * math.sqrt(part * (1.0 - part) * BLOCK / rows)


def costs_of(told: dict[str, Any]) -> Costs:
    """From JSON; a ValueError, TypeError or KeyError if it is not of costs."""
    points = tuple(Point(*map(_number, one)) for one in told["points"])  # type: ignore[arg-type]
    mean, high = (Curve(*map(_number, told[name])) for name in ("mean", "high"))
    memories, companions = (Seconds(*map(_number, told[name])) for name in ("memories", "companions"))
    crowds = tuple(Crowd(*map(_number, one)) for one in told["crowds"])
    if any(more.hypotheses <= fewer.hypotheses for fewer, more in pairwise((ALONE, *crowds))):
        raise ValueError("many hypotheses are told in another order than that of their number")
    return Costs(int(told["rows"]), points, mean, high, memories, companions, crowds)


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _number(value: Any) -> Any:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < math.inf:
        raise ValueError(f"{value!r} is no time and no size")
    return value
