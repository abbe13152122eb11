"""Our algorithms, through their public estimators."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.core.losses import LOSSES
from kernelpick.core.specification import algorithm_of
from kernelpick.lab.compare.budgets import estimator
from kernelpick.lab.compare.contestants import Answer, Contestant, Setting


def check_task(algorithm: str, classifies: bool) -> None:
    """Refuse an algorithm of classifiers for a stream of numbers."""
    if not classifies:
        algorithm_of(algorithm).check_loss(LOSSES["square"], algorithm)


class Ours(Contestant):
    """An algorithm, which may have a time budget, fed in blocks: the bits are those of row by row."""

    warm = 2_112  # so that also what happens at row 1,000 (scaling freezes) and at 1,024 and 2,048 (rates) is compiled

    def __init__(self, algorithm: str, setting: Setting) -> None:
        self.model = estimator(algorithm, setting.classes, setting.seed)
        warnings.filterwarnings("ignore", "time_budget=")  # that a budget is capped: the table tells it
        # All labels that may come; without them the classifier would take them from the first block.
        self._first = {"classes": np.arange(setting.classes)} if setting.classes else {}

    def answer_and_learn(self, rows: Any, y: Sequence[Any], said: list[Answer]) -> None:
        said.extend(self.model.progressive_fit(rows, np.asarray(y), **self._first).tolist())
        self._first = {}

    def held(self) -> tuple[float, float]:
        return self.model.coverage_, getattr(self.model, "interval_width_", math.nan)
