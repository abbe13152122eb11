"""The last rows, which trees are grown on: in a ring, in bins, with their targets and what the trees say to them."""

from typing import Any

import numpy as np

from kernelpick.core.companions.bins import bin_of, has_bins, set_edges
from kernelpick.core.companions.growing import COUNT, TREES
from kernelpick.core.numerics.compilation import inner

BEGIN = 512  # rows with which there are the first trees; so many are kept as they came, too
KEPT, LONGEST = 4096, 128  # rows that a tree is grown on, at most; and that may come meanwhile
RING = 16384  # rows that are kept: more than both together, for those who merge


@inner
def keep(
    trees: Any, bins: np.ndarray, at: int, X: np.ndarray, row: int, truth: np.ndarray, weight: float, said: np.ndarray
) -> None:
    """Put a row, whose bins are bins[:, at], into the ring; in a column without edges its bin is the first."""
    clock = trees.clock
    place, recently = clock[COUNT] % RING, clock[COUNT] % BEGIN
    for k in range(len(bins)):
        trees.recent[recently, k] = X[row, k]
        trees.bins[k, place] = bins[k, at]
    for m in range(len(truth)):
        trees.targets[m, place] = truth[m]
        trees.scores[m, place] = said[m] if clock[TREES] > 0 else 0.0
    trees.weights[place] = weight
    clock[COUNT] += 1


@inner
def set_edges_of(trees: Any, numbers: np.ndarray, first: int, last: int) -> None:
    """For the columns first .. last - 1 that have none yet; numbers are scratch."""
    for k in range(first, last):
        if not has_bins(trees.edges, k) and set_edges(trees.edges, k, trees.recent, numbers):
            write_bins(trees, k)


@inner
def write_bins(trees: Any, column: int) -> None:
    """Write the bins of a column that has just got edges. What it was before is not known any more: nothing."""
    count, usual = trees.clock[COUNT], bin_of(trees.edges, column, 0.0)
    for place in range(RING):
        trees.bins[column, place] = usual
    for i in range(count - BEGIN, count):
        trees.bins[column, i % RING] = bin_of(trees.edges, column, trees.recent[i % BEGIN, column])
