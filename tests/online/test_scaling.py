"""Rows are scaled and counted several columns at a time where scales are steady, with the bits of the plain way."""

import math

import numpy as np
import pytest

from kernelpick.online import scaling
from kernelpick.online.scaling import (
    CENTER,
    FURTHEST,
    KIND,
    LARGEST,
    LEFT,
    LIMIT,
    LOG,
    NOTHING,
    OUT,
    RANGE,
    ROWS,
    SPREAD,
    STANDARD,
    TOTAL,
    WAIT,
)

MESSY = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e-310, 1e150, -1e151, 1.7e308, -1.7e308, math.inf, -math.inf, math.nan]
TARGETS = np.array([[0.0, 1.0, STANDARD, math.inf]]).T


def table_of(columns: int, rng: np.random.Generator) -> np.ndarray:
    table = np.zeros((scaling.LINES, columns))
    table[CENTER] = rng.choice([0.0, -0.0, 1.0, -3.0, 1e10], columns)
    table[SPREAD] = rng.choice([1.0, 2.0, 1e-300, 1e300, 5e-324], columns)
    table[KIND] = rng.choice([NOTHING, STANDARD, RANGE, LARGEST], columns)
    table[FURTHEST] = rng.choice([1.0, 5.0, math.inf], columns)
    table[LIMIT] = rng.choice([5.0, math.inf], columns)
    table[TOTAL], table[ROWS, 0] = rng.normal(size=columns), 7.0
    return table


def plainly(table: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, int]:
    """By the functions of a single column, which Python runs as they are written."""
    out, strays = np.empty_like(X), 0
    with np.errstate(all="ignore"):
        for row in range(len(X)):
            scaling._scale(table, X, row, out)
            strays += scaling._count(table, X, row)
    return out, strays


def compiled(table: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, int]:
    targets, Y = np.zeros((scaling.LINES, 1)), np.zeros((len(X), 1))
    targets[: len(TARGETS)] = TARGETS
    out = np.empty_like(X)
    with np.errstate(all="ignore"):  # of numbers, where there is no compiler
        strays = scaling.scale_and_count(table, X, out, targets, Y, np.empty_like(Y), np.empty((4, *Y.shape)))
    return out, int(strays)


@pytest.mark.parametrize("columns", [1, 3, 8, 17, 40])
@pytest.mark.parametrize("unsteady", [None, LEFT, WAIT, LOG])
def test_rows_are_counted_as_one_column_after_the_other(columns, unsteady):
    rng = np.random.default_rng(columns)
    for gaps in (0.0, 0.02):
        table, X = table_of(columns, rng), rng.normal(size=(60, columns)) * 10.0 ** rng.integers(-3, 4, (60, columns))
        messy = rng.random(X.shape) < 0.2
        X[messy] = rng.choice(MESSY[:-1], messy.sum())
        X[rng.random(X.shape) < gaps] = math.nan
        X[10], X[11] = 0.0, -0.0
        if unsteady == LOG:
            table[KIND, -1], table[scaling.LOW, -1] = LOG, 0.5
        elif unsteady is not None:
            table[LEFT, -1] = 9.0
            table[unsteady, -1] = 9.0
        other = table.copy()
        out, strays = plainly(table, X)
        ours, our_strays = compiled(other, X)
        assert (ours.tobytes(), our_strays, other.tobytes()) == (out.tobytes(), strays, table.tobytes())
        assert strays and (table[OUT] > 0.0).any() if unsteady is None and columns > 3 else True
