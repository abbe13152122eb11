"""Scaling on the fly, compiled: rows by what is known before each of them (statistics.py), which they then add to.

The loops are sequential, so that the result does not depend on how the rows are cut into calls.
"""

import math

import numpy as np

from kernelpick.core.numerics.compilation import compiled, fma, inner

# The lines of the table that says what is known of columns. They stand beside the compiled code that they become part
# of: the cache looks at this file.
FIRST, SECOND = 0, 1  # mean or smallest; squared deviations, largest or largest absolute
CENTER, SPREAD = 2, 3
SEEN, LEFT, WAIT = 4, 5, 6  # values that center and spread are made of; that will be; that a late column waits for
TOTAL, PRESENT = 7, 8  # sum and number of all values so far
LIMIT, OUT = 9, 10  # how many spreads from the center are out of range; how many values of this window were
LOW, HIGH, THIRD = 11, 12, 13  # of a late column: smallest and largest value, whether there is another one
KIND, FURTHEST = 14, 15  # how a column is scaled; what its scaled values are clipped to
LINES = 16

NOTHING, STANDARD, RANGE, LARGEST = range(4)
HUGE = 1e150  # beyond it squares overflow; inputs are read as at most that


@inner
def _value(table: np.ndarray, x: float, k: int) -> float:
    """x, or the mean so far where it is missing."""
    if math.isnan(x):
        return table[TOTAL, k] / table[PRESENT, k] if table[PRESENT, k] > 0.0 else 0.0
    return x


@inner
def _scaled(table: np.ndarray, x: float, k: int) -> float:
    if table[KIND, k] == NOTHING:
        return x
    if table[WAIT, k] > 0.0:
        return 0.0
    scaled = (min(max(x, -HUGE), HUGE) - table[CENTER, k]) / table[SPREAD, k]
    return min(max(scaled, -table[FURTHEST, k]), table[FURTHEST, k])


@inner
def _absorb(table: np.ndarray, x: float, k: int) -> None:
    """Center and spread of a column that is not frozen yet, with one more value."""
    table[SEEN, k] += 1.0
    table[LEFT, k] -= 1.0
    kind, n, first, second = table[KIND, k], table[SEEN, k], table[FIRST, k], table[SECOND, k]
    if kind == STANDARD:  # Welford's recursion
        before = x - first
        first += before / n
        second += before * (x - first)
        center, spread = first, math.sqrt(second / n)
    elif kind == RANGE:
        first = min(first, x) if n > 1.0 else x
        second = max(second, x) if n > 1.0 else x
        center, spread = 0.5 * (first + second), 0.5 * (second - first)
    else:
        second = max(second, abs(x))
        center, spread = 0.0, second
    table[FIRST, k], table[SECOND, k] = first, second
    table[CENTER, k] = center
    table[SPREAD, k] = spread if spread > 1e-12 * abs(center) else 1.0


@inner
def _wait(table: np.ndarray, x: float, k: int) -> None:
    """A late column comes nearer to being heard. One that is an indicator is divided by its range, as in a fit."""
    first = table[SEEN, k] == 1.0
    low, high = table[LOW, k], table[HIGH, k]
    if not first and low < high and x != low and x != high:
        table[THIRD, k] = 1.0
    table[LOW, k], table[HIGH, k] = x if first else min(low, x), x if first else max(high, x)
    table[WAIT, k] -= 1.0
    two = table[THIRD, k] == 0.0 and table[HIGH, k] > table[LOW, k]
    if two and table[KIND, k] == STANDARD and table[WAIT, k] == 0.0:
        table[SPREAD, k] = table[HIGH, k] - table[LOW, k]
        table[LEFT, k] = 0.0


@compiled
def scale_rows(table: np.ndarray, X: np.ndarray, out: np.ndarray) -> None:
    """out = the rows of X, scaled by what is known."""
    for row in range(len(X)):
        for k in range(X.shape[1]):
            out[row, k] = _scaled(table, _value(table, X[row, k], k), k)


@compiled
def count_rows(
    table: np.ndarray, X: np.ndarray, out: np.ndarray,
    targets: np.ndarray, Y: np.ndarray, scaled: np.ndarray, units: np.ndarray,
) -> int:  # fmt: skip
    """Rows X and targets Y, each scaled by what was known before it, and then counted; how many are out of range.

    out are the scaled rows; units (2, T, M) the centers and spreads that targets were scaled by.
    """
    strays = 0
    for row in range(len(X)):
        stray = False
        for k in range(X.shape[1]):
            stray |= _count(table, X[row, k], k, out[row])
        strays += stray
        for m in range(Y.shape[1]):
            units[0, row, m], units[1, row, m] = targets[CENTER, m], targets[SPREAD, m]
            scaled[row, m] = _scaled(targets, Y[row, m], m)
            if targets[LEFT, m] > 0.0:
                _absorb(targets, min(max(Y[row, m], -HUGE), HUGE), m)
    return strays


@inner
def _count(table: np.ndarray, x: float, k: int, out: np.ndarray) -> bool:
    """One value, scaled and then counted; True where it is out of range."""
    out[k] = _scaled(table, _value(table, x, k), k)
    if math.isnan(x):
        return False
    x = min(max(x, -HUGE), HUGE)
    table[TOTAL, k] += x
    table[PRESENT, k] += 1.0
    if table[LEFT, k] > 0.0:
        _absorb(table, x, k)
        if table[WAIT, k] > 0.0:
            _wait(table, x, k)
        return False
    if abs(x - table[CENTER, k]) <= table[LIMIT, k] * table[SPREAD, k]:
        return False
    table[OUT, k] += 1.0
    return True


@compiled
def to_units(values: np.ndarray, units: np.ndarray) -> None:
    """Scaled targets (T, M) back to where they came from, in place; units is (2, T, M), or (2, 1, M) for all."""
    for row in range(len(values)):
        at = row if units.shape[1] > 1 else 0
        for m in range(values.shape[1]):
            values[row, m] = fma(values[row, m], units[1, at, m], units[0, at, m])


@compiled
def add_losses(total: np.ndarray, losses: np.ndarray, units: np.ndarray, weights: np.ndarray, power: int) -> None:
    """Add weighted losses in units of the target to total[0], and as they are to total[1].

    One by one in the order of the rows: a fused operation, other than a plain sum, is not reordered for speed.
    """
    for row in range(len(losses)):
        weight = weights[row] if len(weights) else 1.0
        spread = units[1, row, 0]
        factor = spread * spread if power == 2 else spread
        total[0] = fma(losses[row], factor * weight, total[0])
        total[1] = fma(losses[row], weight, total[1])
