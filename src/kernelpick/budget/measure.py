"""Rounds of models that exist only to be measured: times of calls, by a clock that is given."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelpick.online.plan import Plan

SECONDS = 1.0  # of a calibration, for all its probes; what is played before they are measured takes the rest of two
REPEATS = 3, 16  # how often the same rows are played, at least and at most: one that is late once is no median
HIGH = 0.99

Clock = Callable[[], float]


class Player(NamedTuple):
    """A model with rows at hand."""

    warm: Callable[[int], None]  # learns so many rows, in any way
    play: Callable[[], Any]  # one call, as users make it


class Way(NamedTuple):
    """How rounds are played: one row a call, or many; and a model of a plan that plays so."""

    name: str
    rows: int  # of a call
    calls: int  # with which it begins again with the first row
    begin: Callable[[Plan], Player]
    seconds: float = SECONDS  # for a calibration


class Probe(NamedTuple):
    """A model to be measured, after so many rows."""

    plan: Plan
    warm: int


class Times(NamedTuple):
    """Seconds of a round."""

    mean: float  # as calls usually take, beside what else the machine does
    high: float  # the 99th percentile of calls, by what the model does itself


def measured(way: Way, probes: Sequence[Probe], clock: Clock) -> list[Times]:
    """The times of all probes, each of which gets its share of the seconds."""
    return [_times(way, probe, way.seconds / len(probes), clock) for probe in probes]


def _times(way: Way, probe: Probe, seconds: float, clock: Clock) -> Times:
    """The same rows are played some times, and for the percentile the shortest time of each call counts.

    What another program does to a call, it does not do to the same one every time; what the model itself does now and
    then, as newton at the end of every block, it does. But what others do to most calls, they will do to those of a
    stream, too: so the mean is that of the medians.
    """
    player = way.begin(probe.plan)
    player.warm(probe.warm)
    for _ in range(way.calls):
        player.play()  # what is compiled, or looked up, at the first call
    times, begin = np.full((REPEATS[1], way.calls), np.nan), clock()
    for again in range(REPEATS[1]):
        if again >= REPEATS[0] and clock() - begin >= seconds:
            break
        for place in range(way.calls):
            before = clock()
            player.play()
            times[again, place] = (clock() - before) / way.rows
    usual, shortest = np.nanmedian(times, axis=0), np.nanmin(times, axis=0)
    return Times(float(usual.mean()), float(np.quantile(shortest, HIGH, method="inverted_cdf")))
