"""Trees over bins, as arrays: what a forest says to a row.

Node i of a tree t is nodes[t, i]: a column, a bin, and where to go with a bin up to that one and with a larger one: to
another node, or to the leaf ~next where that is negative. A tree speaks for outputs by its shares (trees, outputs).
"""

from typing import Any

import numpy as np

from kernelpick.core.numerics.arrays import flattened
from kernelpick.core.numerics.compilation import fma, inner

SHIFT = 5
LEAVES = 1 << SHIFT
COLUMN, BIN, LEFT, RIGHT = range(4)
FIELDS = 4
BITS, FIELD = 16, 65535  # of a field; the first is the lowest of a node that is read as one number
PLACE = np.uint64  # of which compiled code does not ask whether it counts from the end


@inner
def plant(nodes: np.ndarray, tree: int) -> None:
    """A tree of one leaf, the first."""
    nodes[tree, 0, COLUMN], nodes[tree, 0, BIN] = 0, 255
    nodes[tree, 0, LEFT] = nodes[tree, 0, RIGHT] = -1


@inner
def transplant(nodes: np.ndarray, values: np.ndarray, shares: np.ndarray, tree: int, to: int) -> None:
    """Copy a tree to another place."""
    for i in range(nodes.shape[1]):
        for k in range(FIELDS):
            nodes[to, i, k] = nodes[tree, i, k]
    for leaf in range(values.shape[1]):
        values[to, leaf] = values[tree, leaf]
    for m in range(shares.shape[1]):
        shares[to, m] = shares[tree, m]


@inner
def leaf_of(nodes: np.ndarray, tree: int, bins: np.ndarray, row: int) -> int:
    """The leaf of a row, whose bins are bins[:, row]."""
    at = 0
    while at >= 0:
        below = bins[nodes[tree, at, COLUMN], row] <= nodes[tree, at, BIN]
        at = nodes[tree, at, LEFT] if below else nodes[tree, at, RIGHT]
    return ~at


@inner
def add_up(trees: Any, count: int, bins: np.ndarray, row: int, ways: np.ndarray, out: np.ndarray) -> None:
    """out[row, m] = the sum of what the first trees say to the row whose bins are bins[:, row], in their order.

    All go down together, a level at a time, and those that have come to a leaf stay behind: without a branch to
    mispredict that is faster than one after the other. A node is read as one number, and at places that are known not
    to be negative, which halves the time. ways (2, trees) is scratch: where those are that are still on their way, and
    the leaves.
    """
    nodes, values, shares = flattened(trees.nodes, np.int64), trees.values, trees.shares
    flat, width = flattened(bins), bins.shape[1]
    for tree in range(count):
        ways[0, tree] = tree << SHIFT
    going = count
    while going > 0:
        still = 0
        for i in range(going):
            way = ways[0, PLACE(i)]
            tree = way >> SHIFT
            node = nodes[PLACE(way - tree)]  # a tree has a node less than leaves
            below = flat[PLACE((node & FIELD) * width + row)] <= node >> BITS & FIELD
            to = node << (BITS if below else 0) >> 3 * BITS
            ways[1, PLACE(tree)] = ~to
            ways[0, PLACE(still)] = (tree << SHIFT) + to
            still += 1 if to >= 0 else 0
        going = still
    for m in range(out.shape[1]):
        out[row, m] = 0.0
    for tree in range(count):
        value = values[tree, ways[1, tree]]
        for m in range(out.shape[1]):
            out[row, m] = fma(shares[tree, m], value, out[row, m])
