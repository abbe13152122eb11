"""Vowpal Wabbit, fed with lines of its own text format."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from kernelpick.lab.compare.contestants import Answer, RowByRow, Setting, Units


class VowpalWabbit(RowByRow):
    """Default settings but for what the task needs.

    A line is asked about without its label, then learned with it. (Learning alone would also give an answer, but by
    then the label has already widened the range that answers are cut to.) A line that VW writes is made before the
    clock starts; reading it is a part of what VW does.
    """

    def __init__(self, setting: Setting) -> None:
        from vowpalwabbit import Workspace

        many = f"--oaa {setting.classes}" if setting.classes > 2 else "--loss_function logistic --binary"
        self.model = Workspace(f"--quiet {many if setting.classes else ''}")
        # Classes as VW writes them: -1 and 1 for two, else 1, 2, ...
        self._codes = {0: "-1", 1: "1"} if setting.classes == 2 else {k: str(k + 1) for k in range(setting.classes)}
        self._classes = {float(code): k for k, code in self._codes.items()}
        self._units = Units()

    def prepared(self, X: np.ndarray) -> Any:
        return ["| " + " ".join(f"{i}:{x!r}" for i, x in enumerate(row) if x) for row in X.tolist()]

    def predict(self, row: Any) -> Answer:
        answer = self.model.predict(row)
        return self._classes.get(answer) if self._classes else self._units.raw(answer)

    def learn(self, row: Any, label: Any) -> None:
        self.model.learn(f"{self._codes[label] if self._codes else self._units.scaled(label)} {row}")

    def size(self) -> int:
        """Of the file that VW saves a model to, with all it needs to go on learning; it cannot be pickled."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            self.model.save(str(path))
            return path.stat().st_size
