"""What is known of the columns of a stream, as one table, and the center and spread that follow from it.

A row is scaled by what the rows before it say. Centers and spreads are frozen at some time, because stored examples and
learned weights refer to inputs as they were scaled; when, a column knows itself (LEFT). A column that comes late is
heard when enough of its own values are known (WAIT). The mean of all values so far, which takes the place of a missing
one, is never frozen.
"""

from typing import Any, NamedTuple

import numpy as np

from kernelpick.online.scaling import (
    ABSENT,
    CENTER,
    FURTHEST,
    HUGE,
    KIND,
    LARGEST,
    LEFT,
    LIMIT,
    LINES,
    LOG,
    LOW,
    NEGATIVE,
    NOTHING,
    OUT,
    RANGE,
    ROWS,
    SECOND,
    SMEAR,
    SPREAD,
    STANDARD,
    TOTAL,
    WAIT,
)

FROZEN_AFTER = 1000  # rows
CLIPPED_AT = 5.0  # scaled inputs are clipped to +- this: a rare or wild column must not drown all others
WILD = 5.0  # a standard deviation that is more than so many times that of the middle half is not believed
LATE_ROWS = 32  # values that a late column is scaled by
MANY = 1000  # columns; more of them are taken to be words or the like
SKEWED = 1.3  # a column whose mean is more than so many times its median
FEWEST_FOR_LOGARITHMS = 64  # rows
BEYOND = 5.0  # a value further from the center than so many spreads is out of range

SCALES = {
    "standard": STANDARD,  # (x - mean) / standard deviation
    "range": RANGE,  # to [-1, 1]: (x - middle) / half of the range
    "maxabs": LARGEST,  # x / largest |x|, which keeps zeros: for sparse inputs
}


class Statistics(NamedTuple):
    """Compiled code takes the table alone: each argument that is handed to it costs time."""

    kind: int
    furthest: float  # scaled values are clipped to +- this
    running: bool  # whether values are counted from the first row on; else scales are those of a fit
    table: np.ndarray  # (LINES, d)

    @property
    def unit(self) -> np.ndarray:
        """(4, 1, M) of targets, for to_units."""
        table = self.table
        smear = np.where(table[KIND] == LOG, table[SMEAR], 0.0)
        floor = np.where(table[NEGATIVE] == 0.0, 0.0, -np.inf)
        return np.stack([table[CENTER], table[SPREAD], smear, floor])[:, None]


def statistics(scale: str | None, columns: int, running: bool = True, furthest: float = CLIPPED_AT) -> Statistics:
    """Nothing is known yet: rows are left as they are, but for the clipping."""
    kind = NOTHING if scale is None else SCALES[scale]
    known = Statistics(kind, furthest, running, np.zeros((LINES, 0)))
    return widened(known, columns)


def of_labels(known: Statistics, outputs: int) -> Statistics:
    """The same for so many outputs, where these are labels, which are left as they are."""
    new = statistics(None, outputs, known.running, known.furthest)
    new.table[NEGATIVE] = 1.0
    return new


def widened(known: Statistics, columns: int) -> Statistics:
    """With room for more columns, which are left as they are."""
    table = np.zeros((LINES, columns))
    table[SPREAD] = 1.0
    table[LEFT] = FROZEN_AFTER if known.running and known.kind != NOTHING else 0.0
    table[LIMIT] = BEYOND if known.kind != NOTHING else np.inf
    table[KIND], table[FURTHEST] = known.kind, known.furthest
    table[:, : known.table.shape[1]] = known.table
    return known._replace(table=table)


def born_late(known: Statistics, columns: list[int]) -> None:
    """These columns come after the others: they are heard when there are enough values to scale them by."""
    known.table[ABSENT, columns] = known.table[ROWS, 0]
    if known.kind != NOTHING:
        known.table[WAIT, columns] = LATE_ROWS
        known.table[LEFT, columns] = FROZEN_AFTER if known.running else LATE_ROWS


def left_alone(known: Statistics, columns: list[int]) -> None:
    """These columns are made of zeros and ones, or points on a circle, and need no scaling."""
    known.table[LEFT, columns] = 0.0
    known.table[KIND, columns] = NOTHING


def never_out(known: Statistics, columns: list[int]) -> None:
    """These columns are clocks, which go on for ever: that is no change of range."""
    known.table[LIMIT, columns] = np.inf


def nothing_out(known: Statistics) -> None:
    """A window begins; of columns that are not heard yet something else is counted."""
    known.table[OUT, known.table[WAIT] == 0.0] = 0.0


def renewed(known: Statistics) -> Statistics:
    """As before the first row, for statistics that run; the means so far stay, and what is made or a clock does."""
    fresh = widened(known._replace(table=np.zeros((LINES, 0))), known.table.shape[1])
    for line in (TOTAL, ABSENT, ROWS, LIMIT, NEGATIVE):
        fresh.table[line] = known.table[line]
    left_alone(fresh, np.flatnonzero(known.table[KIND] == NOTHING).tolist())
    return fresh


def frozen(known: Statistics) -> Statistics:
    """Scales as they are, for good, and nothing counted; the mean so far, for missing values, counts as one row."""
    known = owned(known)
    table = known.table
    present = table[ROWS, 0] - table[ABSENT]
    table[TOTAL] = np.where(present > 0.0, table[TOTAL] / np.maximum(present, 1.0), 0.0)
    table[ROWS, 0] = min(table[ROWS, 0], 1.0)  # those of targets are not counted
    table[ABSENT] = table[LEFT] = table[WAIT] = table[OUT] = 0.0
    return known


