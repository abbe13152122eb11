"""The command `kernelpick regret`: play and solve what is not done yet, then show and write what came out."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from kernelpick.core.losses import LOSSES
from kernelpick.core.messages import choice, positive, whole
from kernelpick.lab.regret import stamps
from kernelpick.lab.regret.book import PlayedOrSolved, PlayOrRival, RegretBook
from kernelpick.lab.regret.entrants import chosen
from kernelpick.lab.regret.options import Options
from kernelpick.lab.regret.plan import Premises, StreamPlan, check_loss, planned, seconds
from kernelpick.lab.regret.plays import Play, play_out
from kernelpick.lab.regret.rivals import Rival, solve
from kernelpick.lab.regret.streams import NamedStream, named
from kernelpick.lab.running.folder import resumable, write
from kernelpick.lab.running.pace import paced
from kernelpick.lab.running.plugins import absolute, load_plugins
from kernelpick.lab.running.workers import Workers, spread


class Errand(NamedTuple):
    """Tasks as a worker gets them: one, or several seeds of a play, which have one stamp."""

    tasks: tuple[PlayOrRival, ...]
    stamp: str
    plugins: tuple[str, ...]

    @property
    def seconds(self) -> float:
        return sum(map(seconds, self.tasks))


def regret(options: Options) -> dict[NamedStream, StreamPlan]:
    """Measure, print and write."""
    from kernelpick.lab.regret import page, parts, sheet, table

    plugins = absolute(options.plugin)
    load_plugins(plugins)
    whole("--repeats", options.repeats, 1)
    if options.jobs is not None:
        whole("--jobs", options.jobs, 1)
    if options.radius is not None:
        positive("--radius", options.radius)
    if options.loss:
        choice("loss", options.loss, LOSSES)
    data = str(Path(options.data).expanduser().resolve()) if options.data else None  # workers may stand elsewhere
    plans = {stream: _plan(stream, options) for stream in named(list(options.streams), data)}
    book = RegretBook(Path(options.out), plugins)
    tasks: list[PlayOrRival] = []
    for plan in plans.values():
        tasks += [*plan.rivals(), *plan.plays()]
    for task in tasks:
        book.name(task)  # what is wrong with the data is told before anything is written
    with resumable(book.folder):
        do_missing(tasks, book, Workers.of(options.jobs, options.cluster, plugins))
    table.show(plans, book)
    write(book.folder / "summary.csv", sheet.as_csv(plans, book))
    write(book.folder / "certificates.csv", sheet.certificates_as_csv(plans, book))
    write(book.folder / "tables.md", table.as_markdown(plans, book))
    write(book.folder / "regret.html", page.page(plans, book))
    (book.folder / "parts").mkdir(exist_ok=True)
    for name, content in parts.parts(plans, book).items():
        write(book.folder / "parts" / name, content)
    return plans


def _plan(stream: NamedStream, options: Options) -> StreamPlan:
    loss = options.loss or stream.usual_loss
    check_loss(loss, stream)
    lists = {name: getattr(options, name) for name in ("horizons", "kernels", "features")}
    premises = Premises(stream, loss, options.radius)
    return planned(premises, chosen(options.algorithms, LOSSES[loss]), options.repeats, lists)


def do_missing(tasks: list[PlayOrRival], book: RegretBook, workers: Workers) -> None:
    """Do what is not there yet: something of each algorithm first, so that no two workers compile the same."""
    with book:
        missing = [task for task in tasks if task not in book]
        if missing:
            first, then = in_two(errands(missing, book.plugins))
            with paced(missing, seconds, "pieces of work") as advance:
                for some in (first, then):
                    for done in spread(carry_out, some, workers):
                        for task, result in done:
                            book.add(task, result)
                            advance(task)


def errands(tasks: list[PlayOrRival], plugins: tuple[str, ...]) -> list[Errand]:
    """Seeds of one play go together while they take about a second, since a message takes as long as a short play."""
    together: dict[object, list[PlayOrRival]] = {}
    for task in tasks:
        alike = task if isinstance(task, Rival) else (task.case, task.entrant, int(task.seed * seconds(task)))
        together.setdefault(alike, []).append(task)
    return [Errand(tuple(some), stamps.stamp(some[0], plugins), plugins) for some in together.values()]


def in_two(some: list[Errand]) -> tuple[list[Errand], list[Errand]]:
    """The shortest play of each algorithm and loss; and the rest, the longest first, so that all workers end together.

    What has to be compiled differs by these, and each process keeps it for the others.
    """
    ascending = sorted(some, key=lambda errand: errand.seconds)
    shortest: dict[object, Errand] = {}
    for errand in ascending:
        task = errand.tasks[0]
        if isinstance(task, Play):
            shortest.setdefault((task.entrant.algorithm, task.case.loss), errand)
    first = list(shortest.values())
    return first, [errand for errand in reversed(ascending) if errand not in first]


def carry_out(errand: Errand) -> list[tuple[PlayOrRival, PlayedOrSolved]]:
    """The tasks and their results, if this process has the same code and data as the one that asks."""
    stamps.check(errand.tasks[0], errand.plugins, errand.stamp)
    return [(task, solve(task) if isinstance(task, Rival) else play_out(task)) for task in errand.tasks]
