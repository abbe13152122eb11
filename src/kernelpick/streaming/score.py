"""How well it goes: what was said before each label was used, in units of the target, beside the simplest guess.

The sums go into the checkpoint, so their bits must not depend on how the stream was cut: all of them are taken row by
row, in one chain.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.sources.options import CLASSIFICATION
from kernelpick.streaming.task import Task


def chained(before: float, values: np.ndarray) -> float:
    """before + the first value + the second and so on, in this order."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.cumsum(np.concatenate([[before], values]))[-1])


class Numbers:
    """Of targets that are numbers; the simplest guess is the mean of the targets before."""

    measure = "mean absolute error"

    def __init__(self) -> None:
        self.rows = 0
        self.wrong, self.squares, self.guess, self.total = 0.0, 0.0, 0.0, 0.0

    def add(self, said: np.ndarray, targets: np.ndarray) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            off = np.abs(said - targets)
            self.wrong, self.squares = chained(self.wrong, off), chained(self.squares, off * off)
            totals = np.cumsum(np.concatenate([[self.total], targets]))
            means = totals[:-1] / np.maximum(np.arange(self.rows, self.rows + len(targets)), 1)
            self.guess = chained(self.guess, np.abs(means - targets))
            self.total = float(totals[-1])
        self.rows += len(targets)

    def errors(self) -> dict[str, float]:
        """What a line of JSON has at the end."""
        return {"rmse": (self.squares / max(self.rows, 1)) ** 0.5}

    def packed(self) -> dict[str, Any]:
        """JSON has no infinity."""
        sums = {name: repr(getattr(self, name)) for name in ("wrong", "squares", "guess", "total")}
        return {"rows": self.rows, **sums}

    def restore(self, packed: dict[str, Any]) -> None:
        self.rows = int(packed["rows"])
        for name in ("wrong", "squares", "guess", "total"):
            setattr(self, name, float(packed[name]))

    def include(self, other: "Numbers") -> None:
        """What another has counted, of other rows."""
        for name in ("rows", "wrong", "squares", "guess", "total"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Classes:
    """Of classes; the simplest guess is the one that was most frequent so far, the first of those that were."""

    measure = "share of wrong labels"

    def __init__(self) -> None:
        self.rows = 0
        self.wrong, self.guess = 0, 0
        self.counts: dict[Any, int] = {}
        self._usual: Any = None

    def add(self, said: Sequence[Any], labels: Sequence[Any]) -> None:
        counts, usual, guess = self.counts, self._usual, self.guess
        for label in labels:
            guess += label != usual
            now = counts[label] = counts.get(label, 0) + 1
            if label != usual and now > counts.get(usual, 0):
                usual = label
        self._usual, self.guess = usual, guess
        self.wrong += sum(one != other for one, other in zip(said, labels, strict=True))
        self.rows += len(labels)

    def errors(self) -> dict[str, float]:
        return {"accuracy": 1.0 - self.wrong / max(self.rows, 1)}

    def packed(self) -> dict[str, Any]:
        counts = [[label, count] for label, count in self.counts.items()]
        usual = self._usual
        return {"rows": self.rows, "wrong": self.wrong, "guess": self.guess, "counts": counts, "usual": usual}

    def restore(self, packed: dict[str, Any]) -> None:
        self.rows, self.wrong, self.guess = (int(packed[name]) for name in ("rows", "wrong", "guess"))
        self.counts, self._usual = {label: int(count) for label, count in packed["counts"]}, packed["usual"]

    def include(self, other: "Classes") -> None:
        """What another has counted, of other rows."""
        self.rows, self.wrong, self.guess = self.rows + other.rows, self.wrong + other.wrong, self.guess + other.guess
        for label, count in other.counts.items():
            self.counts[label] = self.counts.get(label, 0) + count
        self._usual = max(self.counts, key=self.counts.__getitem__, default=None)


Score = Numbers | Classes


def score_for(task: Task, packed: dict[str, Any] | None = None) -> Score:
    """A new one, or what was packed."""
    score: Score = Classes() if task.name == CLASSIFICATION else Numbers()
    if packed is not None:
        score.restore(packed)
    return score


def mean(total: float, rows: int) -> float:
    """NaN where there is none."""
    return total / rows if rows else float("nan")
