"""A stream whose scores of classes are calibrated, as it learns them (see calibration.py)."""

import numpy as np

from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.online import classes
from kernelpick.online.calibration import Calibration, learn_scores
from kernelpick.online.learning import Stream
from kernelpick.online.plan import Plan


class CalibratedStream(Stream):
    """A calibration belongs to a state and begins with it; other losses, and models of older files, have none."""

    calibration: Calibration | None = None

    def __init__(self, plan: Plan) -> None:
        if plan.specification.loss_row.name == "logistic":
            self.calibration = Calibration(plan.specification.n_outputs)
        super().__init__(plan)

    def chances(self, n_classes: int, values: np.ndarray) -> np.ndarray:
        """(T, classes) the probabilities of classes from what decide says; without kernels, from the targets so far."""
        targets = self.only_targets()
        if targets is not None:
            return np.tile(classes.shares(n_classes, targets), (len(values), 1))
        if self.calibration is None:
            return classes.probabilities(n_classes, values)
        return self.calibration.softened(classes.probabilities(n_classes, values, self.calibration.scale))

    def decide(self, X: np.ndarray, drawn: bool = False) -> np.ndarray:
        values = super().decide(X, drawn)
        if self.calibration is not None and self.calibration.shifts:
            values += self.calibration.offsets
        return values

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        if self.calibration is not None:
            self.calibration = Calibration(self.spec.n_outputs)
        super()._begin_with(rows, before, counts)

    def _play_rounds(
        self, rows: Rows, units: np.ndarray, record: np.ndarray | None = None, counts: bool = True
    ) -> Outcome:
        outcome = super()._play_rounds(rows, units, record, counts)
        if self.calibration is not None:
            learn_scores(self.calibration.table, outcome.record, rows.Y, rows.weights, units)
        return outcome
