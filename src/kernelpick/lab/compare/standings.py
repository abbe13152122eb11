"""The scores of a stream, contestant by contestant."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import NamedTuple

from kernelpick.lab.compare.contest import Score
from kernelpick.lab.compare.peers import PEERS
from kernelpick.lab.compare.sources import ContestStream


class Standing(NamedTuple):
    """A contestant on one stream."""

    contestant: str
    scores: tuple[Score, ...]
    unit: float | None = None
    """The range of the target, where errors are to be told in its own units: as roots of mean squares."""

    def told(self, error: float) -> float:
        """An error as it is shown."""
        return error if self.unit is None else math.sqrt(error) * self.unit

    @property
    def error(self) -> float:
        return fmean(self.told(score.error) for score in self.scores)

    @property
    def deviation(self) -> float:
        """Between the permutations; there is none to speak of in a single one, or where the mean is infinite."""
        errors = [self.told(score.error) for score in self.scores]
        return stdev(errors) if len(errors) > 1 and math.isfinite(sum(errors)) else 0.0

    @property
    def seconds(self) -> float:
        return fmean(score.seconds for score in self.scores)

    @property
    def size(self) -> float:
        return fmean(score.size for score in self.scores)

    @property
    def coverage(self) -> float:
        return fmean(score.coverage for score in self.scores)

    @property
    def width(self) -> float:
        return fmean(score.width for score in self.scores) * (self.unit or 1.0)

    @property
    def kappa(self) -> float:
        return fmean(score.kappa for score in self.scores)

    @property
    def windows(self) -> list[float]:
        """The error in each window, over the permutations; none where results are from before there were windows."""
        return [
            fmean(map(self.told, column)) for column in zip(*(score.windows for score in self.scores), strict=False)
        ]

    @property
    def ours(self) -> bool:
        return self.contestant not in PEERS


class Board(NamedTuple):
    """A stream and how all stand on it, the best first."""

    stream: ContestStream
    standings: list[Standing]
    champion: str | None
    """The first of our algorithms, which is set against the peers."""

    @property
    def beaten(self) -> tuple[int, int]:
        """How many peers the champion is better than, and how many there are."""
        errors = {standing.contestant: standing.error for standing in self.standings}
        peers = [errors[name] for name in errors if name in PEERS and PEERS[name].counted]
        own = errors[self.champion] if self.champion else math.inf
        return sum(own < error for error in peers), len(peers)

    @property
    def notes(self) -> list[str]:
        """What went wrong, a sentence each."""
        notes = []
        for name, scores, _ in self.standings:
            lost = sum(score.lost for score in scores)
            if lost:
                notes.append(f"{name}: {lost:,} answers were no finite number; the constant prediction stands in.")
            notes += [f"{name} {score.note}." for score in scores if score.note]
        return notes
