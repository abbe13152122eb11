"""`kernelpick predict`: what a model says to the rows of a source; the model stays as it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from kernelpick.estimator import load
from kernelpick.sources import Block, open_source
from kernelpick.sources import options as reading_options
from kernelpick.sources.options import CLASSIFICATION
from kernelpick.streaming import lines
from kernelpick.streaming.appended import Appended
from kernelpick.streaming.checkpoint import position_of
from kernelpick.streaming.exits import DONE, UNREAD
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.outputs import check_free
from kernelpick.streaming.score import Numbers, mean, score_for
from kernelpick.streaming.session import framed
from kernelpick.streaming.settings import BLOCK
from kernelpick.streaming.shape import columns_of, kind_of_classes, task_of
from kernelpick.streaming.table import note, number, share, unread
from kernelpick.streaming.task import NUMBERS, Targets, Task, targets


def predict(options: Any) -> int:
    """The exit code."""
    try:
        return _predict(options)
    except BrokenPipeError:  # `kernelpick predict ... | head`
        unread()
        return UNREAD


def _predict(options: Any) -> int:
    estimator = load(options.model)
    task = task_of(estimator, options.model)
    kind = kind_of_classes(estimator) if task == CLASSIFICATION else NUMBERS
    if options.interval is not None and not 0.0 < options.interval < 1.0:
        raise ValueError("--interval takes a level between 0 and 1, such as 0.9.")
    source = open_source(options.source, reading_options.reading(options))
    columns = columns_of(estimator, options.model, source.names, source.name)
    run = position_of(estimator)
    target = options.target or (run.target if run else None)
    score, head = score_for(Task(task, kind)), lines.header(options.interval is not None, task == CLASSIFICATION)
    refused, count = 0, 0
    with _out(options, head) as out:
        for block in source.blocks(rows=BLOCK):
            refused += len(block.rejects)
            count += len(block.numbers)
            if not len(block.numbers):
                continue
            frame = framed(block, columns, source)
            said, further = _asked(estimator, frame, options.interval)
            found = _labels(block, target, kind)
            out(lines.predictions(block.numbers, said.tolist(), _shown(found), *further))
            there = ~found.missing
            score.add(said[there], found.values[there])
    shown = number if isinstance(score, Numbers) else share
    told = f"; {score.measure} {shown(mean(score.wrong, score.rows))} where {target} is known" if score.rows else ""
    skipped = f", {refused:,} refused" if refused else ""
    if not options.quiet:
        note(f"{count:,} rows predicted{skipped}{told}")
    return DONE


def _asked(estimator: Any, frame: Frame, interval: float | None) -> tuple[np.ndarray, list[list[Any]]]:
    """What the leader says, and its ends or its set of classes."""
    said = estimator.predict(frame)
    if interval is None:
        return said, []
    if hasattr(estimator, "predict_interval"):
        return said, estimator.predict_interval(frame, interval).T.tolist()
    members, classes = estimator.predict_set(frame, interval), [str(one) for one in estimator.classes_]
    return said, [["|".join(one for one, there in zip(classes, row, strict=True) if there) for row in members.tolist()]]


def _labels(block: Block, target: str | None, kind: str) -> Targets:
    """The targets of a block, where it has them; those that are none are left out."""
    if target is None or target not in block.columns:
        return Targets(np.zeros(len(block.numbers)), np.ones(len(block.numbers), dtype=bool), {})
    found = targets(block.columns[target], kind)
    missing = found.missing.copy()
    missing[list(found.bad)] = True
    return found._replace(missing=missing)


def _shown(found: Targets) -> list[Any]:
    labels = found.values.tolist()
    return [None if gone else label for label, gone in zip(labels, found.missing.tolist(), strict=True)]


@contextmanager
def _out(options: Any, header: bytes) -> Iterator[Any]:
    """Where lines go: standard output, or a file that was not there."""
    if options.predictions in (None, "-"):
        sys.stdout.write(header.decode())
        yield lambda content: sys.stdout.write(content.decode("utf-8", "replace"))
        sys.stdout.flush()
        return
    path = Path(options.predictions)
    if not options.overwrite:
        check_free(path, header, resumes=False)
    file = Appended(path, header)
    try:
        yield file.write
        file.sync()
    finally:
        file.close()
