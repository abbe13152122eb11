"""Our algorithms, through their public estimators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.core.losses import LOSSES
from kernelpick.core.specification import algorithm_of
from kernelpick.lab.compare.contestants import Answer, Contestant, Setting


def check_task(algorithm: str, classifies: bool) -> None:
    """Refuse an algorithm of classifiers for a stream of numbers."""
    if not classifies:
        algorithm_of(algorithm).check_loss(LOSSES["square"], algorithm)


class Ours(Contestant):
    """An algorithm with all other parameters at their defaults, fed in blocks: the bits are those of row by row.

    One that is made for a single loss has that.
    """

    warm = 2_112  # so that also what happens at row 1,000 (scaling freezes) and at 1,024 and 2,048 (rates) is compiled

    def __init__(self, algorithm: str, setting: Setting) -> None:
        from kernelpick.sklearn import KernelClassifier, KernelRegressor

        face, only = KernelClassifier if setting.classes else KernelRegressor, algorithm_of(algorithm).learner.only_loss
        self.model = face(algorithm, random_state=setting.seed, **({"loss": only} if only else {}))
        # All labels that may come; without them the classifier would take them from the first block.
        self._first = {"classes": np.arange(setting.classes)} if setting.classes else {}

    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        said.extend(self.model.progressive_fit(rows, np.asarray(y), **self._first).tolist())
        self._first = {}

    def held(self) -> tuple[float, float]:
        return self.model.coverage_, getattr(self.model, "interval_width_", math.nan)
