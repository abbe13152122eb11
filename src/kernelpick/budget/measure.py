"""Rounds of models that exist only to be measured: times of calls, by a clock that is given."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelpick.online.plan import Plan

SECONDS = 1.0  # of a calibration, for all its probes; what is played before they are measured takes the rest of two
REPEATS = 2, 8  # how often the same rows are played, at least and at most
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


class Probe(NamedTuple):
    """A model to be measured, after so many rows."""

    plan: Plan
    warm: int


class Times(NamedTuple):
    """Seconds of a round."""

    mean: float
    high: float  # the 99th percentile of calls


def measured(way: Way, probes: Sequence[Probe], clock: Clock) -> list[Times]:
    """The times of all probes, each of which gets its share of the seconds."""
    return [_times(way, probe, SECONDS / len(probes), clock) for probe in probes]


def _times(way: Way, probe: Probe, seconds: float, clock: Clock) -> Times:
    """The same rows are played some times, and the shortest time of each call counts.

    What another program does to a call, it does not do to the same one every time; what the model itself does now and
    then, as newton at the end of every block, it does.
    """
    player = way.begin(probe.plan)
    player.warm(probe.warm)
    for _ in range(min(way.calls, 16)):
        player.play()  # what is compiled, or looked up, at the first call
    shortest, begin = np.full(way.calls, np.inf), clock()
    for again in range(REPEATS[1]):
        if again >= REPEATS[0] and clock() - begin >= seconds:
            break
        for place in range(way.calls):
            before = clock()
            player.play()
            shortest[place] = min(shortest[place], (clock() - before) / way.rows)
    return Times(float(shortest.mean()), float(np.quantile(shortest, HIGH, method="inverted_cdf")))
