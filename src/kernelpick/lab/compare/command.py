"""The command `kernelpick compare`: hold the contests that are not done yet, then show and write what came out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kernelpick.algorithms import ALGORITHMS
from kernelpick.lab.compare import page, peers, standings, table
from kernelpick.lab.compare.arena import hold
from kernelpick.lab.compare.contest import Contest, Score
from kernelpick.lab.compare.sources import TASKS, Wanted, opened
from kernelpick.lab.running.folder import resumable, write
from kernelpick.lab.running.journal import Journal
from kernelpick.lab.running.names import by_commas, unique
from kernelpick.lab.running.pace import paced
from kernelpick.lab.running.workers import Workers, spread
from kernelpick.messages import choice, whole

USUAL = ("auto", "rf-oks++", "raker")  # those of them that there are
OURS_MICROSECONDS = 20.0  # a round, to tell the time left


class Options(NamedTuple):
    """What the command line says."""

    streams: Sequence[str]
    task: str | None = None
    target: str | None = None
    algorithms: str = ""
    peers: str = "all"
    rows: int | None = None
    repeats: int = 1
    shuffle: bool = False
    jobs: int = 1
    seed: int = 0
    out: str = "comparison"
    data: str | None = None


def compare(options: Options) -> list[standings.Board]:
    """Hold, print and write; how all stand on each stream."""
    for name, least in {"repeats": 1, "jobs": 1, "seed": 0, "rows": 2}.items():
        if getattr(options, name) is not None:
            whole(f"--{name}", getattr(options, name), least)
    if options.task is not None:
        choice("task", options.task, TASKS)
    names = algorithms(options.algorithms)
    rivals, skipped = peers.chosen(options.peers)
    wanted = unique(_wanted(options, name) for name in options.streams)
    contests = {
        one: [
            Contest(one, name, options.seed + again) for name in (*names, *rivals) for again in range(options.repeats)
        ]
        for one in wanted
    }
    for one in wanted:
        opened(one)  # what is wrong with a file is told before any work
    folder = Path(options.out)
    journal = standings.results(folder)
    with resumable(folder):
        hold_missing([contest for own in contests.values() for contest in own], journal, options.jobs)
    boards = [standings.board(own, journal) for own in contests.values()]
    table.show(boards, skipped)
    write(folder / "compare.html", page.page(boards, skipped))
    return boards


def algorithms(text: str) -> list[str]:
    """The algorithms that names by commas mean; the usual ones where there are none."""
    given = [choice("algorithm", name, ALGORITHMS) for name in by_commas(text)]
    return given or [name for name in USUAL if name in ALGORITHMS]


def hold_missing(contests: list[Contest], journal: Journal[Score], jobs: int) -> None:
    """Hold the contests that are not there yet, with this code and these data."""
    missing = [contest for contest in contests if standings.identity(contest) not in journal]
    known = {name[:-1] for name in journal}
    old = sum(standings.identity(contest)[:-1] in known for contest in missing)
    if old:
        told = f"{old} results in {journal.path} are by other code or on other data; they stay there, and are not used."
        print(told, file=sys.stderr)
    if jobs > 1:
        missing.sort(key=seconds, reverse=True)  # so that all processes end together
    with journal:
        if missing:
            with paced(missing, seconds, "contests") as advance:
                for contest, score in spread(hold, missing, Workers(jobs)):
                    curve = [float(f"{error:.4g}") for error in score.curve]
                    journal.add(standings.row(contest, score), curve)
                    advance(contest)


def seconds(contest: Contest) -> float:
    """A rough guess, to tell the time left."""
    peer = peers.PEERS.get(contest.contestant)
    return 1e-6 * (peer.microseconds if peer else OURS_MICROSECONDS) * opened(contest.wanted).rounds


def _wanted(options: Options, name: str) -> Wanted:
    data = str(Path(options.data).expanduser().resolve()) if options.data else None
    return Wanted(name, options.task, options.target, options.rows, options.shuffle, data)
