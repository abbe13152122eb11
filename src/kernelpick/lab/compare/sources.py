"""What is compared on: a dataset of the paper, a stream of River or a user's file, as raw columns and targets."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kernelpick.files.errors import DataError
from kernelpick.files.text import Floats
from kernelpick.lab.datasets import fetch, own, raw, river_streams
from kernelpick.lab.datasets.permutations import order
from kernelpick.lab.datasets.registry import REGISTRY, lookup

REGRESSION, CLASSIFICATION = TASKS = ("regression", "classification")


class Wanted(NamedTuple):
    """What the command line says of one stream."""

    name: str
    task: str | None = None
    target: str | None = None
    rows: int | None = None
    shuffle: bool = False
    data: str | None = None

    @property
    def published(self) -> bool:
        """One of the paper's datasets."""
        return self.name in REGISTRY

    @property
    def made(self) -> bool:
        """One of River's streams, which has no file."""
        return river_streams.is_river(self.name)

    @property
    def shuffled(self) -> bool:
        """Whether rows come in a permutation: on demand, and always for the paper's datasets."""
        return self.shuffle or self.published

    @property
    def path(self) -> Path:
        """The file."""
        if self.published:
            return fetch.obtain(lookup(self.name), self.data)
        path = Path(self.name).expanduser()
        if not path.exists():
            try:
                lookup(self.name)
            except ValueError as problem:
                raise DataError(f"{problem} Nor is there such a file.") from None
        return path


class Stream(NamedTuple):
    """Rows in the order of the file; a class is told by its place in `classes`, which regression has not."""

    name: str
    X: Floats
    y: np.ndarray
    classes: tuple[str, ...]
    rounds: int
    """How many of the rows are used."""
    span: float
    """Half the range of the target in the file; halves, because the difference of large numbers overflows."""

    @property
    def task(self) -> str:
        return CLASSIFICATION if self.classes else REGRESSION

    def arranged(self, shuffled: bool, seed: int) -> Stream:
        """The rows that are used: the first of the permutation of that number, or of the file as it is.

        The permutations are those of `kernelpick reproduce`. Many files are sorted by class, so the first rows of the
        file would not do.
        """
        rows = order(self.name, seed, len(self.y)) if shuffled else np.arange(len(self.y))
        return self._replace(X=self.X[rows[: self.rounds]], y=self.y[rows[: self.rounds]])


def stream(name: str, X: Floats, y: np.ndarray, classes: tuple[str, ...] = (), rows: int | None = None) -> Stream:
    """A stream of the first rows, or of all."""
    return Stream(name, X, y, classes, min(rows or len(y), len(y)), float(y.max() / 2 - y.min() / 2))


@lru_cache(maxsize=16)
def opened(wanted: Wanted) -> Stream:
    """Read once a process."""
    if wanted.published:
        entry = lookup(wanted.name)
        if wanted.target is not None:
            raise DataError(f"--target is for files: {wanted.name} is a dataset of the paper, whose target is known.")
        if wanted.task not in (None, entry.task):
            raise DataError(f"{wanted.name} is a dataset of the paper, for {entry.task}; leave --task out.")
        X, y = raw.read(entry, wanted.path)
        return _stream(wanted, X, y, None, entry.task)
    if wanted.made and (wanted.target, wanted.task) != (None, None):
        raise DataError(f"{wanted.name} is a stream of River, whose target is known; leave --target and --task out.")
    # All of it: units and classes are those of the file.
    X, y, names = river_streams.read(wanted.name, wanted.rows) if wanted.made else own.read(wanted.path, wanted.target)
    if names is not None and wanted.task == REGRESSION:
        raise DataError(f"{wanted.name}: the target holds names such as {names[0]!r}, and regression needs numbers.")
    labels = names is not None or (len(np.unique(y)) == 2 and not wanted.made)
    guess = CLASSIFICATION if labels else REGRESSION
    return _stream(wanted, X, y, names, wanted.task or guess)


def _stream(wanted: Wanted, X: Floats, y: Floats, names: tuple[str, ...] | None, task: str) -> Stream:
    values, places = np.unique(y, return_inverse=True)
    if len(values) < 2:
        raise DataError(f"{wanted.name}: the target is the same in all {len(y):,} rows, so nothing can be compared.")
    if task == REGRESSION:
        return stream(wanted.name, X, y, rows=wanted.rows)
    told = tuple(names[int(value)] for value in values) if names else tuple(f"{value:g}" for value in values)
    return stream(wanted.name, X, places, told, wanted.rows)
