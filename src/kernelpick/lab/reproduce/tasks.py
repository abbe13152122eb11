"""A run as a worker gets it."""

from __future__ import annotations

from typing import NamedTuple

from kernelpick.lab.reproduce import stamps
from kernelpick.lab.reproduce.runs import Run, RunResult, perform


class StampedRun(NamedTuple):
    """A run, the stamp that its result will carry, where the data are, and what to import."""

    run: Run
    stamp: str
    data_dir: str | None
    plugins: tuple[str, ...]


def carry_out(stamped: StampedRun) -> tuple[Run, RunResult]:
    """The run and its result, if this process has the same code and data as the one that asks."""
    stamps.check(stamped.run, stamped.data_dir, stamped.plugins, stamped.stamp)
    return stamped.run, perform(stamped.run, stamped.data_dir)
