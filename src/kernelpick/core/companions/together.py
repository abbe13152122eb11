"""What a forest says to many rows at once: all nodes of a tree are asked, and the leaf that none excludes is it.

With a bit for each leaf, a node leaves a row the bits of all leaves but those on the side where the row does not go. So
nothing waits for anything, and the rows go through a node side by side (Lucchese and others, QuickScorer, 2015, number
leaves from left to right; here both sides exclude, so that any numbers will do).
"""

from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.companions.bins import bin_of
from kernelpick.core.companions.trees import BIN, COLUMN, LEAVES, LEFT, RIGHT, add_up
from kernelpick.core.numerics.compilation import fma, inner

LOOKED_AT_TOGETHER = 128  # rows, at most, that are looked at together
FEW = 8  # rows below which one after the other is faster
ONE = np.uint32(1)
# A number with one bit, times this, has a number of its own in its highest five bits (de Bruijn): where that bit is.
MARK, DOWN = np.uint32(0x077CB531), np.uint32(27)
PLACE_OF_BIT = np.array([(0x077CB531 << leaf & 0xFFFFFFFF) >> 27 for leaf in range(LEAVES)])
STAYS, GOES, BOTH, OPEN = range(4)  # what a node leaves to rows up to its bin and beyond, its leaves; those of a row


class Lookahead(NamedTuple):
    """Rows that were looked at, and scratch."""

    rows: np.ndarray  # (2,) the first of them, and the last one + 1
    bins: np.ndarray  # (inputs, rows)
    said: np.ndarray  # (rows, outputs)
    ways: np.ndarray  # (2, trees) for few rows
    bits: np.ndarray  # (4, nodes or rows)
    values: np.ndarray  # (leaves,) of a tree, each where its bit leads to


@inner
def look(trees: Any, count: int, ahead: Any, X: np.ndarray, first: int, rows: int) -> None:
    """The bins of these rows, and what the first trees say to them, in the order of the trees."""
    bins = ahead.bins
    for i in range(rows):
        for k in range(len(bins)):
            bins[k, i] = bin_of(trees.edges, k, X[first + i, k])
    if count > 0 and rows < FEW:
        for i in range(rows):
            add_up(trees, count, bins, i, ahead.ways, ahead.said)
    elif count > 0:
        _add_up_together(trees, count, ahead, rows)
    ahead.rows[0], ahead.rows[1] = first, first + rows


@inner
def _add_up_together(trees: Any, count: int, ahead: Any, rows: int) -> None:
    """As trees.add_up, for all rows."""
    bins, bits, said, shares = ahead.bins, ahead.bits, ahead.said, trees.shares
    for i in range(rows):
        for m in range(said.shape[1]):
            said[i, m] = 0.0
    for tree in range(count):
        nodes = _exclude(trees.nodes, tree, bits)
        every = bits[BOTH, 0]
        for i in range(rows):
            bits[OPEN, i] = every
        for node in range(nodes):
            column, up_to = trees.nodes[tree, node, COLUMN], np.uint8(trees.nodes[tree, node, BIN])
            stays, goes = bits[STAYS, node], bits[GOES, node]
            for i in range(rows):
                bits[OPEN, i] &= goes if bins[column, i] > up_to else stays
        for leaf in range(LEAVES):
            ahead.values[PLACE_OF_BIT[leaf]] = trees.values[tree, leaf]
        for m in range(said.shape[1]):
            for i in range(rows):
                value = ahead.values[np.uint32(bits[OPEN, i] * MARK) >> DOWN]
                said[i, m] = fma(shares[tree, m], value, said[i, m])


@inner
def _exclude(nodes: np.ndarray, tree: int, bits: np.ndarray) -> int:
    """What each node of a tree leaves; how many nodes it has. Those that a node leads to come after it, so the leaves
    below a node are known when it is its turn from behind. A tree of one leaf has it on both sides."""
    count, at = 1, 0
    while at < count:
        count = max(count, max(nodes[tree, at, LEFT], nodes[tree, at, RIGHT]) + 1)
        at += 1
    for node in range(count - 1, -1, -1):
        left, right = nodes[tree, node, LEFT], nodes[tree, node, RIGHT]
        below = bits[BOTH, left] if left >= 0 else np.uint32(ONE << np.uint32(~left))
        above = bits[BOTH, right] if right >= 0 else np.uint32(ONE << np.uint32(~right))
        bits[BOTH, node] = below | above
        bits[STAYS, node] = ~above if left != right else below
        bits[GOES, node] = ~below if left != right else above
    return count
