"""The command `kernelpick reproduce`: run what is not done yet, then show and write what came out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from kernelpick.core.messages import choice, whole
from kernelpick.lab.reproduce import equal_time, explain, plan, summary
from kernelpick.lab.reproduce.added import with_guests
from kernelpick.lab.reproduce.cells import Cell, chosen
from kernelpick.lab.reproduce.missing import run_missing
from kernelpick.lab.reproduce.options import Options
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.running.folder import resumable, write
from kernelpick.lab.running.plugins import absolute, load_plugins


def reproduce(options: Options) -> list[summary.Reproduction]:
    """Compute, print and write; the lines of the summary."""
    plugins = absolute(options.plugin)
    load_plugins(plugins)
    settings = plan.SETTINGS[_settings(options)]
    whole("--repeats", options.repeats, 1)
    if options.jobs is not None:
        whole("--jobs", options.jobs, 1)
    cells, left_out = with_guests(chosen(options.tables, options.datasets, options.algorithms), options.add, settings)
    for sentence in left_out:
        print(sentence, file=sys.stderr)
    if options.equal_time:
        return _in_equal_time(equal_time.constrained(cells), settings[0], options, plugins)
    folder = Path(options.out)
    results = Results(folder)
    with resumable(folder):
        run_missing(plan.runs(cells, settings, options.repeats), results, options, plugins)
    lines = summary.summarise(cells, settings, options.repeats, results)
    present(lines, folder)
    if options.explain:
        _explain(lines, results, options, plugins)
    return lines


def _settings(options: Options) -> str:
    """What was asked for; --explain is about the published numbers, --equal-time about what the paper says."""
    if options.explain and options.equal_time:
        raise ValueError("--explain and --equal-time are two commands; give one after the other.")
    usual = "paper" if options.equal_time else "published"
    asked = choice("settings", options.settings or usual, plan.SETTINGS)
    if options.explain and asked != "published":
        raise ValueError(f"--explain explains numbers by the published settings, not {asked}; leave --settings out.")
    if options.equal_time and asked == "both":
        raise ValueError("--equal-time takes one of the settings, paper if none is named; leave --settings out.")
    return asked


def present(lines: list[summary.Reproduction], folder: Path) -> None:
    """Tables on the terminal; summary.csv and report.html in the folder."""
    from kernelpick.lab.reproduce import report, tables

    tables.show(lines)
    write(folder / "summary.csv", summary.as_csv(lines))
    write(folder / "report.html", report.page(lines))


def _explain(lines: list[summary.Reproduction], results: Results, options: Options, plugins: tuple[str, ...]) -> None:
    """Try other settings for the cells that are off, then all cells of a dataset that another range explains."""
    from kernelpick.lab.reproduce import explained

    folder, repeats = Path(options.out), options.repeats
    with resumable(folder):
        off = explain.outside(lines)
        run_missing(explain.needed((line.cell for line in off), repeats), results, options, plugins)
        explanations = explain.explain(lines, repeats, results)
        doubtful = explain.doubtful(lines, explanations)
        run_missing(explain.needed((line.cell for line in doubtful), repeats), results, options, plugins)
    rescaled = explain.rescaled(doubtful, repeats, results)
    explained.show(lines, explanations, rescaled)
    write(folder / "explained.csv", explained.as_csv(explanations))
    write(folder / "explained.html", explained.page(lines, explanations, rescaled))


def _in_equal_time(
    cells: Sequence[Cell], settings: str, options: Options, plugins: tuple[str, ...]
) -> list[summary.Reproduction]:
    """Measure the sizes that are not known yet, then run all cells with theirs."""
    from kernelpick.lab.reproduce import standings

    folder = Path(options.out)
    results = Results(folder)
    with resumable(folder):
        sizes = equal_time.sizings(cells, settings, options, plugins)
        wanted = plan.runs(equal_time.with_sizes(sizes), (settings,), options.repeats)
        run_missing(wanted, results, options, plugins)
    told = standings.standings(sizes, settings, options.repeats, results)
    standings.show(told)
    write(folder / "equal-time.csv", standings.as_csv(told))
    write(folder / "equal-time.html", standings.page(told))
    return [one.line for one in told]
