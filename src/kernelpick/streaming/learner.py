"""An estimator at work on a stream: it speaks to each row, then hears its label."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kernelpick.budget.overruns import Overruns
from kernelpick.budget.planned import size_of as size_bought
from kernelpick.core.problem import DOUBLE
from kernelpick.sklearn import KernelClassifier, KernelRegressor
from kernelpick.sources.options import CLASSIFICATION
from kernelpick.streaming import checkpoint
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.score import Numbers, Score
from kernelpick.streaming.settings import size_of
from kernelpick.streaming.table import Glance, alarms_of, leader_of
from kernelpick.streaming.task import TEXTS, Targets, Task

Ends = Sequence[Any]  # lower and upper ends, or nothing


def estimator_for(task: Task, options: Any) -> Any:
    """A new one: rows without a label are predicted, classes are accepted as they come."""
    further = {
        "n_features": options.features, "forgetting": options.forgetting, "random_state": options.seed,
        "size": size_of(options), "missing_label": "skip", "time_budget": options.time_budget,
        "precision": options.precision or DOUBLE,
    }  # fmt: skip
    if task.name == CLASSIFICATION:
        return KernelClassifier(options.algorithm, loss=options.loss or "logistic", new_classes="accept", **further)
    return KernelRegressor(options.algorithm, loss=options.loss or "square", **further)


class Learner:
    """One model for all rows."""

    def __init__(self, estimator: Any, task: Task, score: Score, interval: float | None = None) -> None:
        self.estimator, self.task, self.score, self.interval = estimator, task, score, interval

    def say_and_learn(self, frame: Frame, targets: Targets) -> tuple[list[Any], Ends]:
        """As `spoken`; and it counts."""
        said, ends = spoken(self.estimator, self.task, frame, targets, self.interval)
        add(self.score, said, targets)
        return said, ends

    def glance(self) -> Glance:
        return Glance(leader_of(self.estimator), alarms_of(self.estimator))

    @property
    def n_learned(self) -> int:
        """Rows, with those that it had learned when the run began."""
        return 0 if self.estimator._model is None else int(self.estimator.n_rounds_)

    @property
    def overruns(self) -> Overruns:
        """How the time budget was kept by this process."""
        return self.estimator.overruns_  # type: ignore[no-any-return]

    @property
    def size(self) -> str | None:
        """What the budget has bought."""
        return None if self.estimator._model is None else size_bought(self.estimator)

    def write(self, position: Position, path: Path) -> None:
        checkpoint.write(self.estimator, position, path)

    def close(self) -> None:
        """There is nothing to close."""


def add(score: Score, said: Sequence[Any], targets: Targets) -> None:
    """Rows that have a label; something was said to all of them."""
    there = np.flatnonzero(~targets.missing).tolist()
    spoken, labels = [said[row] for row in there], targets.values[there]
    if isinstance(score, Numbers):
        score.add(np.array(spoken, dtype=np.float64), labels)
    else:
        score.add(spoken, labels.tolist())


def spoken(
    estimator: Any, task: Task, frame: Frame, targets: Targets, interval: float | None
) -> tuple[list[Any], Ends]:
    """What was said to each row before its label was used, None before there was any label; and the ends of
    intervals, where these are wanted."""
    start = 0
    if estimator._model is None:
        labelled = np.flatnonzero(~targets.missing)
        start = int(labelled[0]) if len(labelled) else len(frame)
    nothing = [None] * start
    if start == len(frame):
        return nothing, (nothing, nothing) if interval is not None else ()
    values, missing = targets.values[start:], targets.missing[start:]
    rows = frame.rows(slice(start, None)) if start else frame
    if interval is None:
        return nothing + _taught(estimator, task, rows, values, missing), ()
    said, lower, upper = _taught_one_by_one(estimator, task, rows, Targets(values, missing, {}), interval)
    return nothing + said, (nothing + lower, nothing + upper)


def _taught(estimator: Any, task: Task, rows: Frame, values: np.ndarray, missing: np.ndarray) -> list[Any]:
    first = estimator._model is None and task.name == CLASSIFICATION
    # The classes of a first call would be all that it has, which depends on the cut; so it is told of one.
    told = {"classes": values[:1]} if first else {}
    said = estimator.progressive_fit(rows, _labels(task, values, missing), **told)
    return list(np.asarray(said).tolist())


def _labels(task: Task, values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """As the estimators take them, None or NaN where there is none."""
    if values.dtype == np.float64 or task.kind == TEXTS or not missing.any():
        return values
    labels = values.astype(object)
    labels[missing] = None
    return labels


def _taught_one_by_one(
    estimator: Any, task: Task, rows: Frame, targets: Targets, interval: float
) -> tuple[list[Any], list[float], list[float]]:
    """The same with intervals: these are what was known before each row."""
    said, ends = [], []
    for row in range(len(rows)):
        one = slice(row, row + 1)
        if estimator._model is None:
            ends.append((-np.inf, np.inf))
        else:
            ends.append(estimator.predict_interval(rows.rows(one), interval, "drawn")[0].tolist())
        said += _taught(estimator, task, rows.rows(one), targets.values[one], targets.missing[one])
    return said, [low for low, _ in ends], [high for _, high in ends]
