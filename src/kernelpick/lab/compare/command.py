"""The command `kernelpick compare`: hold the contests that are not done yet, then show and write what came out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from kernelpick.budget import parse
from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.messages import choice, whole
from kernelpick.lab.compare import against_time, budgets, page, peers, picture, table
from kernelpick.lab.compare.arena import hold
from kernelpick.lab.compare.book import ScoreBook
from kernelpick.lab.compare.contest import Contest
from kernelpick.lab.compare.options import UNITS, Options
from kernelpick.lab.compare.ours import check_task
from kernelpick.lab.compare.sources import Wanted, opened
from kernelpick.lab.compare.standings import Board
from kernelpick.lab.datasets.river_streams import ALL, PREFIX, STREAMS
from kernelpick.lab.running.folder import resumable, write
from kernelpick.lab.running.names import by_commas, unique
from kernelpick.lab.running.pace import paced
from kernelpick.lab.running.plugins import absolute, load_plugins
from kernelpick.lab.running.workers import Workers, spread
from kernelpick.sources import options as of_sources

USUAL = ("auto", "rf-oks++", "raker")  # those of them that there are
OURS_MICROSECONDS = 20.0  # a round, to tell the time left


def compare(options: Options) -> list[Board]:
    """Hold, print and write; how all stand on each stream."""
    plugins = absolute(options.plugin)
    load_plugins(plugins)
    for name, least in {"repeats": 1, "jobs": 1, "seed": 0, "rows": 2}.items():
        if getattr(options, name) is not None:
            whole(f"--{name}", getattr(options, name), least)
    if options.task is not None:
        choice("task", options.task, of_sources.TASKS)
    choice("units", options.units, UNITS)
    if options.picture and not Path(options.picture).parent.is_dir():
        raise ValueError(f"--picture names {options.picture}, whose folder is not there; make it first.")
    times = against_time_of(options)
    names = algorithms(options.algorithms, budgets.USUAL if times else USUAL)
    rivals, skipped = peers.chosen(options.peers or ("none" if times else "all"))
    wanted = unique(_wanted(options, name) for name in expanded(options.streams))
    for one in wanted:  # what is wrong with a file, or does not go with it, is told before any work
        for note in opened(one).notes:
            print(note, file=sys.stderr)
        for name in names:
            check_task(name, bool(opened(one).classes))
    ours: dict[Wanted, dict[str, str]] = {one: dict.fromkeys(names, "") for one in wanted}
    for one in wanted if times else ():
        ours[one], small = budgets.contestants(names, times, opened(one))
        skipped += small
        if not ours[one]:
            raise ValueError(f"No budget of --budgets has room for any of the algorithms on {opened(one).name}.")
    players = {one: (*ours[one], *peers.fitting(rivals, bool(opened(one).classes))) for one in wanted}
    contests = {
        one: [Contest(one, name, options.seed + again) for name in own for again in range(options.repeats)]
        for one, own in players.items()
    }
    skipped += absent({opened(one).name: [name for name in rivals if name not in players[one]] for one in wanted})
    book = ScoreBook(Path(options.out), plugins)
    with resumable(book.folder):
        hold_missing([contest for own in contests.values() for contest in own], book, options.jobs, options.cluster)
    boards = [book.board(own, options.units) for own in contests.values()]
    table.show(boards, skipped)
    for one, board in zip(wanted, boards, strict=True):
        against_time.show(board, ours[one])
    write(book.folder / "compare.html", page.page(boards, skipped, [ours[one] for one in wanted]))
    if options.picture:
        write(Path(options.picture), picture.picture(boards))
    return boards


def expanded(streams: Sequence[str]) -> list[str]:
    """The names with `river:streams` as what it stands for."""
    twelve = [f"{PREFIX}{name}" for name in STREAMS]
    return [one for name in streams for one in (twelve if name == ALL else [name])]


def absent(missing: Mapping[str, Sequence[str]]) -> list[str]:
    """A sentence for each set of peers that do not learn numbers, with the streams that they miss."""
    streams: dict[tuple[str, ...], list[str]] = {}
    for stream, names in missing.items():
        streams.setdefault(tuple(names), []).append(stream)
    told = {names: where for names, where in streams.items() if names}
    return [
        f"Skipped on {', '.join(where)}: {', '.join(names)}, which learn labels only." for names, where in told.items()
    ]


def algorithms(text: str, usual: Sequence[str] = USUAL) -> list[str]:
    """The algorithms that names by commas mean; the usual ones where there are none."""
    given = [choice("algorithm", name, ALGORITHMS) for name in by_commas(text)]
    return given or [name for name in usual if name in ALGORITHMS]


def against_time_of(options: Options) -> list[str]:
    """The budgets, which are of this machine."""
    if options.budgets is None:
        return []
    if options.cluster is not None:
        raise ValueError("--budgets are measured here, and --cluster plays elsewhere; leave one of them out.")
    return budgets.budgets(options.budgets)


def hold_missing(contests: list[Contest], book: ScoreBook, jobs: int, cluster: str | None = None) -> None:
    """Hold the contests that are not there yet, with this code and these data."""
    with book.journal:
        missing = [contest for contest in contests if contest not in book]
        known = {name[:-1] for name in book.journal}
        old = sum(book.name(contest)[:-1] in known for contest in missing)
        if old:
            told = f"{old} results in {book.journal.path} are by other code or on other data"
            print(f"{told}; they stay there, and are not used.", file=sys.stderr)
        if jobs > 1 or cluster is not None:
            missing.sort(key=seconds, reverse=True)  # so that all processes end together
        if missing:
            with paced(missing, seconds, "contests") as advance:
                for contest, score in spread(hold, missing, Workers(jobs, cluster, book.plugins)):
                    book.add(contest, score)
                    advance(contest)


def seconds(contest: Contest) -> float:
    """A rough guess, to tell the time left."""
    peer, budget = peers.PEERS.get(contest.contestant), budgets.split(contest.contestant)[1]
    ours = 1e6 * parse.seconds(budget) if budget else OURS_MICROSECONDS
    return 1e-6 * (peer.microseconds if peer else ours) * opened(contest.wanted).rounds


def _wanted(options: Options, name: str) -> Wanted:
    data = str(Path(options.data).expanduser().resolve()) if options.data else None
    drop, keep = tuple(options.drop or ()), tuple(options.keep or ())
    name = _kept(Path(options.out)) if name == "-" else name
    name = str(Path(name).resolve()) if options.cluster and Path(name).exists() else name  # workers are elsewhere
    told = (options.task, options.target, options.rows, options.shuffle, data, drop, keep)
    return Wanted(name, *told, of_sources.reading(options))


def _kept(folder: Path) -> str:
    """Standard input as a file, since every contestant reads it, and so does whoever compares again."""
    path = folder / "standard-input"
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return str(path)
