"""`kernelpick run --cluster`: the files of a folder are learned apart, wherever there is a worker, and merged.

Each file is a pure task: bytes of a blank in, bytes of a model and what was counted out. Files are read by the workers,
block by block, so nothing but models moves, and a file may be larger than the memory.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kernelpick import merge
from kernelpick.dask.fitting import SAMPLE, alone, in_a_tree, packed, unpacked
from kernelpick.estimator import from_bytes
from kernelpick.sources import Block, Source, open_source
from kernelpick.sources.options import CLASSIFICATION
from kernelpick.sources.options import reading as reading_of
from kernelpick.sources.reading import Reading
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.exits import BadRow
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.learner import Learner
from kernelpick.streaming.score import Score, score_for
from kernelpick.streaming.session import SKIP, framed
from kernelpick.streaming.settings import READ_ROWS
from kernelpick.streaming.table import ProgressTable
from kernelpick.streaming.task import Targets, Task, targets

COUNTS = ("records", "unlabelled", "rejected")
LOOKED_AT = 4 * READ_ROWS  # rows of the first file, of which some, evenly spaced, tell scales and kernels


class File(NamedTuple):
    """One of the files, and what is learned from it."""

    path: str
    reading: Reading
    columns: list[str]
    target: str
    task: Task


class Learned(NamedTuple):
    """What became of some files."""

    content: bytes  # the model
    score: Score
    records: int
    unlabelled: int
    rejected: int


@dataclass
class Finished:
    """A run that has come to its end, as `summary` tells of it."""

    options: Any
    position: Position
    table: ProgressTable
    learner: Learner


def learned_apart(options: Any, estimator: Any, position: Position, source: Source) -> Finished:
    """On the cluster that Dask's client has, from the first row to the last."""
    from dask.base import compute
    from dask.delayed import delayed

    task = Task(position.task, position.kind)
    reading, paths = reading_of(options), [str(Path(one.raw.path or "").absolute()) for one in source.parts]
    files = [File(path, reading, position.columns, position.target, task) for path in paths]
    table = ProgressTable(score_for(task), options.json, options.quiet)  # its clock begins
    classes = None
    if task.name == CLASSIFICATION:  # a shard can't know of the classes of another, so all are looked for first
        found = compute(*(delayed(_labels, pure=True)(file) for file in files))  # type: ignore[no-untyped-call]
        classes = sorted(set().union(*found))
    start = delayed(_started, pure=True)(packed(estimator), files[0], classes)
    whole: Learned = in_a_tree([delayed(_learned, pure=True)(start, file) for file in files], _merged)
    estimator, table.score = from_bytes(whole.content), whole.score
    position.records, position.unlabelled, position.rejected = whole.records, whole.unlabelled, whole.rejected
    position.finished, position.score = True, whole.score.packed()
    return Finished(options, position, table, Learner(estimator, task, whole.score))


def _blocks(file: File) -> Iterator[tuple[Block, Frame, Targets]]:
    """The rows that can be learned; what stops a run here is told by whoever started it."""
    source = open_source(file.path, file.reading)
    try:
        for block in source.blocks(rows=READ_ROWS):
            if not len(block.numbers):
                yield block, Frame({}, 0), Targets(np.zeros(0), np.zeros(0, dtype=bool), {})
                continue
            found = targets(block.columns[file.target], file.task.kind)
            if found.bad and file.reading.on_error == "stop":
                row, why = min(found.bad.items())
                raise BadRow(f"{block.file}, line {block.lines[row]}, column {file.target!r}: {why}{SKIP}.")
            good = np.delete(np.arange(len(block.numbers)), list(found.bad))
            frame = framed(block, file.columns, source).rows(good)
            yield block, frame, Targets(found.values[good], found.missing[good], found.bad)
    except BadRow:
        raise
    except ValueError as problem:
        raise BadRow(str(problem)) from problem


def _labels(file: File) -> set[Any]:
    return {label for _, _, found in _blocks(file) for label in found.values[~found.missing].tolist()}


@alone
def _started(content: bytes, file: File, classes: Sequence[Any] | None) -> bytes:
    """The blank that all files begin with."""
    frames, labels, rows = [], [], 0
    for _, frame, found in _blocks(file):
        there = np.flatnonzero(~found.missing)
        frames.append(frame.rows(there))
        labels.append(found.values[there])
        rows += len(there)
        if rows >= LOOKED_AT:
            break
    if not rows:
        raise ValueError(f"{file.path}, the first of the files, has no row with {file.target!r} to begin with.")
    places = np.unique(np.linspace(0, rows - 1, SAMPLE).astype(int))
    columns = {name: np.concatenate([np.asarray(frame[name]) for frame in frames])[places] for name in file.columns}
    model = unpacked(content)
    declared = {} if classes is None else {"classes": np.array(classes, dtype=np.concatenate(labels).dtype)}
    model.partial_fit(Frame(columns, len(places)), np.concatenate(labels)[places], **declared)
    return packed(model.blank())


@alone
def _learned(start: bytes, file: File) -> list[Learned]:
    learner = Learner(unpacked(start), file.task, score_for(file.task))
    records, unlabelled, rejected = 0, 0, 0
    for block, frame, found in _blocks(file):
        if len(frame):
            learner.say_and_learn(frame, found)
        records, unlabelled = records + block.count, unlabelled + int(found.missing.sum())
        rejected += len(block.rejects) + len(found.bad)
    return [Learned(learner.estimator.to_bytes(), learner.score, records, unlabelled, rejected)]


@alone
def _merged(several: Any) -> Learned:
    every: list[Learned] = list(several)
    if len(every) == 1:
        return every[0]
    score = copy.deepcopy(every[0].score)  # what a task is given may be given to another, too
    for other in every[1:]:
        score.include(other.score)  # type: ignore[arg-type]
    records, unlabelled, rejected = (sum(getattr(one, name) for one in every) for name in COUNTS)
    content = merge(from_bytes(one.content) for one in every).to_bytes()
    return Learned(content, score, records, unlabelled, rejected)
