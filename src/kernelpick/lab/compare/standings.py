"""The scores of a stream, contestant by contestant, and how they are kept on disk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from kernelpick.lab.compare.contest import Contest, Score
from kernelpick.lab.compare.peers import PEERS
from kernelpick.lab.compare.sources import Stream, opened
from kernelpick.lab.compare.stamps import stamp
from kernelpick.lab.running.journal import Journal, Layout

IDENTITY = ("dataset", "task", "target", "rows", "order", "contestant", "seed", "stamp")
COLUMNS = (*IDENTITY[:-1], "error", "seconds_per_round", "bytes", "lost", "note", "stamp")


class Standing(NamedTuple):
    """A contestant on one stream."""

    contestant: str
    scores: tuple[Score, ...]

    @property
    def error(self) -> float:
        return fmean(score.error for score in self.scores)

    @property
    def deviation(self) -> float:
        """Between the permutations; there is none to speak of in a single one, or where the mean is infinite."""
        errors = [score.error for score in self.scores]
        return stdev(errors) if len(errors) > 1 and math.isfinite(sum(errors)) else 0.0

    @property
    def seconds(self) -> float:
        return fmean(score.seconds for score in self.scores)

    @property
    def size(self) -> float:
        return fmean(score.size for score in self.scores)

    @property
    def ours(self) -> bool:
        return self.contestant not in PEERS


class Board(NamedTuple):
    """A stream and how all stand on it, the best first."""

    stream: Stream
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
        for name, scores in self.standings:
            lost = sum(score.lost for score in scores)
            if lost:
                notes.append(f"{name}: {lost:,} answers were no finite number; the constant prediction stands in.")
            notes += [f"{name} {score.note}." for score in scores if score.note]
        return notes


def board(wanted: Sequence[Contest], journal: Journal[Score]) -> Board:
    """How the contestants of complete contests over one stream stand."""
    names = list(dict.fromkeys(contest.contestant for contest in wanted))
    standings = [
        Standing(name, tuple(journal[identity(contest)] for contest in wanted if contest.contestant == name))
        for name in names
    ]
    champion = next((standing.contestant for standing in standings if standing.ours), None)
    return Board(opened(wanted[0].wanted), sorted(standings, key=lambda standing: standing.error), champion)


def results(folder: Path) -> Journal[Score]:
    """The scores in a folder."""
    return Journal(folder, Layout(COLUMNS, IDENTITY, _parse))


def identity(contest: Contest) -> tuple[str, ...]:
    """A contest by the columns that tell it from others; the stamp is the last."""
    stream = opened(contest.wanted)
    order = "shuffled" if contest.wanted.shuffled else "file"
    told = (stream.name, stream.task, contest.wanted.target or "", stream.rounds, order, contest.contestant)
    return (*map(str, told), str(contest.seed), stamp(contest.wanted, contest.contestant))


def row(contest: Contest, score: Score) -> dict[str, str]:
    """The row of results.csv."""
    return dict(zip(IDENTITY, identity(contest), strict=True)) | {
        "error": repr(score.error),
        "seconds_per_round": f"{score.seconds:.4g}",
        "bytes": str(score.size),
        "lost": str(score.lost),
        "note": score.note,
    }


def _parse(row: Mapping[str, str], curves: Sequence[Any]) -> Score:
    seconds, size, lost = float(row["seconds_per_round"]), int(row["bytes"]), int(row["lost"])
    return Score(float(row["error"]), seconds, size, lost, row["note"], [float(error) for error in curves[0]])
