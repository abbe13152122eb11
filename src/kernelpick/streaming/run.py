"""`kernelpick run`: from the options to a model that has learned a stream."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from kernelpick.budget import parse
from kernelpick.core import messages
from kernelpick.core.problem import PRECISIONS
from kernelpick.estimator import load
from kernelpick.keyed import KeyedModels
from kernelpick.keyed.store import is_store
from kernelpick.parameters import SIZES
from kernelpick.sources import Block, Source, open_source
from kernelpick.sources import options as reading_options
from kernelpick.sources.choosing import Choice, choose
from kernelpick.sources.options import REGRESSION
from kernelpick.streaming import checkpoint, files_by_key, settings
from kernelpick.streaming.bar import bar
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.exits import DONE, BadRow, code_of, told
from kernelpick.streaming.learner import estimator_for
from kernelpick.streaming.outputs import check_apart
from kernelpick.streaming.session import Session, blocks_of, peeked
from kernelpick.streaming.shape import check_shape, check_shape_by_key, prepared
from kernelpick.streaming.signals import Signals
from kernelpick.streaming.summary import announce, summary
from kernelpick.streaming.table import note
from kernelpick.streaming.task import Task, recognised

LOOK = 256  # rows from which the task is told

Note = Callable[[str], None]


def run(options: Any) -> int:
    """The exit code."""
    _check(options)
    with checkpoint.lock_of(Path(options.model)) if options.model else nullcontext():
        return _run(options)


def _run(options: Any) -> int:
    tell: Note = (lambda line: None) if options.quiet else note
    every = settings.every(options.checkpoint_every)
    source = open_source(options.source, reading_options.reading(options))
    for sentence in source.notes:
        tell(sentence)
    choice = choose(source, options.target, options.drop, options.keep, options.key)
    fresh = Position(settings.lasting(options, choice), source.fingerprint())
    estimator, position = _found(options, fresh, tell)
    if position.finished:
        tell(f"{options.model}: all {position.records:,} rows were learned before; nothing is changed.")
        return DONE
    if options.cluster is not None:
        return _run_apart(options, source, choice, position, tell)
    with Signals() as signals, _warnings_as_notes(tell):
        blocks = blocks_of(source, position.records, every.block, signals)
        if position.key is not None and position.task:
            estimator = files_by_key.opened(options)
        if not position.task:
            first, blocks = peeked(blocks, LOOK)
            if signals.heard is not None:
                return _ended(signals.heard, position, options)
            if not any(len(block.numbers) for block in first):
                _refuse_nothing(first, blocks, source)
            tell(_understood(position, first, choice, options))
            estimator = _base(options, position) if position.key is None else _models(options, position)
        session = Session(options, source, position, every, estimator)
        announce(session)
        try:
            with bar(source, not options.quiet and not options.json) as advance:
                session.learn(_looked_over(blocks, choice, position, tell), signals, advance)
            summary(session)
        except BadRow:
            summary(session)
            raise
        finally:
            session.close()
    return DONE if signals.heard is None else _ended(signals.heard, position, options)


def _run_apart(options: Any, source: Source, choice: Choice, position: Position, tell: Note) -> int:
    """On a cluster: the first rows are understood here, and all are learned there."""
    from kernelpick.lab.running.workers import client_of
    from kernelpick.streaming.clustered import learned_apart

    with client_of(options.cluster), Signals() as signals:
        first, blocks = peeked(blocks_of(source, 0, LOOK, signals), LOOK)
    if signals.heard is not None:
        return _ended(signals.heard, position, options)
    if not any(len(block.numbers) for block in first):
        _refuse_nothing(first, blocks, source)
    tell(_understood(position, first, choice, options))
    estimator = estimator_for(Task(position.task, position.kind), options)
    with client_of(options.cluster), _warnings_as_notes(tell):
        done = learned_apart(options, estimator, position, source)
    announce(done)
    done.table.show(done.learner.glance)
    if options.model:
        done.learner.write(position, Path(options.model))
    summary(done)
    return DONE


def _ended(heard: int, position: Position, options: Any) -> int:
    """By a signal, between two blocks."""
    saved = f"saved to {options.model}; --resume goes on" if options.model else "nothing is kept without --model"
    done = saved if position.records else "none is learned"
    note(f"kernelpick: {told(heard)} after {position.records:,} rows; {done}.")
    return code_of(heard)


def _check(options: Any) -> None:
    """Refuse options that contradict each other, or name what there is not."""
    if options.task is not None:
        messages.choice("task", options.task, reading_options.TASKS)
    if options.size is not None:
        messages.choice("size", options.size, SIZES)
    if options.precision is not None:
        messages.choice("precision", options.precision, PRECISIONS)
    messages.whole("capacity", options.capacity, 1)
    if options.time_budget is not None:
        parse.seconds(options.time_budget, "--time-budget")
        if options.features is not None:
            raise ValueError("--features and --time-budget both decide the size of a model; leave one of them out.")
    if options.resume and options.overwrite:
        raise ValueError("--resume goes on with a model and --overwrite replaces it; leave one of them out.")
    if options.resume and options.model is None:
        raise ValueError("--resume needs the model to go on with: --model FILE.")
    if options.interval is not None and (options.predictions is None or not 0.0 < options.interval < 1.0):
        raise ValueError("--interval takes a level between 0 and 1, and goes with --predictions FILE.")
    check_apart(options)
    if options.cluster is not None:
        given = {"--key": options.key, "--predictions": options.predictions, "--rejects": options.rejects,
                 "--from": options.base, "standard input": "-" if options.source == "-" else None}  # fmt: skip
        for what in (what for what, value in given.items() if value is not None):
            raise ValueError(
                f"--cluster learns files apart and keeps their models alone, so it does not go with {what}."
            )
    if options.model is not None:
        checkpoint.check_writable(Path(options.model))
        if Path(options.model).exists() and not (options.resume or options.overwrite):
            raise ValueError(f"{options.model} is there already: --resume goes on with it, --overwrite replaces it.")


def _found(options: Any, fresh: Position, tell: Note) -> tuple[Any, Position]:
    """The checkpoint to go on from, or the beginning."""
    if not options.resume:
        return None, fresh
    path = Path(options.model)
    there = files_by_key.read(path) if is_store(path) else checkpoint.read(path, tell)
    if there is None:
        tell(f"There is no {path} yet, so it begins with the first row.")
        return None, fresh
    estimator, position = there
    checkpoint.compare(position, fresh.settings, fresh.source, path)
    if position.rejects is not None and options.rejects is None and not position.finished:
        raise ValueError(f"{path} was begun with --rejects FILE; give it again, so that the file goes on.")
    if not position.finished:
        tell(f"Going on after row {position.records:,}.")
    return estimator, position


def _understood(position: Position, first: list[Block], choice: Choice, options: Any) -> str:
    """What is to be learned from which columns, by the first rows, and the sentence that is said of it."""
    rows = [block for block in first if len(block.numbers)]
    # Where columns come one by one, they are those of one row, so that it does not matter how rows are cut.
    position.columns = choice.inputs([block for block in rows if block.first < LOOK][-1].columns)
    if not position.columns:
        raise ValueError(f"The first rows have no column to learn {choice.target!r} from.")
    seen = np.concatenate([block.columns[choice.target] for block in rows])
    task, sentence = recognised(seen[:LOOK], options.task, choice.target)
    if options.interval is not None and task.name != REGRESSION:
        raise ValueError(f"--interval is for numbers, and {choice.target!r} holds classes; leave it out.")
    position.task, position.kind = task
    return f"{sentence}."


def _looked_over(blocks: Iterator[Block], choice: Choice, position: Position, tell: Note) -> Iterator[Block]:
    """The same blocks; a column that comes late is told of."""
    width = 0
    for block in blocks:
        if len(block.columns) > width:
            late = [name for name in choice.inputs(block.columns) if name not in position.columns]
            if late:
                since = f"From row {block.first + 1:,} on"
                tell(f"{since} there is {late[-1]!r}, which is left out: it came after {LOOK} rows.")
            width = len(block.columns)
        yield block


def _refuse_nothing(first: list[Block], blocks: Iterator[Block], source: Source) -> None:
    """A source without a row that could be learned."""
    refused = [one for block in first for one in block.rejects]
    if refused:
        raise BadRow(f"{source.name} has no row that can be read; the first: {refused[0].sentence}")
    for _ in blocks:  # a first record that can't be read is told
        break
    raise ValueError(f"{source.name} has no rows, so there is nothing to learn; get a complete copy.")


def _base(options: Any, position: Position) -> Any:
    """The model that --from names, if it can learn such rows; None without it."""
    if options.base is None:
        return None
    if is_store(Path(options.base)):
        raise ValueError(f"{options.base} holds one model per key; name the column of the key by --key.")
    estimator = load(options.base)
    check_shape(estimator, options.base, position)
    return prepared(estimator, position)


def _models(options: Any, position: Position) -> KeyedModels:
    """Models by key: none yet, where --from names a model, they begin with what it knows; or those that it names."""
    fresh = estimator_for(Task(position.task, position.kind), options)
    if options.base is None:
        return files_by_key.begun(options, position, fresh, None)
    if not is_store(Path(options.base)):
        prior = _base(options, position)
        position.before = 0
        return files_by_key.begun(options, position, fresh, prior)
    check_shape_by_key(options.base, position)
    return files_by_key.begun(options, position, fresh, None)


@contextmanager
def _warnings_as_notes(tell: Note) -> Iterator[None]:
    """What estimators warn of, once each, without the line of code that it came from."""
    seen: set[str] = set()

    def show(message: Any, *where: Any, **further: Any) -> None:
        if (text := str(message)) not in seen:
            seen.add(text)
            tell(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
