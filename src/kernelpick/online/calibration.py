"""Probabilities from one-vs-rest scores: p_k is proportional to sigmoid(f_k + b_k)^s.

The scale s is learned from what was said to each row before its label was used, so that it sees scores as they are for
new rows. One-vs-rest is timid with many classes, and s makes up for it; for two classes p = sigmoid(s f). The order of
the classes is that of their scores, so the class predicted is the most probable one.

The offset b_k is 0, but for a class that joins late. Its hypothesis starts at zero, which is high among scores that
have been pushed down for thousands of rows, and its steps are as short as theirs; the offset learns how rare the class
is from its first row on. It is part of what the model says.

Both take online Newton steps on the log loss. Their past fades over REMEMBERED rows; that of the scale at first over a
third of the rows so far, so that it follows scores which grow with what is learned.
"""

import math

import numpy as np

from kernelpick.core.numerics.compilation import compiled, inner
from kernelpick.core.record import LOSS, SAID
from kernelpick.online.coverage import LEVELS, USUAL, bound_at, count, follow, logarithm, merged_bounds, pace

# Lines of the table, whose first column is the scale and whose others are the offsets: what it is; the curvature
# behind it, 0 for an offset that is not learned; rows behind it.
VALUE, TRUST, ROWS = range(3)
LINES = 3
BOUNDS, WITHIN, SIGNS = range(3)  # lines of what is known of sets, see learn_scores
REMEMBERED = 1000.0  # rows
FIRM, LOOSE = 3.0, 0.25  # the curvature that a scale and an offset begin with, and have at least
LEAST, MOST = 1.0 / 64.0, 64.0  # scales
LARGEST_SCORE = 100.0  # scores and offsets count up to that


@compiled
def learn_scores(
    table: np.ndarray, sets: np.ndarray, record: np.ndarray, Y: np.ndarray, weights: np.ndarray, units: np.ndarray
) -> None:
    """Learn from the record of rounds, row by row; units (2, T, M) get the offsets of before each row as centers.

    sets (3, levels) are the bounds of coverage.py for the score 1 - p_y, how many rows were within them, and in the
    first places of the last line what the pace is set by.
    """
    outputs = Y.shape[1]
    for row in range(len(Y)):
        for m in range(outputs):
            units[0, row, m] = table[VALUE, 1 + m]
        if math.isfinite(record[row, LOSS]):  # others were passed over
            weight = weights[row] if len(weights) else 1.0
            rows = table[ROWS, 0]
            other = _scale(table, record, Y, row, weight)
            score = (rows * other + 1.0 - 1.0 / max(outputs, 2)) / (rows + 1.0)  # see softened
            step = pace(sets[SIGNS], logarithm(score) > sets[BOUNDS, USUAL], rows + 1.0)
            count(sets[WITHIN], sets[BOUNDS], logarithm(score))
            follow(sets[BOUNDS], logarithm(score), step)
            for m in range(outputs):
                if table[TRUST, 1 + m] > 0.0:
                    _offset(table, 1 + m, _score(table, record, row, m), Y[row, m], weight)


@inner
def _score(table: np.ndarray, record: np.ndarray, row: int, m: int) -> float:
    return min(max(record[row, SAID + m] + table[VALUE, 1 + m], -LARGEST_SCORE), LARGEST_SCORE)


@inner
def _sigmoid(f: float) -> float:
    e = math.exp(-abs(f))
    return (1.0 if f > 0.0 else e) / (1.0 + e)


@inner
def _log_sigmoid(f: float) -> float:
    return min(f, 0.0) - math.log1p(math.exp(-abs(f)))


@inner
def _step(table: np.ndarray, k: int, slope: float, curvature: float, memory: float, least: float) -> float:
    """The online Newton step against a slope, where the rows before fade over so many."""
    table[ROWS, k] += 1.0
    table[TRUST, k] = max((1.0 - 1.0 / memory) * table[TRUST, k] + curvature, least)
    return -slope / table[TRUST, k]


@inner
def _scale(table: np.ndarray, record: np.ndarray, Y: np.ndarray, row: int, weight: float) -> float:
    """A step of s; the probability 1 - p_y that the label was not given.

    With g = log sigmoid(f) and p as s has it, the log loss has the slope E_p g - g_y and the curvature Var_p g.

    The squared slope is the curvature on average. Half of each: a row that is a surprise has hardly any curvature.
    """
    outputs, s = Y.shape[1], table[VALUE, 0]
    if outputs == 1:
        f = _score(table, record, row, 0)
        other = _sigmoid(-s * Y[row, 0] * f)  # the probability of the label that it is not
        slope, curvature = -Y[row, 0] * f * other, f * f * other * (1.0 - other)
    else:
        top = -LARGEST_SCORE
        for m in range(outputs):
            top = max(top, _score(table, record, row, m))
        best, truth, other = _log_sigmoid(top), 0.0, 0.0
        total, first, second = 0.0, 0.0, 0.0  # of exp(s (g - best)), times g, times g squared
        for m in range(outputs):
            g = _log_sigmoid(_score(table, record, row, m))
            share = math.exp(s * (g - best))
            total, first, second = total + share, first + share * g, second + share * g * g
            if Y[row, m] > 0.0:
                truth = g
            else:
                other += share
        other /= total
        slope, curvature = first / total - truth, max(second / total - (first / total) ** 2, 0.0)
    memory = min(REMEMBERED, 4.0 + table[ROWS, 0] / 3.0)
    new = s + _step(table, 0, weight * slope, 0.5 * weight * (curvature + slope * slope), memory, FIRM)
    table[VALUE, 0] = min(max(new, 0.5 * s, LEAST), 2.0 * s, MOST)
    return other


