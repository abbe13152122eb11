"""The scores of all contests that were held, on disk; `journal` keeps them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernelpick.lab.compare.contest import Contest, Score
from kernelpick.lab.compare.sources import opened
from kernelpick.lab.compare.stamps import stamp
from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.running.journal import Journal, JournalLayout
from kernelpick.lab.running.names import unique

IDENTITY = ("dataset", "task", "target", "rows", "order", "contestant", "seed", "stamp")
COLUMNS = (*IDENTITY[:-1], "error", "seconds_per_round", "bytes", "lost", "note", "stamp")


class ScoreBook:
    """Scores by contest: those of a folder, with these plugins."""

    def __init__(self, folder: Path, plugins: tuple[str, ...] = ()) -> None:
        self.folder, self.plugins = folder, plugins
        self.journal: Journal[Score] = Journal(folder, JournalLayout(COLUMNS, IDENTITY, _parse))

    def __contains__(self, contest: Contest) -> bool:
        return self.name(contest) in self.journal

    def name(self, contest: Contest) -> tuple[str, ...]:
        """A contest by the columns that tell it from others; the stamp is the last."""
        stream = opened(contest.wanted)
        order = "shuffled" if contest.wanted.shuffled else "file"
        told = (stream.name, stream.task, contest.wanted.target or "", stream.rounds, order, contest.contestant)
        return (*map(str, told), str(contest.seed), stamp(contest.wanted, contest.contestant, self.plugins))

    def add(self, contest: Contest, score: Score) -> None:
        """Keep a score, its curves with fewer digits; further measures go with these, so that columns stay."""
        row = dict(zip(IDENTITY, self.name(contest), strict=True)) | {
            "error": repr(score.error),
            "seconds_per_round": f"{score.seconds:.4g}",
            "bytes": str(score.size),
            "lost": str(score.lost),
            "note": score.note,
        }
        further = [None if math.isnan(number) else number for number in (score.coverage, score.width, score.kappa)]
        self.journal.add(row, _short(score.curve), further, _short(score.windows))

    def board(self, held: Sequence[Contest], units: str = "range") -> Board:
        """How the contestants of complete contests over one stream stand; numbers are shown in such units."""
        stream = opened(held[0].wanted)
        unit = 2 * stream.span if units == "target" and not stream.classes else None
        standings = [
            Standing(name, tuple(self.journal[self.name(one)] for one in held if one.contestant == name), unit)
            for name in unique(contest.contestant for contest in held)
        ]
        champion = next((standing.contestant for standing in standings if standing.ours), None)
        return Board(stream, sorted(standings, key=lambda standing: standing.error), champion)


def _short(errors: Sequence[float]) -> list[float]:
    return [float(f"{error:.6g}") for error in errors]


def _parse(row: Mapping[str, str], curves: Sequence[Any]) -> Score:
    """Results from before there were further measures, or windows, lack these."""
    seconds, size, lost = float(row["seconds_per_round"]), int(row["bytes"]), int(row["lost"])
    curve, further, windows = (list(told) for told in (*curves, (), ())[:3])
    coverage, width, kappa = (math.nan if one is None else float(one) for one in (further + 3 * [None])[:3])
    error, shown = float(row["error"]), [float(error) for error in curve]
    return Score(error, seconds, size, lost, row["note"], shown, coverage, width, kappa, list(map(float, windows)))
