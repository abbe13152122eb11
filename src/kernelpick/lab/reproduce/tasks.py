"""A run as a worker gets it."""

from __future__ import annotations

from typing import NamedTuple

from kernelpick.lab.reproduce import stamps
from kernelpick.lab.reproduce.runs import Result, Run, perform


class Task(NamedTuple):
    """A run, the stamp that its result will carry, where the data are, and what to import."""

    run: Run
    stamp: str
    data_dir: str | None
    plugins: tuple[str, ...]


def carry_out(task: Task) -> tuple[Run, Result]:
    """The run and its result, if this process has the same code and data as the one that asks."""
    stamps.check(task.run, task.data_dir, task.plugins, task.stamp)
    return task.run, perform(task.run, task.data_dir)
