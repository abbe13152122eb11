"""Scaling on the fly, compiled: rows by what is known before each of them (statistics.py), which they then add to.

The loops are sequential, so that the result does not depend on how the rows are cut into calls.
"""

import math

import numpy as np

from kernelpick.core.numerics.compilation import compiled, found_once, inner

# The lines of the table that says what is known of columns. They stand beside the compiled code that they become part
# of: the cache looks at this file.
CENTER, SPREAD, KIND, FURTHEST = range(4)  # and how it is scaled; what scaled values are clipped to
LEFT, WAIT = 4, 5  # values to come that center and spread are made of; that a late column waits for before it is heard
TOTAL, ABSENT, ROWS = 6, 7, 8  # sum of all values so far; rows without one; rows so far (in the first place alone)
LIMIT, OUT = 9, 10  # how many spreads from the center are out of range; how many values of this window were so
SEEN, FIRST, SECOND = 11, 12, 13  # values so far; mean or smallest; squared deviations, largest or largest absolute
LOW, HIGH, THIRD = 14, 15, 16  # of a late column: smallest and largest value, whether there is another one; what a
# logarithm is taken of is at least LOW
LINES = 17
# Of targets, which are never late nor absent: what the exponential is multiplied by, to be a mean; whether one was
# negative; the sum of y / exp(f) in this window, of so many rows.
SMEAR, NEGATIVE, RATIOS, RATED = HIGH, THIRD, TOTAL, ABSENT

NOTHING, STANDARD, RANGE, LARGEST, LOG = range(5)  # LOG: STANDARD, of the logarithm
ABSURD = 1e100  # targets beyond that many spreads
HUGE = 1e150  # beyond it squares overflow; inputs are read as at most that


@inner
def _value(table: np.ndarray, x: float, k: int) -> float:
    """x, or the mean so far where it is missing."""
    if math.isnan(x):
        present = table[ROWS, 0] - table[ABSENT, k]
        return table[TOTAL, k] / present if present > 0.0 else 0.0
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
    if kind == STANDARD or kind == LOG:  # Welford's recursion
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
    """A late input comes nearer to being heard.

    An indicator is divided by its range, as in a fit. One that is zero in most rows stays so, and is divided by its
    largest value. (While it waits, OUT counts its zeros.)
    """
    first = table[SEEN, k] == 1.0
    low, high = table[LOW, k], table[HIGH, k]
    if not first and low < high and x != low and x != high:
        table[THIRD, k] = 1.0
    table[LOW, k], table[HIGH, k] = x if first else min(low, x), x if first else max(high, x)
    table[WAIT, k] -= 1.0
    table[OUT, k] += x == 0.0
    if table[WAIT, k] > 0.0:
        return
    low, high, zeros = table[LOW, k], table[HIGH, k], table[OUT, k]
    table[OUT, k] = 0.0
    if table[KIND, k] == STANDARD and low < high:
        if 2.0 * zeros > table[SEEN, k]:
            table[CENTER, k], table[SPREAD, k], table[SECOND, k] = 0.0, max(-low, high), max(-low, high)
            table[KIND, k], table[FURTHEST, k] = LARGEST, 1.0
        elif table[THIRD, k] == 0.0:
            table[SPREAD, k], table[LEFT, k] = high - low, 0.0


@compiled
def scale_rows(table: np.ndarray, X: np.ndarray, out: np.ndarray) -> None:
    """out = the rows of X, scaled by what is known."""
    for row in range(len(X)):
        _scale(table, X, row, out)


@compiled
def scale_and_count(
    table: np.ndarray, X: np.ndarray, out: np.ndarray,
    targets: np.ndarray, Y: np.ndarray, scaled: np.ndarray, units: np.ndarray,
) -> int:  # fmt: skip
    """Rows X and targets Y, each scaled by what was known before it, and then counted; how many are out of range.

    out are the scaled rows; units (4, T, M) what targets were scaled by, see to_units.
    """
    strays, steady = 0, _is_steady(table)
    for row in range(len(X)):
        if steady and not _has_gaps(X, row):
            strays += _scale_and_count_steadily(table, X, row, out)
        else:
            _scale(table, X, row, out)
            strays += _count(table, X, row)
        for m in range(Y.shape[1]):
            y, is_log = Y[row, m], targets[KIND, m] == LOG
            units[0, row, m], units[1, row, m] = targets[CENTER, m], targets[SPREAD, m]
            units[2, row, m] = targets[SMEAR, m] if is_log else 0.0
            units[3, row, m] = 0.0 if targets[NEGATIVE, m] == 0.0 else -math.inf
            scaled[row, m] = _target(targets, y, m)
            if targets[LEFT, m] > 0.0 and math.isfinite(scaled[row, m]):  # else nothing is learned from it
                _absorb(targets, _logarithm(targets, y, m) if is_log else min(max(y, -HUGE), HUGE), m)
            if y < 0.0:
                targets[NEGATIVE, m] = 1.0
    return strays


