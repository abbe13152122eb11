"""Offline gradient boosting, fitted anew as the stream grows: a mark on the scale, as it keeps all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.lab.compare.contestants import Answer, Contestant, Setting, constant

FIRST = 64  # rows before the first fit; the next is at twice as many


class Boosting(Contestant):
    """scikit-learn's HistGradientBoosting on all rows so far, at rounds 64, 128, 256, ...

    Between two fits rows are answered together, which is faster and, the model being fixed, gives the same answers.
    Before the first fit, and as long as there is but one class, it answers with a constant.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting, self._before = setting, constant(setting)
        self._X: list[np.ndarray] = []
        self._y: list[Any] = []
        self._due = FIRST
        self.model: Any = None

    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        start = 0
        while start < len(y):
            stop = min(len(y), start + self._due - len(self._y))
            if self.model is None:
                self._before.answer_and_learn(rows[start:stop], y[start:stop], said)
            else:
                said.extend(self.model.predict(rows[start:stop]).tolist())
            self._X.append(rows[start:stop])
            self._y += y[start:stop]
            if len(self._y) == self._due:
                self._fit()
                self._due *= 2
            start = stop

    def _fit(self) -> None:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        if len(set(self._y)) > 1:
            kind = HistGradientBoostingClassifier if self._setting.classes else HistGradientBoostingRegressor
            self.model = kind(random_state=self._setting.seed).fit(np.concatenate(self._X), self._y)

    def size(self) -> int:
        """With the rows, which it needs for the next fit."""
        return super().size() + sum(block.nbytes for block in self._X) + 8 * len(self._y)
