"""The runs that are done, on disk: results.csv, and beside it curves.jsonl with the curves.

Lines are appended as runs end, so an interrupted command goes on where it was. A process that is killed leaves at most
one torn line behind; it is cut off, and that run is done again.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from kernelpick.reproduce.runs import Result, Run
from kernelpick.streams.errors import at

COLUMNS = ("table", "algorithm", "loss", "dataset", "settings", "permutation", "metric", "value", "seconds")
EXTRA = ("step_scale", "stamp")
IDENTITY = ("table", "algorithm", "loss", "dataset", "settings", "permutation", "metric", "step_scale")


def identity(run: Run) -> tuple[str, ...]:
    """A run by the columns that tell it from others."""
    cell = run.cell
    scale = "" if run.step_scale is None else f"{run.step_scale:g}"
    names = (cell.table, cell.algorithm, cell.loss, cell.dataset, run.settings, run.permutation, cell.metric, scale)
    return tuple(map(str, names))


class Results:
    """Results by run, read from a folder and written to it one by one."""

    def __init__(self, folder: Path) -> None:
        self.path, self.curves = folder / "results.csv", folder / "curves.jsonl"
        self._done: dict[tuple[str, ...], tuple[str, Result]] = {}
        self._read()
        self._files: list[IO[str]] = []

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._files = [path.open("a", encoding="utf-8", newline="") for path in (self.path, self.curves)]
        if self._files[0].tell() == 0:
            self._write(self._files[0], ",".join(COLUMNS + EXTRA))
        return self

    def __exit__(self, kind: type | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        for file in self._files:
            file.close()

    def __contains__(self, run: Run) -> bool:
        return identity(run) in self._done

    def __getitem__(self, run: Run) -> Result:
        return self._done[identity(run)][1]

    def foreign(self, runs: Iterable[Run], stamps: dict[str, str]) -> Run | None:
        """A run that is done, but with other code or data than the stamps of the datasets say."""
        done = (run for run in runs if run in self)
        return next((run for run in done if self._done[identity(run)][0] != stamps[run.cell.dataset]), None)

    def add(self, run: Run, result: Result, stamp: str) -> None:
        """Keep a result. The curves go first: a line in results.csv means that all of the run is there."""
        name = identity(run)
        row = dict(zip(IDENTITY, name, strict=True), value=repr(result.value), seconds=f"{result.seconds:.6f}")
        row["stamp"] = stamp
        losses = [float(f"{loss:.4g}") for loss in result.losses]
        probabilities = [[round(p, 3) for p in point] for point in result.probabilities]
        self._write(self._files[1], json.dumps([name, losses, probabilities], separators=(",", ":")))
        self._write(self._files[0], ",".join(row[column] for column in COLUMNS + EXTRA))
        self._done[name] = stamp, result._replace(losses=losses, probabilities=probabilities)

    @staticmethod
    def _write(file: IO[str], line: str) -> None:
        file.write(line + "\n")
        file.flush()  # survives the death of this process; lines lost with the whole machine are just done again

    def _read(self) -> None:
        curves = {}
        for number, line in enumerate(_whole_lines(self.curves), start=1):
            try:
                name, losses, probabilities = json.loads(line)
                curves[tuple(name)] = losses, probabilities
            except (ValueError, TypeError) as problem:
                raise at(self.curves, number, "this is no curve of a run; remove the file or the line") from problem
        lines = _whole_lines(self.path)
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                name = tuple(row[column] for column in IDENTITY)
                value, seconds, stamp = float(row["value"]), float(row["seconds"]), row["stamp"]
            except (KeyError, ValueError, TypeError) as problem:
                raise at(self.path, number, "this is no result of a run; remove the file or the line") from problem
            if name in curves:
                self._done[name] = stamp, Result(value, seconds, *curves[name])


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file, after cutting off a last one that has no end."""
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as file:
            file.truncate(whole)
    return content[:whole].decode("utf-8", "replace").splitlines()
