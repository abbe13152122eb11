"""The loop of a run: blocks of rows are predicted and learned, written down, and kept by checkpoints."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kernelpick.keyed import KeyedModels
from kernelpick.sources import Block, Reject, Source
from kernelpick.streaming import lines
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.exits import BadRow, Interruption
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.keyed import KeyedLearner, keys_of
from kernelpick.streaming.learner import Learner, estimator_for
from kernelpick.streaming.outputs import OutputFiles
from kernelpick.streaming.score import score_for
from kernelpick.streaming.settings import Every
from kernelpick.streaming.signals import Signals
from kernelpick.streaming.table import ProgressTable
from kernelpick.streaming.task import Targets, Task, targets

SKIP = "; mend it, or leave such rows out with --on-error skip"
NO_KEY = "is blank, and every row needs a key"


class Session:
    """A run under way. Where it is, is known at the end of each block: there it may be saved, and go on."""

    def __init__(self, options: Any, source: Source, position: Position, every: Every, estimator: Any) -> None:
        """With an estimator that has learned something, or None; or with models by key."""
        task = Task(position.task, position.kind)
        score = score_for(task, position.score)
        self.options, self.source, self.position, self.every = options, source, position, every
        self.model = Path(options.model) if options.model else None
        self.learner: Learner | KeyedLearner
        if isinstance(estimator, KeyedModels):
            self.learner = KeyedLearner(estimator, position, task, score, options.interval)
        else:
            estimator = estimator if estimator is not None else estimator_for(task, options)
            self.learner = Learner(estimator, task, score, options.interval)
        self.table = ProgressTable(score, options.json, options.quiet)
        self.outputs = OutputFiles(options, position)
        self._saved = position.records, time.perf_counter()

    def learn(self, blocks: Iterator[Block], signals: Signals, advance: Callable[[], None]) -> None:
        """To the end of the blocks, or to a signal; a row that stops the run is raised when all before it is saved."""
        problem: BadRow | None = None
        try:
            for block in blocks:
                self._learn_block(block)
                advance()
                if signals.heard is not None:
                    break
                if self._is_due():
                    self.save()
        except BadRow as error:
            problem = error
        self.table.show(self.learner.glance)
        self.position.finished = problem is None and signals.heard is None
        self.save()
        if problem is not None:
            raise problem

    def _learn_block(self, block: Block) -> None:
        """All rows of a block; a target that is none ends the run there, or is written down."""
        found = self._targets(block) if len(block.numbers) else None
        refused = self._refused(block, found.bad) if found is not None and found.bad else []
        if refused and self.options.on_error == "stop":
            self._learn_rows(block, found, np.arange(min(found.bad)))  # type: ignore[arg-type, union-attr]
            self.position.records = refused[0].number
            raise BadRow(refused[0].sentence)
        if found is not None:
            self._learn_rows(block, found, np.delete(np.arange(len(block.numbers)), list(found.bad)))
        self._write_down(sorted([*block.rejects, *refused], key=lambda one: one.number))
        self.position.records = block.first + block.count

    def _targets(self, block: Block) -> Targets:
        """Those of a block; a row without a key is as bad as one with a target that is none."""
        found = targets(block.columns[self.position.target], self.position.kind)
        if self.position.key is None:
            return found
        keys = keys_of(framed(block, [self.position.key], self.source), self.position.key)
        return found._replace(bad=found.bad | {row: NO_KEY for row, key in enumerate(keys) if key is None})

    def _refused(self, block: Block, bad: dict[int, str]) -> list[Reject]:
        refused = []
        for row, why in sorted(bad.items()):
            name = str(self.position.key if why == NO_KEY else self.position.target)
            cell = "" if why == NO_KEY else str(block.columns[name][row])
            refused.append(Reject(int(block.numbers[row]), block.file, int(block.lines[row]), name, cell, why + SKIP))
        return refused

    def _learn_rows(self, block: Block, found: Targets, rows: np.ndarray) -> None:
        """Some rows of a block, in parts that end where a line of the table is due."""
        whole = len(rows) == len(block.numbers)
        keyed = [self.position.key] if self.position.key is not None else []
        frame = framed(block, [*self.position.columns, *keyed], self.source)
        if not whole:
            frame, found = frame.rows(rows), Targets(found.values[rows], found.missing[rows], {})
        numbers = block.numbers if whole else block.numbers[rows]
        done = 0
        while done < len(numbers):
            labelled = np.flatnonzero(~found.missing[done:])
            room = self.table.next - self.table.score.rows
            stop = done + int(labelled[room - 1]) + 1 if room <= len(labelled) else len(numbers)
            part = slice(done, stop)
            self._play(frame.rows(part), Targets(found.values[part], found.missing[part], {}), numbers[part])
            if room <= len(labelled):
                self.table.show(self.learner.glance)
            done = stop

    def _play(self, frame: Frame, found: Targets, numbers: np.ndarray) -> None:
        said, ends = self.learner.say_and_learn(frame, found)
        self.position.unlabelled += int(found.missing.sum())
        if self.outputs.predictions is not None:
            labels = found.values.tolist()
            for row in np.flatnonzero(found.missing).tolist():
                labels[row] = None
            self.outputs.predictions.write(lines.predictions(numbers, said, labels, *ends))

    def _write_down(self, rejects: list[Reject]) -> None:
        self.position.rejected += len(rejects)
        if self.outputs.rejects is not None and rejects:
            self.outputs.rejects.write(lines.rejects(rejects))

    def _is_due(self) -> bool:
        rows, clock = self._saved
        return self.every.is_due(self.position.records - rows, time.perf_counter() - clock)

    def save(self) -> None:
        """Predictions and refused rows first, then the checkpoint that speaks of them."""
        self.outputs.sync(self.position)
        if self.model is not None:
            self.position.score = self.table.score.packed()
            self.learner.write(self.position, self.model)
        self._saved = self.position.records, time.perf_counter()

    def close(self) -> None:
        """Without what was not saved."""
        self.outputs.close()
        self.learner.close()


def framed(block: Block, names: list[str], source: Source) -> Frame:
    """The inputs of a block. Where columns come one by one, one that did not come yet is zero, or missing."""
    count = len(block.numbers)
    absent = np.full(count, 0.0 if source.label is not None else np.nan)
    return Frame({name: block.columns.get(name, absent) for name in names}, count)


def readable(source: Source, skip: int, rows: int) -> Iterator[Block]:
    """The blocks after so many records; one that can't be read ends them as a bad row."""
    try:
        yield from source.blocks(skip=skip, rows=rows)
    except ValueError as problem:
        raise BadRow(str(problem)) from problem


def blocks_of(source: Source, skip: int, rows: int, signals: Signals) -> Iterator[Block]:
    """The blocks that are left. A record that can't be read ends them; a signal does while they are waited for."""
    blocks = readable(source, skip, rows)
    while True:
        try:
            with signals.waiting():
                block = next(blocks, None)
        except Interruption:
            return
        if block is None:
            return
        yield block


def peeked(blocks: Iterator[Block], rows: int) -> tuple[list[Block], Iterator[Block]]:
    """The first blocks, of so many rows at least, and all of them."""
    first: list[Block] = []
    problem: BadRow | None = None
    try:
        while sum(len(block.numbers) for block in first) < rows and (block := next(blocks, None)) is not None:
            first.append(block)
    except BadRow as error:
        problem = error

    def again() -> Iterator[Block]:
        yield from first
        if problem is not None:
            raise problem
        yield from blocks

    return first, again()
