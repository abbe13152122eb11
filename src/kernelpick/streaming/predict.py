"""`kernelpick predict`: what a model says to the rows of a source; the model stays as it is."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kernelpick.estimator import load
from kernelpick.keyed import KeyedModels
from kernelpick.keyed.store import is_store
from kernelpick.sources import Block, open_source
from kernelpick.sources import options as reading_options
from kernelpick.sources.options import CLASSIFICATION
from kernelpick.streaming import lines
from kernelpick.streaming.appended import Appended
from kernelpick.streaming.checkpoint import position_of
from kernelpick.streaming.exits import DONE, UNREAD, BadRow
from kernelpick.streaming.files_by_key import position_in
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.keyed import answers
from kernelpick.streaming.learner import add
from kernelpick.streaming.outputs import check_free
from kernelpick.streaming.score import Numbers, mean, score_for
from kernelpick.streaming.session import framed, readable
from kernelpick.streaming.settings import READ_ROWS
from kernelpick.streaming.shape import columns_of, found_in, kind_of_classes, task_of
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
    if options.interval is not None and not 0.0 < options.interval < 1.0:
        raise ValueError("--interval takes a level between 0 and 1, such as 0.9.")
    if is_store(Path(options.model)):
        with KeyedModels(path=options.model, reads_only=True) as models:
            return _written(options, _of_keys(models, options))
    return _written(options, _of_one(load(options.model), options))


class Who(NamedTuple):
    """Who is asked: a model, or one per key."""

    task: Task
    columns: list[str]  # that are wanted of the source
    target: str | None
    ask: Callable[[Frame], tuple[list[Any], Sequence[Any]]]  # None where nothing can be said


def _of_one(estimator: Any, options: Any) -> Who:
    task = task_of(estimator, options.model)
    run = position_of(estimator)
    kind = kind_of_classes(estimator) if task == CLASSIFICATION else NUMBERS
    target = options.target or (run.target if run else None)
    columns = columns_of(estimator, options.model)
    return Who(Task(task, kind), columns, target, lambda frame: _asked(estimator, frame, options.interval))


def _of_keys(models: KeyedModels, options: Any) -> Who:
    run = position_in(models, options.model)
    key = str(run.key)

    def one(value: Any, rows: Frame, places: np.ndarray) -> tuple[list[Any], Sequence[Any]]:
        model = (models.get(value) if value is not None else None) or models.begin
        if model._model is not None:
            return _asked(model, rows, options.interval)
        ends = 0 if options.interval is None else 1 if run.task == CLASSIFICATION else 2
        return [None] * len(rows), [[None] * len(rows)] * ends

    columns, task = [*run.columns, key], Task(run.task, run.kind)
    return Who(task, columns, options.target or run.target, lambda frame: answers(frame, key, one))


def _written(options: Any, who: Who) -> int:
    source = open_source(options.source, reading_options.reading(options))
    columns = found_in(source.names, who.columns, options.model, source.name)
    score, sets = score_for(who.task), who.task.name == CLASSIFICATION
    refused, count, silent = 0, 0, 0
    with _out(options, lines.header(options.interval is not None, sets)) as out:
        for block in readable(source, 0, READ_ROWS):
            refused += len(block.rejects)
            count += len(block.numbers)
            if not len(block.numbers):
                continue
            said, further = who.ask(framed(block, columns, source))
            found = _labels(block, who.target, who.task.kind)
            out(lines.predictions(block.numbers, said, _shown(found), *further))
            unsaid = np.array([one is None for one in said])
            silent += int(unsaid.sum())
            add(score, said, found._replace(missing=found.missing | unsaid))
    shown = number if isinstance(score, Numbers) else share
    error = shown(mean(score.wrong, score.rows))
    told = f"; {score.measure} {error} where {who.target} is known" if score.rows else ""
    counts = {"refused": refused, "of keys that have learned nothing": silent}
    if not options.quiet:
        further = "".join(f", {many:,} {what}" for what, many in counts.items() if many)
        note(f"{count:,} rows predicted{further}{told}")
    return DONE


def _asked(estimator: Any, frame: Frame, interval: float | None) -> tuple[list[Any], list[list[Any]]]:
    """What the leader says, and its ends or its set of classes."""
    said = estimator.predict(frame).tolist()
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
    except BadRow:  # what comes before it is kept
        file.sync()
        raise
    finally:
        file.close()
