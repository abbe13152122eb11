"""A stream that learns how far to trust what it says: probabilities (calibration.py) and intervals (intervals.py)."""

import math

import numpy as np

from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.online import classes
from kernelpick.online.accompanied import AccompaniedStream
from kernelpick.online.calibration import WITHIN, Calibration, learn_scores
from kernelpick.online.coverage import USUAL
from kernelpick.online.intervals import LOOKED, ROWS, WIDTH, Intervals
from kernelpick.online.plan import Plan
from kernelpick.online.target_scale import rate
from kernelpick.online.units import LARGEST_EXPONENT


class CalibratedStream(AccompaniedStream):
    """A calibration belongs to a state and begins with it; other losses, and models of older files, have none.

    Intervals are those of targets that are numbers. What is said to rows that were learned before is no measure for
    them; a calibration has to follow scores that grow with every pass.
    """

    calibration: Calibration | None = None
    intervals: Intervals | None = None
    again = False  # whether rows come that were learned before

    def __init__(self, plan: Plan) -> None:
        spec = plan.specification
        if spec.loss_row.name == "logistic":
            self.calibration = Calibration(spec.n_outputs)
        if not spec.loss_row.classifies:
            self.intervals = Intervals(spec.n_outputs, spec.n_inputs)
        super().__init__(plan)

    def chances(self, n_classes: int, values: np.ndarray) -> np.ndarray:
        """(T, classes) the probabilities of classes from what decide says; without kernels, from the targets so far."""
        if self.state is None and self.first is not None:
            return np.tile(classes.shares(n_classes, self.first.rows().Y), (len(values), 1))
        if self.calibration is None:
            return classes.probabilities(n_classes, values)
        return self.calibration.softened(classes.probabilities(n_classes, values, self.calibration.scale))

    @property
    def coverage(self) -> float:
        """The share of rows so far whose targets were within their 0.9 intervals, or labels in their sets."""
        within, rows = 0.0, 0.0
        if self.intervals is not None:
            within, rows = self.intervals.tally[:, USUAL].sum(), self.intervals.head[:, ROWS].sum()
        elif self.calibration is not None:
            within, rows = self.calibration.sets[WITHIN, USUAL], self.calibration.rows
        return float(within / rows) if rows else math.nan

    @property
    def width(self) -> float:
        """The mean width of 0.9 intervals so far, in units of the target; of several targets, the mean of theirs."""
        known = self.intervals is not None and self.intervals.head[0, LOOKED] > 0.0
        return float(self.intervals.head[:, WIDTH].mean()) if known else math.nan  # type: ignore[union-attr]

    def members(self, n_classes: int, values: np.ndarray, confidence: float) -> np.ndarray:
        """(T, classes) the classes that a row may be of with that confidence: all, as long as nothing is known."""
        chances = self.chances(n_classes, values)
        if self.state is None or self.calibration is None:
            return np.ones(chances.shape, dtype=bool)
        return self.calibration.members(chances, confidence)

    def interval(self, X: np.ndarray, confidence: float, drawn: bool = False) -> np.ndarray:
        """(T, M, 2) where targets lie with that confidence, in their units; anywhere, as long as nothing is known."""
        if self.state is None or self.intervals is None:
            return np.broadcast_to([-np.inf, np.inf], (len(X), self.spec.n_outputs, 2)).copy()
        scaled = self._scaled(X)
        said = self._decide(scaled, drawn)
        center, spread, smear, floor = self.targets.unit
        middle, reach = said * spread + center, self.intervals.reach(scaled, said, confidence)
        ends = np.stack([middle - reach, middle + reach], axis=2)
        is_log = smear[0] > 0.0
        ends[:, is_log] = np.exp(np.minimum(ends[:, is_log], LARGEST_EXPONENT))
        return np.maximum(ends, floor[:, :, None])

    def decide(self, X: np.ndarray, drawn: bool = False) -> np.ndarray:
        values = super().decide(X, drawn)
        if self.calibration is not None and self.calibration.shifts:
            values += self.calibration.offsets
        return values

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        if self.calibration is not None:
            self.calibration = Calibration(self.spec.n_outputs)
        super()._begin_with(rows, before, counts)

    def _count(self, rows: Rows, units: np.ndarray, outcome: Outcome, counts: bool) -> None:
        own, record = self.calibration, outcome.record
        if counts:
            self.said.add(outcome, rows.Y, units, rows.weights)
            if self.has_logs:
                rate(self.targets.table, record, rows.Y, units)
            if self.intervals is not None and not self.again:
                self.intervals.learn(rows.X, rows.Y, record, units)
        if own is not None:
            learn_scores(own.table, own.sets, record, rows.Y, rows.weights, units)
