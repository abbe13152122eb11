"""An estimator at work on a stream: it speaks to each row, then hears its label."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.sklearn import KernelClassifier, KernelRegressor
from kernelpick.sources.options import CLASSIFICATION
from kernelpick.streaming.frame import Frame
from kernelpick.streaming.score import Numbers, Score
from kernelpick.streaming.task import TEXTS, Targets, Task

Ends = Sequence[Any]  # lower and upper ends, or nothing


def estimator_for(task: Task, options: Any) -> Any:
    """A new one: rows without a label are predicted, classes are accepted as they come."""
    further = {"n_features": options.features, "forgetting": options.forgetting, "random_state": options.seed}
    if task.name == CLASSIFICATION:
        loss = options.loss or "logistic"
        return KernelClassifier(options.algorithm, loss=loss, new_classes="accept", missing_label="skip", **further)
    return KernelRegressor(options.algorithm, loss=options.loss or "square", missing_label="skip", **further)


class Learner:
    def __init__(self, estimator: Any, task: Task, score: Score, interval: float | None = None) -> None:
        self.estimator, self.task, self.score, self.interval = estimator, task, score, interval

    def play(self, frame: Frame, targets: Targets) -> tuple[list[Any], Ends]:
        """What was said to each row before its label was used, None before there was any label; and the ends of
        intervals, where these are wanted."""
        start = 0
        if self.estimator._model is None:
            labelled = np.flatnonzero(~targets.missing)
            start = int(labelled[0]) if len(labelled) else len(frame)
        nothing = [None] * start
        if start == len(frame):
            return nothing, (nothing, nothing) if self.interval is not None else ()
        values, missing = targets.values[start:], targets.missing[start:]
        rows = frame.rows(slice(start, None)) if start else frame
        ends: Ends = ()
        if self.interval is None:
            said = self._play(rows, values, missing)
        else:
            said, lower, upper = self._play_one_by_one(rows, values, missing)
            ends = (nothing + lower, nothing + upper)
        labelled = ~missing
        if isinstance(self.score, Numbers):
            self.score.add(said[labelled], values[labelled])
        else:
            self.score.add(said[labelled].tolist(), values[labelled].tolist())
        return nothing + said.tolist(), ends

    def _play(self, rows: Frame, values: np.ndarray, missing: np.ndarray) -> np.ndarray:
        labels = self._labels(values, missing)
        first = self.estimator._model is None and self.task.name == CLASSIFICATION
        # The classes of a first call would be all that it has, which depends on the cut; so it is told of one.
        told = {"classes": values[:1]} if first else {}
        said = self.estimator.progressive_fit(rows, labels, **told)
        return np.asarray(said)

    def _labels(self, values: np.ndarray, missing: np.ndarray) -> np.ndarray:
        """As the estimators take them, None or NaN where there is none."""
        if values.dtype == np.float64 or self.task.kind == TEXTS or not missing.any():
            return values
        labels = values.astype(object)
        labels[missing] = None
        return labels

    def _play_one_by_one(
        self, rows: Frame, values: np.ndarray, missing: np.ndarray
    ) -> tuple[np.ndarray, list[float], list[float]]:
        """The same with intervals: these are what was known before each row."""
        assert self.interval is not None
        said, ends = [], []
        for row in range(len(rows)):
            one = slice(row, row + 1)
            if self.estimator._model is None:
                ends.append((-np.inf, np.inf))
            else:
                ends.append(self.estimator.predict_interval(rows.rows(one), self.interval, "drawn")[0].tolist())
            said.append(self._play(rows.rows(one), values[one], missing[one]))
        return np.concatenate(said), [low for low, _ in ends], [high for _, high in ends]
