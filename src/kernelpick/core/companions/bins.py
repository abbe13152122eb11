"""Columns in bins: thresholds that are not tried one by one. The bin of x is the number of edges below it.

Edges follow from some rows: between all values of a column if these are few, else at their quantiles.
"""

import math

import numpy as np

from kernelpick.core.numerics.compilation import inner

BINS = 64  # of a column, at most
EDGES = BINS - 1


@inner
def has_bins(edges: np.ndarray, column: int) -> bool:
    """Whether a column has been seen to have two values."""
    return edges[column, 0] < math.inf


@inner
def count_bins(edges: np.ndarray, column: int) -> int:
    return bin_of(edges, column, math.inf) + 1


@inner
def bin_of(edges: np.ndarray, column: int, x: float) -> int:
    """How many of the edges (columns, EDGES), which are ascending and infinite where there are no more, are below x."""
    at = 0
    for step in (32, 16, 8, 4, 2, 1):
        at += step if edges[column, at + step - 1] < x else 0
    return at


@inner
def set_edges(edges: np.ndarray, column: int, rows: np.ndarray, values: np.ndarray) -> bool:
    """Find the edges of a column by these rows; False where it has one value only. values (rows,) is scratch.

    Of q sorted values that differ, the edges lie between them; where these are more than BINS, between the values
    before and after the places 1/64, 2/64, ... of all rows.
    """
    n = len(rows)
    for i in range(n):
        values[i] = rows[i, column]
    _sort(values)
    distinct = 1
    for i in range(1, n):
        distinct += 1 if values[i] > values[i - 1] else 0
    if distinct == 1:
        return False
    count = 0
    for j in range(1, n if distinct <= BINS else BINS):
        at = j if distinct <= BINS else j * n // BINS
        edge = 0.5 * values[at - 1] + 0.5 * values[at]
        new = values[at] > values[at - 1] if distinct <= BINS else edge < values[n - 1]
        if new and (count == 0 or edge > edges[column, count - 1]):
            edges[column, count] = edge
            count += 1
    return count > 0


@inner
def _sort(values: np.ndarray) -> None:
    """In place (Shell, 1959): they are few, and code that is compiled is to be little."""
    gap = len(values) // 2
    while gap > 0:
        for i in range(gap, len(values)):
            x, j = values[i], i
            while j >= gap and values[j - gap] > x:
                values[j] = values[j - gap]
                j -= gap
            values[j] = x
        gap //= 2
