"""The stamp of a run: the code that runs and the file it runs on.

A worker on another machine must have the same one.
"""

from __future__ import annotations

from functools import cache

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import fetch
from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.running.plugins import fingerprint
from kernelpick.lab.running.stamps import digest, sources

RUNS = "kernelpick.lab.reproduce.runs"  # reports and the command line can change without making results old


@cache
def stamp(dataset: str, data_dir: str | None = None) -> str:
    """The name of this code and this dataset's file."""
    return digest([*sources(RUNS), fetch.obtain(lookup(dataset), data_dir)])


def stamp_of(run: Run, data_dir: str | None, plugins: tuple[str, ...] = ()) -> str:
    """That of a run: also of the plugins, if one of them brought its algorithm."""
    parts = stamp(run.cell.dataset, data_dir), fingerprint(run.cell.algorithm, plugins)
    return "-".join(part for part in parts if part)


def check(run: Run, data_dir: str | None, plugins: tuple[str, ...], expected: str) -> None:
    """For a worker: refuse to compute with other code or data than those that the results are for."""
    if stamp_of(run, data_dir, plugins) != expected:
        raise DataError(
            f"A worker has another version of kernelpick, another file for {run.cell.dataset} or another plugin than "
            "the process that started the run: install the same version and the same files on all machines."
        )
