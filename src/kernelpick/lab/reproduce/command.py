"""The command `kernelpick reproduce`: run what is not done yet, then show and write what came out."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from kernelpick.files.errors import DataError
from kernelpick.lab.reproduce import plan, summary
from kernelpick.lab.reproduce.cells import chosen
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.reproduce.stamps import stamp
from kernelpick.lab.reproduce.tasks import Task, carry_out
from kernelpick.lab.running.folder import resumable, write
from kernelpick.lab.running.names import unique
from kernelpick.lab.running.pace import paced
from kernelpick.lab.running.workers import Workers, spread
from kernelpick.messages import choice, whole


class Options(NamedTuple):
    """What the command line says."""

    tables: str = ""
    datasets: str = ""
    algorithms: str = ""
    repeats: int = 10
    settings: str = "published"
    jobs: int | None = None
    out: str = "reproduction"
    data: str | None = None
    cluster: str | None = None


def reproduce(options: Options) -> list[summary.Line]:
    """Compute, print and write; the lines of the summary."""
    settings = plan.SETTINGS[choice("settings", options.settings, plan.SETTINGS)]
    cells = chosen(options.tables, options.datasets, options.algorithms)
    whole("--repeats", options.repeats, 1)
    if options.jobs is not None:
        whole("--jobs", options.jobs, 1)
    folder = Path(options.out)
    results = Results(folder)
    with resumable(folder):
        run_missing(plan.runs(cells, settings, options.repeats), results, options)
    lines = summary.summarise(cells, settings, options.repeats, results)
    present(lines, folder)
    return lines


def run_missing(wanted: list[Run], results: Results, options: Options) -> None:
    """Compute the runs that are not there yet."""
    stamps = {name: stamp(name, options.data) for name in unique(run.cell.dataset for run in wanted)}
    foreign = results.foreign([*wanted, *map(plan.twin, wanted)], stamps)
    if foreign is not None:
        raise DataError(
            f"{results.path} holds runs on {foreign.cell.dataset} by another version of kernelpick or on other data: "
            "name another folder by --out, or remove the file to start anew."
        )
    data = str(Path(options.data).expanduser().resolve()) if options.data else None  # workers may stand elsewhere
    with results:
        _copy_twins(wanted, results, stamps)
        tasks = [
            Task(run, stamps[run.cell.dataset], data)
            for run in plan.in_order(plan.distinct(run for run in wanted if run not in results))
        ]
        if tasks:
            with paced([task.run for task in tasks], plan.seconds, "runs") as advance:
                for run, result in spread(carry_out, tasks, Workers.of(options.jobs, options.cluster)):
                    results.add(run, result, stamps[run.cell.dataset])
                    advance(run)
            _copy_twins(wanted, results, stamps)


def _copy_twins(wanted: list[Run], results: Results, stamps: dict[str, str]) -> None:
    """Where both settings are the same, what is known of one is known of the other."""
    for run in wanted:
        if run not in results and plan.twin(run) in results:
            results.add(run, results[plan.twin(run)], stamps[run.cell.dataset])


def present(lines: list[summary.Line], folder: Path) -> None:
    """Tables on the terminal; summary.csv and report.html in the folder."""
    from kernelpick.lab.reproduce import report, tables

    tables.show(lines)
    write(folder / "summary.csv", summary.as_csv(lines))
    write(folder / "report.html", report.page(lines))
