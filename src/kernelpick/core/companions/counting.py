"""Slopes, curvatures and rows of a leaf by the bins of a column: three numbers for each bin, to find splits by."""

from typing import Any

import numpy as np

from kernelpick.core.companions.trees import PLACE
from kernelpick.core.numerics.compilation import inner


@inner
def count(trees: Any, j: int, start: int, stop: int, into: int) -> None:
    """Of the rows start .. stop - 1 in the order of the tree that is grown, by its column j."""
    if trees.drawn[1, j] == 2:
        _count_two(trees, j, start, stop, into)
        return
    counts, rows, slopes, bins = trees.counts[into, j], trees.rows[0], trees.slopes[0], trees.bins[trees.drawn[0, j]]
    for b in range(3 * trees.drawn[1, j]):
        counts[b] = 0.0
    for i in range(start, stop):
        at = PLACE(i)
        b = 3 * int(bins[PLACE(rows[at])])
        counts[PLACE(b)] += slopes[0, at]
        counts[PLACE(b + 1)] += slopes[1, at]
        counts[PLACE(b + 2)] += 1.0


@inner
def _count_two(trees: Any, j: int, start: int, stop: int, into: int) -> None:
    """The same for two bins, 0 and 1, as indicators have: sums that stay in registers do not wait for what was just
    written, and products have no branch to mispredict."""
    counts, rows, slopes, bins = trees.counts, trees.rows[0], trees.slopes[0], trees.bins[trees.drawn[0, j]]
    g, h, n, above_g, above_h, above_n = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(start, stop):
        at = PLACE(i)
        above = float(bins[PLACE(rows[at])])
        slope, curvature = slopes[0, at], slopes[1, at]
        g += (1.0 - above) * slope
        h += (1.0 - above) * curvature
        n += 1.0 - above
        above_g += above * slope
        above_h += above * curvature
        above_n += above
    counts[into, j, 0], counts[into, j, 1], counts[into, j, 2] = g, h, n
    counts[into, j, 3], counts[into, j, 4], counts[into, j, 5] = above_g, above_h, above_n


@inner
def swap(counts: np.ndarray, one: int, other: int, j: int, bins: int) -> None:
    for b in range(3 * bins):
        counts[one, j, b], counts[other, j, b] = counts[other, j, b], counts[one, j, b]
