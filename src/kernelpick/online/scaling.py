"""Scaling on the fly: a row is scaled by statistics of the rows before it, which are frozen after FROZEN_AFTER rows.

They are frozen because stored examples and learned weights refer to inputs as they were scaled. A new scaling that
still moved after a million rows would make all of them stale. The loops are sequential, so that the result does not
depend on how the rows are cut into calls. Statistics that do not run are those of a fit (see preparation.py).
"""

import math
from typing import NamedTuple

import numpy as np

from kernelpick.core.numerics.compilation import compiled, fma, inner

FROZEN_AFTER = 1000  # rows
CLIPPED_AT = 5.0  # scaled inputs are clipped to +- this: a rare or wild column must not drown all others
WILD = 5.0  # a standard deviation that is more than so many times that of the middle half is not believed
HUGE = 1e150  # beyond it squares overflow; inputs are read as at most that

STANDARD, RANGE, LARGEST, NOTHING = range(4)
SCALES = {
    "standard": STANDARD,  # (x - mean) / standard deviation
    "range": RANGE,  # to [-1, 1]: (x - middle) / half of the range
    "maxabs": LARGEST,  # x / largest |x|, which keeps zeros: for sparse inputs
}


FIRST, SECOND, CENTER, SPREAD = range(4)  # rows of the table


class Statistics(NamedTuple):
    """What is known of some columns, and the center and spread that follow from it.

    Where there is nothing to scale the table is empty, and rows pass as they are. It is one array, since each one that
    is handed to compiled code costs time.
    """

    kind: int
    furthest: float  # scaled values are clipped to +- this
    running: bool  # whether rows are counted until all is frozen
    counted: np.ndarray  # (1,) rows, FROZEN_AFTER where nothing is counted any longer
    table: np.ndarray  # (4, d) mean or smallest; squared deviations, largest or largest absolute; center; spread

    @property
    def unit(self) -> np.ndarray:
        """(2, 1) center and spread of the only column; 0 and 1 where it is not scaled."""
        return self.table[CENTER:] if self.kind != NOTHING else np.array([[0.0], [1.0]])


def statistics(scale: str | None, columns: int, running: bool = True, furthest: float = CLIPPED_AT) -> Statistics:
    """Nothing is known yet: rows are left as they are, but for the clipping."""
    kind = NOTHING if scale is None else SCALES[scale]
    table = np.zeros((4, 0 if kind == NOTHING else columns))
    table[SPREAD] = 1.0
    return Statistics(kind, furthest, running, np.array([0 if running else FROZEN_AFTER]), table)


def widened(known: Statistics, columns: int) -> Statistics:
    """With new columns, as if they had been 0 in all rows so far."""
    if known.kind == NOTHING:
        return known
    table = np.zeros((4, columns))
    table[SPREAD] = 1.0
    table[:, : known.table.shape[1]] = known.table
    return known._replace(table=table)


def owned(known: Statistics) -> Statistics:
    """The same in arrays of its own."""
    return known._replace(counted=known.counted.copy(), table=known.table.copy())


def fitted(known: Statistics, X: np.ndarray) -> Statistics:
    """The statistics of the rows of X, for statistics that do not run.

    Where a few wild values make the standard deviation, it is bounded by that of the middle half of the rows: ordinary
    rows would all be the same otherwise.

    Columns with two values, or one, are indicators, and the "standard" scaling divides them by their range. Divided by
    its standard deviation, a rare one would reach far beyond all other columns in the few rows that have it.
    """
    if known.kind == NOTHING:
        return known
    X = np.clip(X, -HUGE, HUGE)
    low, high = X.min(0), X.max(0)
    if known.kind == STANDARD:
        center, spread = X.mean(0), X.std(0)
        lower, middle, upper = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
        usual = (upper - lower) / 1.349  # the standard deviation, if it were a normal distribution
        wild = (usual > 0) & (spread > WILD * usual)
        center, spread = np.where(wild, middle, center), np.where(wild, WILD * usual, spread)
        spread = np.where(((X == low) | (X == high)).all(0), high - low, spread)
    elif known.kind == RANGE:
        center, spread = 0.5 * (low + high), 0.5 * (high - low)
    else:
        center, spread = np.zeros(X.shape[1]), np.maximum(-low, high)
    table = known.table.copy()
    table[CENTER], table[SPREAD] = center, np.where(spread > 1e-12 * abs(center), spread, 1.0)
    return known._replace(table=table)


