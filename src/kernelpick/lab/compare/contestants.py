"""What a contestant is, and the simplest: a constant prediction, and the last label."""

from __future__ import annotations

import math
import pickle
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Answer = Any  # a number or the place of a class; None where there is no answer yet


class Setting(NamedTuple):
    """What a contestant is told beforehand: what any user knows of a stream."""

    classes: int  # 0 for regression
    inputs: int
    seed: int


class Contestant(ABC):
    """A learner over one stream."""

    model: Any
    warm = 20
    """Rows that a throw-away copy gets before the clock starts: what is compiled or imported then is not timed."""

    @abstractmethod
    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        """Row by row, append the answer, then learn the label."""

    def prepared(self, X: np.ndarray) -> Any:
        """The rows in the form it takes, a sequence; not timed."""
        return X

    def held(self) -> tuple[float, float]:
        """How often its 0.9 intervals or sets held the target, and the mean width of intervals; NaN if it has none."""
        return math.nan, math.nan

    def size(self) -> int:
        """Bytes of the learner as it is stored."""
        sink = Sink()
        pickle.dump(self.model, sink, protocol=5)
        return sink.size


class Sink:
    """A file that only counts: some forests take more memory than there is twice."""

    size = 0

    def write(self, data: Any) -> int:
        self.size += memoryview(data).nbytes
        return memoryview(data).nbytes


class RowByRow(Contestant):
    """A contestant that answers and learns one row at a time."""

    @abstractmethod
    def predict(self, row: Any) -> Answer:
        """The answer for one row."""

    @abstractmethod
    def learn(self, row: Any, label: Any) -> None:
        """Learn from one row."""

    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        for row, label in zip(rows, y, strict=True):
            said.append(self.predict(row))
            self.learn(row, label)


class Units:
    """Standardises targets on the fly, for peers that bring nothing of the kind and learn slowly on raw targets."""

    def __init__(self) -> None:
        self.rounds, self.mean, self.squares = 0, 0.0, 0.0

    @property
    def deviation(self) -> float:
        return math.sqrt(self.squares / self.rounds) if self.squares > 0 else 1.0

    def scaled(self, target: float) -> float:
        """In standard deviations from the mean, of all targets up to this one."""
        self.rounds += 1
        difference = target - self.mean
        self.mean += difference / self.rounds
        self.squares += difference * (target - self.mean)
        return (target - self.mean) / self.deviation

    def raw(self, answer: float) -> float:
        """Back."""
        return self.mean + self.deviation * answer


class Mean(RowByRow):
    """Answers with the mean of the targets so far."""

    def __init__(self) -> None:
        self.model = (0, 0.0)

    def predict(self, row: Any) -> Answer:
        return self.model[1] if self.model[0] else None

    def learn(self, row: Any, label: Any) -> None:
        rounds, mean = self.model
        self.model = rounds + 1, mean + (label - mean) / (rounds + 1)


class Mode(RowByRow):
    """Answers with the most frequent class so far."""

    def __init__(self) -> None:
        self.model = Counter()

    def predict(self, row: Any) -> Answer:
        return max(self.model, key=self.model.__getitem__, default=None)

    def learn(self, row: Any, label: Any) -> None:
        self.model[label] += 1


def constant(setting: Setting) -> Contestant:
    """What a model that ignores the inputs would say."""
    return Mode() if setting.classes else Mean()


class Last(RowByRow):
    """Answers with the label before: no change."""

    model: Any = None

    def predict(self, row: Any) -> Answer:
        return self.model

    def learn(self, row: Any, label: Any) -> None:
        self.model = label


def no_change(setting: Setting) -> Contestant:
    """What a model that ignores the inputs would say of a stream that stays as it is for a while."""
    return Last()