_2, _3 = np.zeros((1, 1)), np.zeros((1, 1, 1))
count_rows = found_once(scale_and_count, _2, _2, _2, _2, _2, _2, _3)


@inner
def _scale(table: np.ndarray, X: np.ndarray, row: int, out: np.ndarray) -> None:
    """By itself it has no branches that matter, and is done for several columns at a time."""
    for k in range(X.shape[1]):
        out[row, k] = _scaled(table, _value(table, X[row, k], k), k)
    for k in range(X.shape[1]):
        if table[KIND, k] == LOG:
            out[row, k] = _scaled(table, _logarithm(table, _value(table, X[row, k], k), k), k)


@inner
def _logarithm(table: np.ndarray, x: float, k: int) -> float:
    """Of a value that may be smaller than all that were seen in the fit, or not even positive."""
    return math.log(max(x, table[LOW, k]))


@inner
def _count(table: np.ndarray, X: np.ndarray, row: int) -> bool:
    """Add a row to what is known; True where it is out of range."""
    stray = False
    for k in range(X.shape[1]):
        x = X[row, k]
        if x == 0.0 and table[CENTER, k] == 0.0 and (table[LEFT, k] == 0.0 or table[KIND, k] == LARGEST):
            continue  # most values of wide rows
        if math.isnan(x):
            table[ABSENT, k] += 1.0
            continue
        x = min(max(x, -HUGE), HUGE)
        table[TOTAL, k] += x
        if table[LEFT, k] > 0.0:
            _absorb(table, x, k)
            if table[WAIT, k] > 0.0:
                _wait(table, x, k)
        elif abs((_logarithm(table, x, k) if table[KIND, k] == LOG else x) - table[CENTER, k]) > (
            table[LIMIT, k] * table[SPREAD, k]
        ):
            table[OUT, k] += 1.0
            stray = True
    table[ROWS, 0] += 1.0
    return stray


@inner
def _is_steady(table: np.ndarray) -> bool:
    """Whether all scales are frozen and none is of a logarithm; no row changes that."""
    steady = True
    for k in range(table.shape[1]):
        steady &= (table[LEFT, k] == 0.0) & (table[WAIT, k] == 0.0) & (table[KIND, k] != LOG)
    return steady


@inner
def _has_gaps(X: np.ndarray, row: int) -> bool:
    gaps = False
    for k in range(X.shape[1]):
        gaps |= X[row, k] != X[row, k]
    return gaps


@inner
def _scale_and_count_steadily(table: np.ndarray, X: np.ndarray, row: int, out: np.ndarray) -> bool:
    """_scale and _count of a row without gaps where scales are steady: no branches, several columns at a time."""
    stray = False
    for k in range(X.shape[1]):
        x = min(max(X[row, k], -HUGE), HUGE)
        off, spread, furthest = x - table[CENTER, k], table[SPREAD, k], table[FURTHEST, k]
        is_out = abs(off) > table[LIMIT, k] * spread
        scaled = min(max(off / spread, -furthest), furthest)
        out[row, k] = X[row, k] if table[KIND, k] == NOTHING else scaled
        table[TOTAL, k] += x
        table[OUT, k] += is_out
        stray |= is_out
    table[ROWS, 0] += 1.0
    return stray


@inner
def _target(table: np.ndarray, y: float, m: int) -> float:
    """A target that is out of all proportion becomes infinite: nothing is learned from a loss that is not finite."""
    if table[KIND, m] == NOTHING:
        return y if abs(y) <= ABSURD else math.copysign(math.inf, y)
    if table[KIND, m] == LOG:
        y = _logarithm(table, min(y, HUGE), m)
    scaled = (y - table[CENTER, m]) / table[SPREAD, m]
    return scaled if abs(scaled) <= ABSURD else math.copysign(math.inf, scaled)


@compiled
def scale_targets(table: np.ndarray, Y: np.ndarray, out: np.ndarray) -> None:
    """out = the targets Y (T, M), scaled by what is known."""
    for row in range(len(Y)):
        for m in range(Y.shape[1]):
            out[row, m] = _target(table, Y[row, m], m)