@inner
def _scaled(kind: int, furthest: float, table: np.ndarray, X: np.ndarray, row: int, out: np.ndarray) -> None:
    for k in range(X.shape[1]):
        if kind == NOTHING:
            out[row, k] = X[row, k]
        else:
            x = (min(max(X[row, k], -HUGE), HUGE) - table[CENTER, k]) / table[SPREAD, k]
            out[row, k] = min(max(x, -furthest), furthest)


@inner
def _absorb(kind: int, count: np.ndarray, table: np.ndarray, X: np.ndarray, row: int) -> None:
    """Count one more row, unless all is frozen."""
    if kind == NOTHING or count[0] >= FROZEN_AFTER:
        return
    count[0] += 1
    n = count[0]
    first, second = table[FIRST], table[SECOND]
    for k in range(X.shape[1]):
        x = min(max(X[row, k], -HUGE), HUGE)
        if kind == STANDARD:  # Welford's recursion
            before = x - first[k]
            first[k] += before / n
            second[k] += before * (x - first[k])
            center, spread = first[k], math.sqrt(second[k] / n)
        elif kind == RANGE:
            first[k] = min(first[k], x) if n > 1 else x
            second[k] = max(second[k], x) if n > 1 else x
            center, spread = 0.5 * (first[k] + second[k]), 0.5 * (second[k] - first[k])
        else:
            second[k] = max(second[k], abs(x))
            center, spread = 0.0, second[k]
        table[CENTER, k] = center
        table[SPREAD, k] = spread if spread > 1e-12 * abs(center) else 1.0


# The compiled functions take the fields of the statistics one by one: to unpack a named tuple takes a microsecond.


@compiled
def scale_rows(
    kind: int, furthest: float, running: bool, count: np.ndarray, table: np.ndarray, X: np.ndarray, out: np.ndarray
) -> None:
    """out = the rows of X, scaled by what is known."""
    for row in range(len(X)):
        _scaled(kind, furthest, table, X, row, out)


@compiled
def count_rows(
    kind: int, furthest: float, running: bool, count: np.ndarray, table: np.ndarray, X: np.ndarray, out: np.ndarray,
    units: np.ndarray,
) -> None:  # fmt: skip
    """out = the rows of X, each scaled by what was known before it; then it is counted, if the statistics run.

    units (2, T) become center and spread of what is one column if it is scaled; (2, 0) where nobody asks for them.
    """
    for row in range(len(X)):
        _scaled(kind, furthest, table, X, row, out)
        if units.shape[1] > 0:
            units[0, row], units[1, row] = 0.0, 1.0
            if kind != NOTHING:
                units[0, row], units[1, row] = table[CENTER, 0], table[SPREAD, 0]
        if running:
            _absorb(kind, count, table, X, row)


@compiled
def to_units(values: np.ndarray, units: np.ndarray) -> None:
    """Scaled targets (T, M) back to where they came from, in place; units is (2, T), or (2, 1) for all."""
    for row in range(len(values)):
        at = row if units.shape[1] > 1 else 0
        for m in range(values.shape[1]):
            values[row, m] = fma(values[row, m], units[1, at], units[0, at])


@compiled
def add_losses(total: np.ndarray, losses: np.ndarray, units: np.ndarray, weights: np.ndarray, power: int) -> None:
    """Add weighted losses in units of the target to total[0].

    One by one in the order of the rows: a fused operation, other than a plain sum, is not reordered for speed.
    """
    for row in range(len(losses)):
        factor = units[1, row] * units[1, row] if power == 2 else units[1, row]
        if len(weights):
            factor *= weights[row]
        total[0] = fma(losses[row], factor, total[0])
