"""How a tree is grown: leaf by leaf, the best split first, in steps of counted work that fit between rounds.

It is grown on the rows, targets and scores of the moment when it is begun; rows that come meanwhile go to other places
of the ring. So it is the same tree, whenever the steps are taken.

    BEGUN -> [the oldest tree's values leave the scores] -> slopes -> look at a column, ... -> split -> ... -> READY

With G and H the sums of slopes and curvatures in a leaf, a split gains GL^2/(HL + 1) + GR^2/(HR + 1) - G^2/(H + 1), and
a leaf says -RATE G/(H + 1). Of the two leaves of a split the smaller is counted, the other is what is left.
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.companions.bins import BINS
from kernelpick.core.companions.counting import (
    BEST,
    COUNTS,
    CURVATURE,
    FEWEST,
    GAIN,
    LENGTH,
    MORE,
    PARENT,
    SIDE,
    SLOPE,
    START,
    THREES,
    UP_TO,
    WIDE,
    count,
    look_for_splits,
    place_beside,
)
from kernelpick.core.companions.trees import BIN, COLUMN, LEAVES, LEFT, PLACE, RIGHT, leaf_of, plant
from kernelpick.core.losses import parabola
from kernelpick.core.numerics.compilation import inner

RATE = 0.15
LEAST_GAIN = 1e-9
CHUNK = 256  # rows of a step
# the clock: rows so far; trees that speak; trees begun; what is done, and how far; the two leaves that are looked at;
# leaves; the number of the first row that the tree is grown on, and of rows; its output; its columns; after a merge
# (pooling.py) the trees that shards have brought, the rows that were learned again, and the rows of all shards
COUNT, TREES, BEGUN, PHASE, AT, ONE, OTHER, GROWN, FIRST, ROWS, OUTPUT, COLUMNS, BASE, AGAIN, BEHIND = range(15)
HANDS = 15
NOTHING, READY, DROPPING, SLOPING, LOOKING, SPLITTING = range(6)  # phases
LOOKS = 2 + 5  # twice the rows of a tree that are counted, each with all columns: those of the root and log2(32)/2 more


@inner
def grow(trees: Any, loss: Any, work: int) -> None:
    """Steps until so much work is done, or the tree is ready."""
    clock = trees.clock
    while work > 0 and clock[PHASE] > READY:
        if clock[PHASE] == LOOKING:
            work -= _look(trees)
        elif clock[PHASE] == SPLITTING:
            work -= _split(trees)
        elif clock[PHASE] == SLOPING:
            work -= _slopes(trees, loss)
        else:
            work -= _drop(trees)


@inner
def _drop(trees: Any) -> int:
    """Take what the oldest tree says out of the scores of some rows."""
    clock, ring = trees.clock, trees.bins.shape[1]
    oldest = (clock[BEGUN] - 1) % trees.most
    stop = min(clock[AT] + CHUNK, clock[ROWS])
    for i in range(clock[AT], stop):
        add_tree(trees, oldest, (clock[FIRST] + i) % ring, -1.0)
    clock[AT] = stop
    if stop == clock[ROWS]:
        clock[PHASE], clock[AT] = SLOPING, 0
    return 20 * CHUNK


@inner
def add_tree(trees: Any, tree: int, place: int, sign: float) -> None:
    """Add what a tree says to the scores of the row at that place of the ring, or take it out."""
    value = sign * trees.values[tree, leaf_of(trees.nodes, tree, trees.bins, place)]
    for m in range(len(trees.scores)):
        trees.scores[m, place] += trees.shares[tree, m] * value


@inner
def _slopes(trees: Any, loss: Any) -> int:
    """Slopes and curvatures at the scores of some rows; when all are there, the root is looked at."""
    clock, ring, outputs = trees.clock, trees.bins.shape[1], len(trees.scores)
    m, stop = clock[OUTPUT], min(clock[AT] + CHUNK, clock[ROWS])
    for i in range(clock[AT], stop):
        place = (clock[FIRST] + i) % ring
        y, f, weight = trees.targets[m, place], trees.scores[m, place], trees.weights[place]
        if trees.classes and outputs == 1:
            other = 1.0 / (1.0 + math.exp(min(y * f, 700.0)))
            slope, curvature = -y * other, other * (1.0 - other)
        elif trees.classes:
            share = _softmax(trees.scores, m, place)
            slope, curvature = share - (1.0 if y > 0.0 else 0.0), share * (1.0 - share)
        else:
            slope, curvature = parabola(loss, f, y, 0.0)
        trees.rows[0, i] = place
        trees.slopes[0, 0, i], trees.slopes[0, 1, i] = weight * slope, weight * curvature
    clock[AT] = stop
    if stop == clock[ROWS]:
        plant(trees.nodes, trees.most)
        clock[GROWN], clock[ONE], clock[OTHER], clock[AT] = 1, 0, -1, 0
        trees.leaves[0, COUNTS] = 0
        _set_leaf(trees, 0, 0, clock[ROWS], -1, 0)
        clock[PHASE] = LOOKING if clock[COLUMNS] > 0 and clock[ROWS] >= 2 * FEWEST else SPLITTING
    return (10 + 20 * outputs) * CHUNK


@inner
def _softmax(scores: np.ndarray, m: int, place: int) -> float:
    top, total = scores[m, place], 0.0
    for k in range(len(scores)):
        top = max(top, scores[k, place])
    for k in range(len(scores)):
        total += math.exp(scores[k, place] - top)
    return math.exp(scores[m, place] - top) / total


@inner
def _set_leaf(trees: Any, leaf: int, start: int, length: int, parent: int, side: int) -> None:
    """A leaf that has these rows, in the order of the tree."""
    leaves, sums = trees.leaves, trees.sums
    leaves[leaf, START], leaves[leaf, LENGTH], leaves[leaf, PARENT], leaves[leaf, SIDE] = start, length, parent, side
    slope, curvature = 0.0, 0.0
    for i in range(start, start + length):
        slope += trees.slopes[0, 0, i]
        curvature += trees.slopes[0, 1, i]
    sums[leaf, GAIN], sums[leaf, SLOPE], sums[leaf, CURVATURE] = LEAST_GAIN, slope, curvature


@inner
def _look(trees: Any) -> int:
    """Count one column of the smaller of two leaves, and look for the best splits of both."""
    clock, leaves, counts = trees.clock, trees.leaves, trees.counts
    small, large, j = clock[ONE], clock[OTHER], clock[AT]
    if large >= 0 and leaves[small, LENGTH] >= leaves[large, LENGTH]:
        small, large = large, small
    start, own, bins = leaves[small, START], leaves[small, COUNTS], trees.drawn[WIDE, j]
    count(trees, j, start, start + leaves[small, LENGTH], own)
    if large >= 0:
        first, rest = trees.drawn[THREES, j], leaves[large, COUNTS]
        for b in range(first, first + 3 * bins):
            counts[rest, PLACE(b)] -= counts[own, PLACE(b)]
        look_for_splits(trees, large, j)
    look_for_splits(trees, small, j)
    clock[AT] += 1
    if clock[AT] == clock[COLUMNS]:
        clock[PHASE] = SPLITTING
    return int(2 * leaves[small, LENGTH] + 8 * bins)


@inner
def _split(trees: Any) -> int:
    """Split the leaf that gains most by it; the tree is ready when none does, or there are enough leaves."""
    clock, leaves, sums = trees.clock, trees.leaves, trees.sums
    best, new = -1, clock[GROWN]
    for leaf in range(new if new < LEAVES else 0):
        if sums[leaf, GAIN] > (sums[best, GAIN] * MORE if best >= 0 else LEAST_GAIN):
            best = leaf
    if best < 0:
        return _finish(trees)
    length, node, nodes = leaves[best, LENGTH], new - 1, trees.nodes
    parent, side, counts = leaves[best, PARENT], leaves[best, SIDE], leaves[best, COUNTS]
    left = _part(trees, best)
    if parent >= 0:
        nodes[trees.most, parent, side] = node
    nodes[trees.most, node, COLUMN], nodes[trees.most, node, BIN] = leaves[best, BEST], leaves[best, UP_TO]
    nodes[trees.most, node, LEFT], nodes[trees.most, node, RIGHT] = ~best, ~new
    _set_leaf(trees, new, leaves[best, START] + left, length - left, node, RIGHT)
    _set_leaf(trees, best, leaves[best, START], left, node, LEFT)
    clock[GROWN], clock[ONE], clock[OTHER], clock[AT] = new + 1, best, new, 0
    leaves[new, COUNTS] = counts
    if counts >= 0:  # of which those of the larger part are made
        leaves[best if left < length - left else new, COUNTS] = place_beside(trees, best, new)
        if new + 1 < LEAVES and max(left, length - left) >= 2 * FEWEST:
            clock[PHASE] = LOOKING
    return int(6 * length)


@inner
def _part(trees: Any, leaf: int) -> int:
    """Put the rows of a leaf that go to the left before the others, both in their order; how many they are."""
    rows, slopes, leaves = trees.rows, trees.slopes, trees.leaves
    start, column, up_to = leaves[leaf, START], leaves[leaf, BEST], leaves[leaf, UP_TO]
    left, right, bins = start, 0, trees.bins[column]
    for i in range(start, start + leaves[leaf, LENGTH]):
        at, a, b = PLACE(i), PLACE(left), PLACE(right)
        row, slope, curvature = rows[0, at], slopes[0, 0, at], slopes[0, 1, at]
        rows[0, a], slopes[0, 0, a], slopes[0, 1, a] = row, slope, curvature  # to both sides, one of which
        rows[1, b], slopes[1, 0, b], slopes[1, 1, b] = row, slope, curvature  # goes on: that is no branch
        below = 1 if bins[PLACE(row)] <= up_to else 0
        left += below
        right += 1 - below
    for i in range(right):
        rows[0, left + i] = rows[1, i]
        slopes[0, 0, left + i], slopes[0, 1, left + i] = slopes[1, 0, i], slopes[1, 1, i]
    return int(left - start)


@inner
def _finish(trees: Any) -> int:
    """What the leaves say, and the scores of the rows with that."""
    clock, m = trees.clock, trees.clock[OUTPUT]
    for leaf in range(clock[GROWN]):
        value = -RATE * trees.sums[leaf, SLOPE] / (trees.sums[leaf, CURVATURE] + 1.0)
        trees.values[trees.most, leaf] = value
        for i in range(trees.leaves[leaf, START], trees.leaves[leaf, START] + trees.leaves[leaf, LENGTH]):
            trees.scores[m, trees.rows[0, i]] += value
    clock[PHASE] = READY
    return 2 * int(clock[ROWS])


@inner
def work_of(rows: int, columns: int, outputs: int) -> int:
    """The work for a tree, at most, unless it is crooked: the smaller leaves of all splits have at most log2(LEAVES)/2
    times the rows of the root together."""
    looks = rows * LOOKS + 8 * BINS * LEAVES
    return columns * looks + rows * (80 + 20 * outputs)