def merged(every: list[Statistics], rows: list[int], names: Any, are_targets: bool = False) -> Statistics:
    """Of several models with the same scales: sums add up. names: what columns are called."""
    whole, first = owned(every[0]), every[0].table
    sums = [TOTAL, ABSENT, ROWS]
    own = [*sums, OUT, *([SMEAR, NEGATIVE] if are_targets else [])]
    for one in every[1:]:
        differ = np.delete(one.table != first, own, axis=0).any(axis=0)
        if differ.any():
            what = "target" if are_targets else "column"
            raise ValueError(
                f"The {what} {names[int(differ.argmax())]!r} has other scales in some of the models, so they can't be "
                "merged: shards begin as blanks of one model."
            )
    for line in sums:
        whole.table[line] = np.sum([one.table[line] for one in every], axis=0)
    whole.table[OUT] = 0.0
    if are_targets:
        whole.table[SMEAR] = np.average([one.table[SMEAR] for one in every], axis=0, weights=rows)
        whole.table[NEGATIVE] = np.max([one.table[NEGATIVE] for one in every], axis=0)
    return whole


def owned(known: Statistics) -> Statistics:
    """The same in an array of its own."""
    return known._replace(table=known.table.copy())


def fitted(known: Statistics, X: np.ndarray, Y: np.ndarray | None = None) -> Statistics:
    """With centers and spreads of the rows of X, for statistics that do not run.

    Where a few wild values make the standard deviation, it is bounded by that of the middle half of the rows: ordinary
    rows would all be the same otherwise.

    Columns with two values, or one, are indicators, and the "standard" scaling divides them by their range. Divided by
    its standard deviation, a rare one would reach far beyond all other columns in the few rows that have it. Where
    there are many columns, zeros of those that are zero in most rows stay what they are.

    A column that came late and has few values yet goes on waiting for more: gaps do not tell how far these reach.
    """
    if known.kind == NOTHING:
        return known
    waits = np.flatnonzero((known.table[WAIT] > 0.0) & (2 * (LATE_ROWS - known.table[WAIT]) < len(X)))
    some = np.array_split(X, -(-X.shape[1] // MANY), axis=1)  # none alone, whose rows would be added in another order
    parts = [_center_and_spread(known.kind, columns) for columns in some]
    center, spread, largest = map(np.concatenate, zip(*parts, strict=True))
    before, table = known.table, known.table.copy()
    table[CENTER], table[SPREAD] = center, np.where(spread > 1e-12 * abs(center), spread, 1.0)
    table[LEFT] = table[WAIT] = table[OUT] = 0.0
    scales = table[KIND] != NOTHING
    table[KIND, scales], table[FURTHEST, scales] = known.kind, known.furthest
    known = known._replace(table=table)
    if known.kind == STANDARD and Y is not None and not scales.all():
        _take_logarithms(known, X, Y)
    if known.kind == STANDARD and X.shape[1] > MANY:
        _spare_zeros(known, np.flatnonzero(2 * (X != 0).sum(0) < len(X)), largest)
    table[:, waits] = before[:, waits]
    return known


def _center_and_spread(kind: int, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of some columns, and their largest absolute values; many columns are taken in parts, which bounds the memory."""
    X = np.clip(X, -HUGE, HUGE)
    low, high = X.min(0), X.max(0)
    if kind == RANGE:
        return 0.5 * (low + high), 0.5 * (high - low), np.maximum(-low, high)
    if kind == LARGEST:
        return np.zeros(X.shape[1]), np.maximum(-low, high), np.maximum(-low, high)
    center, spread = X.mean(0), X.std(0)
    lower, middle, upper = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    usual = (upper - lower) / 1.349  # the standard deviation, if it were a normal distribution
    wild = (usual > 0) & (spread > WILD * usual)
    center, spread = np.where(wild, middle, center), np.where(wild, WILD * usual, spread)
    return center, np.where(((X == low) | (X == high)).all(0), high - low, spread), np.maximum(-low, high)


def _take_logarithms(known: Statistics, X: np.ndarray, Y: np.ndarray) -> None:
    """In tables that are not all numbers: of columns that are positive and skewed, if targets follow them more closely.

    Arrays of numbers are left as they are: who prepares them has taken logarithms already.
    """
    if len(X) < FEWEST_FOR_LOGARITHMS:
        return
    table = known.table
    for k in np.flatnonzero((table[KIND] == STANDARD) & (X > 0).all(0) & (X.mean(0) > SKEWED * np.median(X, axis=0))):
        logarithms = np.log(X[:, k])
        if _agreement(logarithms, Y) > _agreement(X[:, k], Y):
            table[KIND, k], table[LOW, k] = LOG, 0.5 * X[:, k].min()
            table[CENTER, k], table[SPREAD, k] = logarithms.mean(), logarithms.std()


def _agreement(x: np.ndarray, Y: np.ndarray) -> float:
    """The sum of squared correlations with all targets."""
    x = (x - x.mean()) / max(x.std(), 1e-300)
    Y = (Y - Y.mean(0)) / np.maximum(Y.std(0), 1e-300)
    return float(((x @ Y / len(x)) ** 2).sum())


def _spare_zeros(known: Statistics, rare: np.ndarray, largest: np.ndarray) -> None:
    """Columns that are zero in most rows stay so, and are divided by their largest value, which may still grow.

    A value that is larger than all before, as the first one is, reads as 1.
    """
    table, tiny = known.table, np.finfo(float).tiny
    table[CENTER, rare], table[SPREAD, rare], table[SECOND, rare] = 0.0, np.maximum(largest[rare], tiny), largest[rare]
    table[KIND, rare], table[FURTHEST, rare], table[LEFT, rare] = LARGEST, 1.0, FROZEN_AFTER
