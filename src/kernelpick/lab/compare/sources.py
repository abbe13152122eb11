"""What is compared on: a dataset of the paper, a stream of River or a source of a user's, as columns and targets."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kernelpick.files.errors import DataError, at
from kernelpick.files.text import Floats
from kernelpick.lab.datasets import fetch, raw, river_streams
from kernelpick.lab.datasets.inputs import matrix
from kernelpick.lab.datasets.permutations import order
from kernelpick.lab.datasets.registry import REGISTRY, lookup
from kernelpick.sources import Block, Reading, Source, open_source
from kernelpick.sources.choosing import choose
from kernelpick.sources.options import CLASSIFICATION, FEW, REGRESSION


class Wanted(NamedTuple):
    """What the command line says of one stream."""

    name: str
    task: str | None = None
    target: str | None = None
    rows: int | None = None
    shuffle: bool = False
    data: str | None = None
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    reading: Reading = Reading()

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
    def paths(self) -> list[Path]:
        """The files."""
        if self.published:
            return [fetch.obtain(lookup(self.name), self.data)]
        return [Path(one.raw.path) for one in self.source().parts]

    def source(self) -> Source:
        """The same, for reading."""
        if "://" not in self.name and not Path(self.name).expanduser().exists():
            try:
                lookup(self.name)
            except ValueError as problem:
                raise DataError(f"{problem} Nor is there such a file.") from None
        return open_source(self.name, self.reading)

    @property
    def how(self) -> str:
        """What decides beside the files which rows there are; nothing if all is as usual."""
        usual = Wanted(self.name)
        told = (self.drop, self.keep, self.reading)
        return "" if told == (usual.drop, usual.keep, usual.reading) else repr(told)


class ContestStream(NamedTuple):
    """Rows in the order of the file; a class is told by its place in `classes`, which regression has not."""

    name: str
    X: Floats
    y: np.ndarray
    classes: tuple[str, ...]
    rounds: int
    """How many of the rows are used."""
    span: float
    """Half the range of the target in the file; halves, because the difference of large numbers overflows."""
    notes: tuple[str, ...] = ()
    """What was recognised, a sentence each."""
    made: str = ""
    """Where inputs had to be made of columns: a short name for what came out."""

    @property
    def task(self) -> str:
        return CLASSIFICATION if self.classes else REGRESSION

    def arranged(self, shuffled: bool, seed: int) -> ContestStream:
        """The rows that are used: the first of the permutation of that number, or of the file as it is.

        The permutations are those of `kernelpick reproduce`. Many files are sorted by class, so the first rows of the
        file would not do.
        """
        rows = order(self.name, seed, len(self.y)) if shuffled else np.arange(len(self.y))
        return self._replace(X=self.X[rows[: self.rounds]], y=self.y[rows[: self.rounds]])


def stream(
    name: str, X: Floats, y: np.ndarray, classes: tuple[str, ...] = (), rows: int | None = None
) -> ContestStream:
    """A stream of the first rows, or of all."""
    return ContestStream(name, X, y, classes, min(rows or len(y), len(y)), float(y.max() / 2 - y.min() / 2))


@lru_cache(maxsize=16)
def opened(wanted: Wanted) -> ContestStream:
    """Read once a process."""
    if wanted.made:
        return _of_river(wanted)
    if not wanted.published:
        return _own(wanted)
    entry = lookup(wanted.name)
    if wanted.target is not None or wanted.how:
        raise DataError(
            f"--target is for files, like --drop, --keep and what says how to read: {wanted.name} is a dataset of the "
            "paper, whose columns are known."
        )
    if wanted.task not in (None, entry.task):
        raise DataError(f"{wanted.name} is a dataset of the paper, for {entry.task}; leave --task out.")
    X, y = raw.read(entry, wanted.paths[0])
    return _stream(wanted, X, y.tolist(), entry.task)


def _of_river(wanted: Wanted) -> ContestStream:
    if (wanted.target, wanted.task, wanted.how) != (None, None, ""):
        raise DataError(
            f"{wanted.name} is a stream of River, whose target is known; leave --target and --task out, like all that "
            "says how to read a file."
        )
    X, targets = river_streams.read(wanted.name, wanted.rows)
    return _stream(wanted, X, targets, CLASSIFICATION if isinstance(targets[0], str) else REGRESSION)


def _own(wanted: Wanted) -> ContestStream:
    """All of it is read: units and classes are those of the file."""
    source = wanted.source()
    choice = choose(source, wanted.target, wanted.drop, wanted.keep)
    blocks, targets, skipped = [], list[Any](), 0
    for block in source.blocks():
        column = block.columns[choice.target].tolist()
        blanks = [row for row, value in enumerate(column) if value is None or value != value]
        if blanks and wanted.reading.on_error == "stop":
            missing = f"the target {choice.target!r} is missing; fill it in, or leave such rows out by --on-error skip"
            raise at(block.file, int(block.lines[blanks[0]]), missing)
        skipped += len(block.rejects) + len(blanks)
        blocks.append(without(block, blanks) if blanks else block)
        targets += [value for value in column if value is not None and value == value]
    if not targets:
        raise DataError(f"{source.name} holds no rows; get a complete copy.")
    named = next((value for value in targets if not isinstance(value, float)), None)
    if named is not None and wanted.task == REGRESSION:
        raise DataError(f"{wanted.name}: the target holds names such as {str(named)!r}, and regression needs numbers.")
    notes = [*source.notes, *([f"{source.name}: {skipped:,} rows were left out."] if skipped else [])]
    kinds = set(targets)
    task = wanted.task or (CLASSIFICATION if named is not None or len(kinds) == 2 else REGRESSION)
    if wanted.task is None and task == REGRESSION and len(kinds) <= FEW and all(value.is_integer() for value in kinds):
        told = f"the target holds the whole numbers {', '.join(f'{value:g}' for value in sorted(kinds))} alone"
        notes.append(f"{source.name}: {told}, taken for a quantity; if they are classes, say --task {CLASSIFICATION}.")
    X, made = matrix(blocks, choice)
    digest = blake2b(X.tobytes(), digest_size=3).hexdigest() if made else ""
    return _stream(wanted, X, targets, task)._replace(notes=tuple(notes), made=digest)


def without(block: Block, rows: list[int]) -> Block:
    """A block without some of its rows."""
    kept = np.delete(np.arange(len(block.numbers)), rows)
    columns = {name: column[kept] for name, column in block.columns.items()}
    return replace(block, numbers=block.numbers[kept], lines=block.lines[kept], columns=columns)


def _stream(wanted: Wanted, X: Floats, targets: list[Any], task: str) -> ContestStream:
    if len(set(targets)) < 2:
        count = len(targets)
        raise DataError(f"{wanted.name}: the target is the same in all {count:,} rows, so nothing can be compared.")
    if task == REGRESSION:
        return stream(wanted.name, X, np.array(targets, dtype=np.float64), rows=wanted.rows)
    classes = sorted(set(targets), key=_rank)
    places = {value: place for place, value in enumerate(classes)}
    told = tuple(f"{value:g}" if isinstance(value, float) else str(value) for value in classes)
    return stream(wanted.name, X, np.array([places[value] for value in targets]), told, wanted.rows)


def _rank(value: Any) -> tuple[bool, float, str]:
    """Numbers by their size, then names."""
    number = isinstance(value, float)
    return not number, value if number else 0.0, str(value)