@inner
def _offset(table: np.ndarray, k: int, f: float, y: float, weight: float) -> None:
    """A step on the logistic loss of one output, f being its score with the offset.

    The row that brings a class says nothing of how often it comes.
    """
    if table[ROWS, k] == 0.0 and y > 0.0:
        table[ROWS, k] = 1.0
        return
    other = _sigmoid(-y * f)
    curvature = max(other, 1.0 - other) * other
    new = table[VALUE, k] + _step(table, k, -weight * y * other, weight * curvature, REMEMBERED, LOOSE)
    table[VALUE, k] = min(max(new, -LARGEST_SCORE), LARGEST_SCORE)


class Calibration:
    """The scale and the offsets of a model, and how far sets of classes reach."""

    def __init__(self, n_outputs: int) -> None:
        self.table = np.zeros((LINES, 1 + n_outputs))
        self.table[:2, 0] = 1.0, FIRM
        self.sets = np.zeros((3, len(LEVELS)))
        self.shifts = False  # whether there are offsets

    @property
    def scale(self) -> float:
        return float(self.table[VALUE, 0])

    @property
    def rows(self) -> float:
        """How many it has learned from."""
        return float(self.table[ROWS, 0])

    @property
    def offsets(self) -> np.ndarray:
        """(M,)"""
        return self.table[VALUE, 1:]

    def softened(self, chances: np.ndarray) -> np.ndarray:
        """Probabilities (T, classes), as if one more row had come that was of all classes alike: none is ever 1."""
        rows = self.table[ROWS, 0]
        return np.asarray((rows * chances + 1.0 / chances.shape[1]) / (rows + 1.0))

    def members(self, chances: np.ndarray, confidence: float) -> np.ndarray:
        """(T, classes) which classes belong to the set that holds the label with that confidence."""
        if self.table[ROWS, 0] == 0.0:
            return np.ones(chances.shape, dtype=bool)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(1.0 - chances) <= bound_at(self.sets[BOUNDS], confidence))

    def merged(self, others: "list[Calibration]", rows: list[int]) -> "Calibration":
        """Scale and offsets by the curvatures behind them, of which what they began with counts once; bounds of sets by
        the rows behind them."""
        every, whole = [self, *others], Calibration(self.table.shape[1] - 1)
        for k, (start, firm) in enumerate([(1.0, FIRM), *[(0.0, LOOSE)] * (self.table.shape[1] - 1)]):
            known = [one.table[:, k] for one in every if one.table[TRUST, k] > 0.0]
            if known:
                trust = firm + sum(column[TRUST] - firm for column in known)
                pull = sum(column[TRUST] * column[VALUE] - firm * start for column in known)
                whole.table[VALUE, k], whole.table[TRUST, k] = (firm * start + pull) / trust, trust
            whole.table[ROWS, k] = sum(one.table[ROWS, k] for one in every)
        whole.table[VALUE, 0] = min(max(whole.table[VALUE, 0], LEAST), MOST)
        whole.sets[:] = merged_bounds([one.sets for one in every], [one.rows for one in every])
        whole.sets[WITHIN] = np.sum([one.sets[WITHIN] for one in every], axis=0)
        whole.shifts = any(one.shifts for one in every)
        return whole

    def remap(self, sources: list[int], late: bool) -> None:
        """Outputs change their places; a new one may be late."""
        old, self.table = self.table, np.zeros((LINES, 1 + len(sources)))
        self.table[:, 0] = old[:, 0]
        for m, source in enumerate(sources):
            self.table[:, 1 + m] = old[:, 1 + source] if source >= 0 else (0.0, LOOSE * late, 0.0)
        self.shifts = bool(self.table[TRUST, 1:].any())


def restored(table: np.ndarray, sets: np.ndarray, n_outputs: int) -> Calibration:
    """From arrays of a file, if they can be those."""
    calibration = Calibration(n_outputs)
    if table.shape != calibration.table.shape or table.dtype != calibration.table.dtype:
        raise ValueError(f"the calibration is {table.dtype}{table.shape}, not float64{calibration.table.shape}")
    sound = np.isfinite(table).all() and (table[TRUST:] >= 0.0).all() and table[TRUST, 0] >= FIRM
    late = table[TRUST, 1:] > 0.0
    sound = sound and (abs(table[VALUE]) <= LARGEST_SCORE).all() and not table[VALUE, 1:][~late].any()
    if not (sound and LEAST <= table[VALUE, 0] <= MOST and not (n_outputs == 1 and late.any())):
        raise ValueError("the calibration has values that it can't have")
    if sets.shape != calibration.sets.shape or not np.isfinite(sets).all():
        raise ValueError("the bounds of sets of classes are wrong")
    calibration.table, calibration.sets, calibration.shifts = table.copy(), sets.copy(), bool(late.any())
    return calibration
