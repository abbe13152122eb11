"""What is done, on disk: plays and comparators, each in a folder of its own; `journal` keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from kernelpick.lab.regret.plays import Play, Played
from kernelpick.lab.regret.rivals import Rival, Solved
from kernelpick.lab.regret.stamps import stamp
from kernelpick.lab.running.journal import Journal, JournalLayout

PLAY = ("stream", "loss", "horizon", "kernels", "features", "radius", "entrant", "seed", "stamp")
RIVAL = ("stream", "loss", "horizon", "kernels", "arm", "radius", "features", "stamp")

PlayOrRival = Play | Rival
PlayedOrSolved = Played | Solved


class RegretBook:
    """Results by task."""

    def __init__(self, folder: Path, plugins: tuple[str, ...] = ()) -> None:
        self.folder, self.plugins = folder, plugins
        self._plays = Journal(folder / "plays", JournalLayout((*PLAY, *Played._fields[:-1]), PLAY, _played))
        self._rivals = Journal(folder / "rivals", JournalLayout((*RIVAL, *Solved._fields[:-1]), RIVAL, _solved))
        self._open = ExitStack()

    def __enter__(self) -> RegretBook:
        self._open.enter_context(self._plays)
        self._open.enter_context(self._rivals)
        return self

    def __exit__(self, *problem: object) -> None:
        self._open.close()

    def _journal(self, task: PlayOrRival) -> Journal[Any]:
        return self._rivals if isinstance(task, Rival) else self._plays

    def __contains__(self, task: PlayOrRival) -> bool:
        return self.name(task) in self._journal(task)

    def played(self, play: Play) -> Played:
        return self._plays[self.name(play)]

    def solved(self, rival: Rival) -> Solved:
        return self._rivals[self.name(rival)]

    def name(self, task: PlayOrRival) -> tuple[str, ...]:
        """A task by what tells it from others; the stamp is the last."""
        told: tuple[object, ...]
        if isinstance(task, Rival):
            told = (task.stream.name, *task[1:])
        else:
            case, entrant = task.case, task.entrant
            told = (case.stream.name, *case[1:-1], case.radius_of(entrant), entrant.name, task.seed)
        return (*map(str, told), stamp(task, self.plugins))

    def add(self, task: PlayOrRival, result: PlayedOrSolved) -> None:
        """Keep a result, its curve with fewer digits."""
        identity = RIVAL if isinstance(task, Rival) else PLAY
        row = dict(zip(identity, self.name(task), strict=True))
        row |= {field: repr(float(getattr(result, field))) for field in result._fields[:-1]}
        self._journal(task).add(row, [float(f"{value:.5g}") for value in result.curve])


def _played(row: Mapping[str, str], curves: Sequence[Any]) -> Played:
    return Played._make([*(float(row[name]) for name in Played._fields[:-1]), curves[0]])


def _solved(row: Mapping[str, str], curves: Sequence[Any]) -> Solved:
    return Solved._make([*(float(row[name]) for name in Solved._fields[:-1]), curves[0]])
