"""Slopes, curvatures and rows of a leaf by the bins of a column: three numbers for each bin, to find splits by.

Half as many leaves as a tree has are counted at a time: with k leaves there are 32 - k splits to come, and the parts of
the last one are not counted. So there is a place for every leaf whose counts are still asked for.
"""

from typing import Any

from kernelpick.core.companions.trees import LEAVES, PLACE
from kernelpick.core.numerics.compilation import inner

COUNTED = LEAVES // 2
FEWEST = 10  # rows of a leaf
MORE = 1.0 + 1e-9  # times the gain of another split: what only rounding tells apart is alike, and the first is taken
DRAWN, WIDE, THREES = range(3)  # of a column that a tree may take: itself, its bins, and where their counts begin
# of a leaf: its rows; where it hangs; its best split; the place of its counts, -1 if they are given up
START, LENGTH, PARENT, SIDE, BEST, UP_TO, COUNTS = range(7)
GAIN, SLOPE, CURVATURE = range(3)  # of a leaf, too: what its best split gains, and sums of its rows


@inner
def count(trees: Any, j: int, start: int, stop: int, into: int) -> None:
    """Of the rows start .. stop - 1 in the order of the tree that is grown, by its column j."""
    if trees.drawn[WIDE, j] == 2:
        _count_two(trees, j, start, stop, into)
        return
    counts, first = trees.counts[into], trees.drawn[THREES, j]
    rows, slopes, bins = trees.rows[0], trees.slopes[0], trees.bins[trees.drawn[DRAWN, j]]
    for b in range(first, first + 3 * trees.drawn[WIDE, j]):
        counts[PLACE(b)] = 0.0
    for i in range(start, stop):
        at = PLACE(i)
        b = first + 3 * int(bins[PLACE(rows[at])])
        counts[PLACE(b)] += slopes[0, at]
        counts[PLACE(b + 1)] += slopes[1, at]
        counts[PLACE(b + 2)] += 1.0


@inner
def _count_two(trees: Any, j: int, start: int, stop: int, into: int) -> None:
    """The same for two bins, 0 and 1, as indicators have: sums that stay in registers do not wait for what was just
    written, and products have no branch to mispredict."""
    rows, slopes, bins = trees.rows[0], trees.slopes[0], trees.bins[trees.drawn[DRAWN, j]]
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
    counts, first = trees.counts[into], trees.drawn[THREES, j]
    counts[first], counts[first + 1], counts[first + 2] = g, h, n
    counts[first + 3], counts[first + 4], counts[first + 5] = above_g, above_h, above_n


@inner
def look_for_splits(trees: Any, leaf: int, j: int) -> None:
    """Whether a split of the leaf by its column j is better than those before."""
    counts, sums, length = trees.counts, trees.sums, float(trees.leaves[leaf, LENGTH])
    if length < 2 * FEWEST:
        return
    slope, curvature = sums[leaf, SLOPE], sums[leaf, CURVATURE]
    whole = slope * slope / (curvature + 1.0)
    limit = whole + sums[leaf, GAIN] * MORE
    g, h, n = 0.0, 1.0, 0.0
    own, first = counts[trees.leaves[leaf, COUNTS]], trees.drawn[THREES, j]
    for b in range(first, first + 3 * trees.drawn[WIDE, j] - 3, 3):
        here = own[PLACE(b + 2)]  # rows; where there are none, sums may have what rounding has left
        g += own[PLACE(b)] if here > 0.0 else 0.0
        h += own[PLACE(b + 1)] if here > 0.0 else 0.0
        n += here
        if length - n < FEWEST:
            return
        rest, others = slope - g, curvature + 2.0 - h
        up, down = g * g * others + rest * rest * h, h * others  # divisions take long, and are few
        if up > limit * down and here > 0.0 and n >= FEWEST:
            sums[leaf, GAIN] = up / down - whole
            limit = whole + sums[leaf, GAIN] * MORE
            trees.leaves[leaf, BEST], trees.leaves[leaf, UP_TO] = trees.drawn[DRAWN, j], (b - first) // 3


@inner
def place_beside(trees: Any, split: int, new: int) -> int:
    """A place for the counts of a new leaf. If there is none, the leaf that gains least gives up its own, but not the
    one that is split: it would be the last of those to come."""
    leaves, sums, least = trees.leaves, trees.sums, -1
    if new < COUNTED:
        return new
    for leaf in range(new):
        less = least < 0 or sums[leaf, GAIN] <= sums[least, GAIN] * MORE
        if less and leaf != split and leaves[leaf, COUNTS] >= 0:
            least = leaf
    place = leaves[least, COUNTS]
    leaves[least, COUNTS] = -1
    return int(place)
