"""The runs that are done, by run; `journal` keeps them on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kernelpick.lab.reproduce.runs import Run, RunResult
from kernelpick.lab.running.journal import Journal, JournalLayout

COLUMNS = ("table", "algorithm", "loss", "dataset", "settings", "permutation", "metric", "value", "seconds")
EXTRA = ("step_scale", "inputs", "size", "stamp")
IDENTITY = (
    "table", "algorithm", "loss", "dataset", "settings", "permutation", "metric", "step_scale", "inputs", "size",
)  # fmt: skip


def identity(run: Run) -> tuple[str, ...]:
    """A run by the columns that tell it from others."""
    cell = run.cell
    scale = "" if run.step_scale is None else f"{run.step_scale:g}"
    inputs = "" if run.inputs is None else "{:g} to {:g}".format(*run.inputs)
    size = "" if cell.size is None else cell.size
    names = (cell.table, cell.algorithm, cell.loss, cell.dataset, run.settings, run.permutation, cell.metric)
    return tuple(map(str, (*names, scale, inputs, size)))


def _parse(row: Mapping[str, str], curves: Sequence[Any]) -> tuple[str, RunResult]:
    losses, probabilities = curves
    return row["stamp"], RunResult(float(row["value"]), float(row["seconds"]), losses, probabilities)


class Results:
    """Results by run, read from a folder and written to it one by one."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder, JournalLayout(COLUMNS + EXTRA, IDENTITY, _parse))
        self.path = self._journal.path

    def __enter__(self) -> Self:
        self._journal.__enter__()
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._journal.__exit__(kind, problem, trace)

    def __contains__(self, run: Run) -> bool:
        return identity(run) in self._journal

    def __getitem__(self, run: Run) -> RunResult:
        return self._journal[identity(run)][1]

    def foreign(self, runs: Iterable[Run], stamp: Callable[[Run], str]) -> list[Run]:
        """Those that are done, but with other code or data than the stamps say."""
        return [run for run in runs if run in self and self._journal[identity(run)][0] != stamp(run)]

    def add(self, run: Run, result: RunResult, stamp: str) -> None:
        """Keep a result, its curves with fewer digits."""
        row = dict(zip(IDENTITY, identity(run), strict=True))
        row |= {"value": repr(result.value), "seconds": f"{result.seconds:.6f}", "stamp": stamp}
        losses = [float(f"{loss:.4g}") for loss in result.losses]
        probabilities = [[round(p, 3) for p in point] for point in result.probabilities]
        self._journal.add(row, losses, probabilities)
