"""scikit-learn's random features with stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.lab.compare.contestants import Answer, Contestant, Setting, Units

TOGETHER = 64  # rows that are scaled and mapped together


class RandomFeatures(Contestant):
    """StandardScaler, RBFSampler, SGD.

    Rows are scaled and mapped in blocks, by the statistics of the rows before the block, since that is many times
    faster and needs no label; blocks are never larger than the number of rows seen. Answering and learning go row by
    row, as a block at a time would make every answer older.
    """

    def __init__(self, setting: Setting, gamma: float) -> None:
        from sklearn.kernel_approximation import RBFSampler
        from sklearn.linear_model import SGDClassifier, SGDRegressor
        from sklearn.preprocessing import StandardScaler

        seed = setting.seed
        sgd = SGDClassifier(loss="log_loss", random_state=seed) if setting.classes else SGDRegressor(random_state=seed)
        sampler = RBFSampler(gamma=gamma, random_state=seed).fit(np.zeros((1, setting.inputs)))
        self.model = StandardScaler(), sampler, sgd
        self._told = {"classes": np.arange(setting.classes)} if setting.classes else {}
        self._units = None if setting.classes else Units()
        self._seen = 0

    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        from sklearn import config_context

        X, labels, start = np.asarray(rows), np.asarray(y), 0
        with config_context(assume_finite=True, skip_parameter_validation=True):  # the faster, with the same numbers
            while start < len(X):
                stop = start + min(TOGETHER, max(self._seen, 1))
                self._answer_block(X[start:stop], labels[start:stop], said)
                start = stop

    def _answer_block(self, X: np.ndarray, y: np.ndarray, said: list[Answer]) -> None:
        (scaler, sampler, sgd), units = self.model, self._units
        mapped = sampler.transform(scaler.transform(X) if self._seen else np.zeros_like(X))
        for row in range(len(X)):
            one = slice(row, row + 1)
            answer = sgd.predict(mapped[one])[0].item() if self._seen else None
            said.append(units.raw(answer) if units and answer is not None else answer)
            label = [units.scaled(y[row])] if units else y[one]
            sgd.partial_fit(mapped[one], label, **self._told)
            self._seen += 1
        scaler.partial_fit(X)


def rbf(setting: Setting) -> RandomFeatures:
    """With the default width."""
    return RandomFeatures(setting, 1.0)


def rbf_scale(setting: Setting) -> RandomFeatures:
    """With a width that goes with the number of columns."""
    return RandomFeatures(setting, 1.0 / setting.inputs)
