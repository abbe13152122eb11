"""One model per key at work on a stream: each speaks to the rows of its key, and hears their labels."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from kernelpick.budget.overruns import Overruns, Timer, start_again, timer_of
from kernelpick.keyed import KeyedModels
from kernelpick.keyed.rows import by_key
from kernelpick.streaming import files_by_key
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.learner import Ends, add, spoken
from kernelpick.streaming.score import Score
from kernelpick.streaming.table import Glance, alarms_of
from kernelpick.streaming.task import Targets, Task

Answer = Callable[[Any, Frame, np.ndarray], tuple[list[Any], Ends]]


class KeyedLearner:
    """The models of all keys; what is said, scored and written depends on the rows alone, not on how they were cut."""

    def __init__(
        self, models: KeyedModels, position: Position, task: Task, score: Score, interval: float | None = None
    ) -> None:
        self.models, self.position, self.task, self.score, self.interval = models, position, task, score, interval
        self.alarms = 0  # since this process began
        self.n_learned = files_by_key.learned(models.mark)
        self.timer = Timer()  # of the rounds of all keys

    def say_and_learn(self, frame: Frame, targets: Targets) -> tuple[list[Any], Ends]:
        """What was said to each row before its label was used, None before its key had a label; and ends."""
        said, ends = answers(frame, str(self.position.key), lambda key, rows, places: self._taught(
            key, rows, Targets(targets.values[places], targets.missing[places], {})
        ))  # fmt: skip
        add(self.score, said, targets)
        return said, ends

    def _taught(self, key: Hashable, rows: Frame, targets: Targets) -> tuple[list[Any], Ends]:
        model = self.models[key]
        before = _n_rounds(model), alarms_of(model)
        answer = spoken(model, self.task, rows, targets, self.interval)
        self.n_learned += _n_rounds(model) - before[0]
        self.alarms += max(0, alarms_of(model) - before[1])  # a history forgets
        if model.time_budget is not None:
            self.timer.take(timer_of(model))
            start_again(model)  # it may leave the memory
        return answer

    @property
    def overruns(self) -> Overruns:
        return self.timer.told()

    @property
    def size(self) -> None:
        """Each key has its own."""

    def glance(self) -> Glance:
        return Glance(None, self.alarms, len(self.models))

    def write(self, position: Position, path: Path) -> None:
        """A transaction; at the end the file anew, so that its bytes do not tell how it got there."""
        self.models.flush(files_by_key.mark_of(replace(position, finished=False), self.n_learned))
        if position.finished:
            self.models.close()
            files_by_key.finish(path, files_by_key.mark_of(position, self.n_learned))
            self.models = KeyedModels(path=path, reads_only=True)

    def close(self) -> None:
        """Without what was not saved."""
        self.models.close(flush=False)


def _n_rounds(model: Any) -> int:
    return 0 if model._model is None else int(model.n_rounds_)


def answers(frame: Frame, name: str, answer: Answer) -> tuple[list[Any], Ends]:
    """What the model of each key says to its rows, in the order of the rows."""
    said: list[Any] = [None] * len(frame)
    further: list[list[Any]] = []
    inputs = Frame({column: _column(frame, column) for column in frame.columns if column != name}, len(frame))
    for key, places in by_key(keys_of(frame, name)):
        own, ends = answer(key, inputs.rows(places), places)
        further = further or [[None] * len(frame) for _ in ends]
        for whole, part in zip((said, *further), (own, *ends), strict=True):
            for place, value in zip(places.tolist(), part, strict=True):
                whole[place] = value
    return said, further


def keys_of(frame: Frame, name: str) -> list[Hashable]:
    """The key of each row; None where there is none."""
    return list(_plain(_column(frame, name)))


def _plain(column: np.ndarray) -> Iterator[Hashable]:
    """Whole numbers as such, times as text."""
    for value in column.tolist():
        if isinstance(value, float):
            yield None if value != value else int(value) if value.is_integer() else value
        else:
            yield value.isoformat() if isinstance(value, datetime) else value


def keys_like(text: str) -> Iterator[Hashable]:
    """What a key may be that is written so.

    >>> list(keys_like("7")), list(keys_like("Bonn"))
    (['7', 7], ['Bonn'])
    """
    yield text
    with suppress(ValueError):
        yield from _plain(np.array([float(text)]))


def _column(frame: Frame, name: str) -> np.ndarray:
    return np.asarray(frame[name])
