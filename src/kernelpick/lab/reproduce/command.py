"""The command `kernelpick reproduce`: run what is not done yet, then show and write what came out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from kernelpick.core.messages import choice, whole
from kernelpick.files.errors import DataError
from kernelpick.lab.reproduce import plan, summary
from kernelpick.lab.reproduce.added import with_guests
from kernelpick.lab.reproduce.cells import chosen
from kernelpick.lab.reproduce.options import Options
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.reproduce.stamps import stamp_of
from kernelpick.lab.reproduce.tasks import Task, carry_out
from kernelpick.lab.running.folder import resumable, write
from kernelpick.lab.running.names import unique
from kernelpick.lab.running.pace import paced
from kernelpick.lab.running.plugins import absolute, load_plugins
from kernelpick.lab.running.workers import Workers, spread

Stamp = Callable[[Run], str]


def reproduce(options: Options) -> list[summary.Line]:
    """Compute, print and write; the lines of the summary."""
    plugins = absolute(options.plugin)
    load_plugins(plugins)
    settings = plan.SETTINGS[choice("settings", options.settings, plan.SETTINGS)]
    whole("--repeats", options.repeats, 1)
    if options.jobs is not None:
        whole("--jobs", options.jobs, 1)
    cells, left_out = with_guests(chosen(options.tables, options.datasets, options.algorithms), options.add, settings)
    for sentence in left_out:
        print(sentence, file=sys.stderr)
    folder = Path(options.out)
    results = Results(folder)
    with resumable(folder):
        run_missing(plan.runs(cells, settings, options.repeats), results, options, plugins)
    lines = summary.summarise(cells, settings, options.repeats, results)
    present(lines, folder)
    return lines


def run_missing(wanted: list[Run], results: Results, options: Options, plugins: tuple[str, ...]) -> None:
    """Compute the runs that are not there yet."""
    # All of them first: what is wrong with the data is told before anything is written.
    stamp = {run: stamp_of(run, options.data, plugins) for run in (*wanted, *map(plan.twin, wanted))}.__getitem__
    data = str(Path(options.data).expanduser().resolve()) if options.data else None  # workers may stand elsewhere
    with results:
        old = _old_guests(wanted, results, stamp)
        _copy_twins(wanted, results, stamp)
        tasks = [
            Task(run, stamp(run), data, plugins)
            for run in plan.in_order(plan.distinct(run for run in wanted if run not in results or run in old))
        ]
        if tasks:
            with paced([task.run for task in tasks], plan.seconds, "runs") as advance:
                for run, result in spread(carry_out, tasks, Workers.of(options.jobs, options.cluster, plugins)):
                    results.add(run, result, stamp(run))
                    advance(run)
            _copy_twins(wanted, results, stamp)


def _old_guests(wanted: list[Run], results: Results, stamp: Stamp) -> set[Run]:
    """The runs of added algorithms that were done by other code: one's own changes often. Others are not mixed."""
    foreign = unique(results.foreign([*wanted, *map(plan.twin, wanted)], stamp))
    for run in foreign:
        if run.cell.published is not None:
            raise DataError(
                f"{results.path} holds runs on {run.cell.dataset} by another version of kernelpick or on other data: "
                "name another folder by --out, or remove the file to start anew."
            )
    if foreign:
        told = f"{len(foreign)} runs of added algorithms in {results.path} are by other code or on other data"
        print(f"{told}; they are done again.", file=sys.stderr)
    return set(foreign)


def _copy_twins(wanted: list[Run], results: Results, stamp: Stamp) -> None:
    """Where both settings are the same, what is known of one is known of the other."""
    for run in wanted:
        if run not in results and plan.twin(run) in results:
            results.add(run, results[plan.twin(run)], stamp(run))


def present(lines: list[summary.Line], folder: Path) -> None:
    """Tables on the terminal; summary.csv and report.html in the folder."""
    from kernelpick.lab.reproduce import report, tables

    tables.show(lines)
    write(folder / "summary.csv", summary.as_csv(lines))
    write(folder / "report.html", report.page(lines))
