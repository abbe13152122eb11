"""Rounds of models that exist only to be measured: times of calls, by a clock that is given."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelpick.online.plan import Plan

SECONDS = 1.0  # of a calibration, for all its probes; what is played before they are measured takes the rest of two
FEWEST_TURNS = 3  # one that is disturbed is no median of them
HIGH = 0.99

Clock = Callable[[], float]


class Player(NamedTuple):
    """A model with rows at hand."""

    warm: Callable[[int], None]  # learns so many rows, in any way
    call: Callable[[], Any]  # one call, as users make it


class Way(NamedTuple):
    """How rounds are played: one row a call, or many; and a model of a plan that plays so."""

    name: str
    rows: int  # of a call
    calls: int  # with which it begins again with the first row
    begin: Callable[[Plan], Player]
    turns: int = FEWEST_TURNS  # of every probe, at most
    unmeasured: int = 0  # calls with which a turn begins, while what the others took comes back into the caches
    seconds: float = SECONDS  # for a calibration


class Probe(NamedTuple):
    """A model to be measured, after so many rows."""

    plan: Plan
    warm: int


class Seconds(NamedTuple):
    """Seconds of a round."""

    mean: float  # as calls usually take, beside what else the machine does
    high: float  # the 99th percentile of calls, by what the model does itself


def measured(way: Way, probes: Sequence[Probe], clock: Clock) -> list[Seconds]:
    """The times of all probes, each of which gets its share of the seconds, in turns: what disturbs the machine for a
    while disturbs a turn of each, and not one of them alone, which would seem to cost more than the others."""
    players, share = [_begun(way, probe) for probe in probes], way.seconds / len(probes)
    played: list[list[list[float]]] = [[] for _ in probes]
    left = [share] * len(probes)
    for turn in range(way.turns):
        for probe, player in enumerate(players):
            if turn < FEWEST_TURNS or left[probe] > 0.0:
                begin = clock()
                played[probe].extend(_turn(way, player, share / way.turns, clock))
                left[probe] -= clock() - begin
    return [_times(np.array(times) / way.rows) for times in played]


def _begun(way: Way, probe: Probe) -> Player:
    player = way.begin(probe.plan)
    player.warm(probe.warm)
    player.call()  # what is compiled, or looked up, at the first call
    return player


def _turn(way: Way, player: Player, seconds: float, clock: Clock) -> Iterator[list[float]]:
    """The times of all calls, once or as often as there is time for."""
    for _ in range(way.unmeasured):
        player.call()
    begin, now = clock(), -math.inf
    while now - begin < seconds:
        times = []
        for _ in range(way.calls):
            before = clock()
            player.call()
            now = clock()
            times.append(now - before)
        yield times


def _times(played: np.ndarray) -> Seconds:
    """Of the same calls, some times (T, calls): for the percentile the shortest time of each counts.

    What another program does to a call, it does not do to the same one every time; what the model itself does now and
    then, as newton at the end of every block, it does. But what others do to most calls, they will do to those of a
    stream, too: so the mean is that of the medians.
    """
    usual, shortest = np.median(played, axis=0), played.min(axis=0)
    return Seconds(float(usual.mean()), float(np.quantile(shortest, HIGH, method="inverted_cdf")))
