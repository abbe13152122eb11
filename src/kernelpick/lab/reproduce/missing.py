"""The runs that are not done yet: computed by the workers, kept one by one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from kernelpick.files.errors import DataError
from kernelpick.lab.reproduce import plan
from kernelpick.lab.reproduce.options import Options
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.reproduce.stamps import stamp_of
from kernelpick.lab.reproduce.tasks import StampedRun, carry_out
from kernelpick.lab.running.names import unique
from kernelpick.lab.running.pace import paced
from kernelpick.lab.running.workers import Workers, spread

Stamp = Callable[[Run], str]


def run_missing(wanted: list[Run], results: Results, options: Options, plugins: tuple[str, ...]) -> None:
    """Compute the runs that are not there yet."""
    # All of them first: what is wrong with the data is told before anything is written.
    stamp = {run: stamp_of(run, options.data, plugins) for run in (*wanted, *map(plan.twin, wanted))}.__getitem__
    data = str(Path(options.data).expanduser().resolve()) if options.data else None  # workers may stand elsewhere
    with results:
        old = _old_guests(wanted, results, stamp)
        _copy_twins(wanted, results, stamp)
        tasks = [
            StampedRun(run, stamp(run), data, plugins)
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
