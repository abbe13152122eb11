"""Our algorithms, through their public estimators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.lab.compare.contestants import Answer, Contestant, Setting


class Ours(Contestant):
    """An algorithm with all other parameters at their defaults, fed in blocks: the bits are those of row by row."""

    warm = 2_112  # so that also what happens at row 1,000 (scaling freezes) and at 1,024 and 2,048 (rates) is compiled

    def __init__(self, algorithm: str, setting: Setting) -> None:
        from kernelpick.sklearn import KernelClassifier, KernelRegressor

        face = KernelClassifier if setting.classes else KernelRegressor
        self.model = face(algorithm, random_state=setting.seed)
        # All labels that may come; without them the classifier would take them from the first block.
        self._first = {"classes": np.arange(setting.classes)} if setting.classes else {}

    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        said.extend(self.model.progressive_fit(rows, np.asarray(y), **self._first).tolist())
        self._first = {}
