"""The trees of several shards as one forest, and the rows that they have kept, which it learns again.

Boosting fits what each shard says, F, to the whole target, so all together say the mean by rows, sum n F / sum n. This
forest then learns the rows that shards have kept, as if they came now: what no shard could know with its rows alone.
A later merge begins with the same trees and rows again, as long as no row was learned in between. So it does not
matter, but for rounding, in which order shards are merged, nor in which tree.

What is too much is dropped by what it is, for the same reason: of trees those that say least, of rows those of the
largest hash, and what stays is in that order. Shards that began as blanks of one model have the same edges. Where they
differ, since a column has come later or trees have started again, one of them is chosen, and splits are moved to the
nearest edge: then what is merged first does matter a little.
"""

from typing import Any

import numpy as np

from kernelpick.core.companions.bins import BINS, EDGES
from kernelpick.core.companions.growing import AGAIN, BASE, BEGUN, BEHIND, COUNT, PHASE, READY, TREES
from kernelpick.core.companions.keeping import RING
from kernelpick.core.companions.trees import BIN, COLUMN, LEAVES, LEFT, RIGHT
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.rng import GOLDEN, MIX_1, MIX_2
from kernelpick.core.parts import arrays_of

BROUGHT = 200  # trees of shards, at most: with those that rows bring which are learned again there are less than MOST
NUMBERS = np.zeros((1, 1))  # nothing is drawn


def pooled(shards: list[Any]) -> tuple[Any, Rows]:
    """The forest, in a part of its own, and the rows that it has to learn again; all shards are settled.

    A shard without edges has nothing to bring.
    """
    fresh = {name: np.full_like(array, axes.fresh) for name, (array, axes) in arrays_of(shards[0]).items()}
    given = {name: array.copy() for name, (array, axes) in arrays_of(shards[0]).items() if axes.given}
    whole, clock = shards[0]._replace(**(fresh | given)), fresh["clock"]
    shards = [shard for shard in shards if np.isfinite(shard.edges).any()]
    if not shards:
        return whole, Rows(np.zeros((0, len(whole.edges))), np.zeros((0, len(whole.scores))), np.zeros(0), NUMBERS)
    for k in range(len(whole.edges)):
        whole.edges[k] = min(tuple(shard.edges[k]) for shard in shards)  # columns without edges have infinite ones
    rows = _kept(shards)
    clock[AGAIN], clock[BEHIND] = len(rows.X), sum(_behind(shard) for shard in shards)
    clock[TREES] = clock[BEGUN] = clock[BASE] = _plant(whole, shards)
    return whole, rows


def _behind(shard: Any) -> int:
    """How many rows a shard knows of; rows that were learned again are counted once."""
    return int(shard.clock[COUNT] - shard.clock[AGAIN] + shard.clock[BEHIND])


def _plant(whole: Any, shards: list[Any]) -> int:
    """Write the trees of all, those that say least first: these make room first when the stream goes on."""
    rows, found = whole.clock[BEHIND], []
    for shard in shards:
        own = _speaking(shard)
        nodes = _moved(shard.nodes[own], shard.edges, whole.edges)
        found.append((nodes, shard.values[own], shard.shares[own] * (_behind(shard) / rows)))
    nodes, values, shares = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    values = np.where(_leaves(nodes), values, 0.0)
    order = np.argsort(np.abs(values).sum(axis=1) * np.abs(shares).sum(axis=1), kind="stable")[-BROUGHT:]
    count = len(order)
    whole.nodes[:count], whole.values[:count], whole.shares[:count] = nodes[order], values[order], shares[order]
    return count


def _speaking(shard: Any) -> np.ndarray:
    """The places of the trees that speak when the next one is begun; after a merge those that it began with."""
    clock, most = shard.clock, shard.most
    if 0 < clock[AGAIN] == clock[COUNT]:
        return np.arange(clock[BASE])
    places = np.arange(clock[TREES])
    if clock[PHASE] == READY:  # one waits, and takes the place of the oldest if there are enough
        places = np.append(places[places != (clock[BEGUN] - 1) % most], most)
    return places


def _leaves(nodes: np.ndarray) -> np.ndarray:
    """(trees, LEAVES) whether a tree has that leaf; a place may have more nodes, of a tree that was there before."""
    trees, leaves = np.arange(len(nodes)), np.zeros((len(nodes), LEAVES), bool)
    reached = np.zeros(nodes.shape[:2], bool)
    reached[:, 0] = True
    for node in range(nodes.shape[1]):
        for to in (nodes[:, node, LEFT], nodes[:, node, RIGHT]):
            onwards, ends = reached[:, node] & (to >= 0), reached[:, node] & (to < 0)
            reached[trees[onwards], to[onwards]] = True
            leaves[trees[ends], ~to[ends]] = True
    return leaves


def _moved(nodes: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """A split lies at an edge; among other edges it lies at the nearest."""
    nodes = nodes.copy()
    for k in np.flatnonzero((old != new).any(axis=1)):
        own = (nodes[:, :, COLUMN] == k) & (nodes[:, :, BIN] < EDGES)  # a tree of one leaf has no split
        there = new[k, np.isfinite(new[k])]
        cuts = old[k, nodes[own, BIN]]
        nodes[own, BIN] = np.abs(there - np.where(np.isfinite(cuts), cuts, 0.0)[:, None]).argmin(axis=1)
    return nodes


def _kept(shards: list[Any]) -> Rows:
    """The rows of all, or RING of them."""
    found = []
    for shard in shards:
        own = np.flatnonzero(shard.weights > 0.0)  # where there was none yet, that is zero
        X = np.take_along_axis(_values(shard.edges), shard.bins[:, own].astype(np.int64), axis=1)
        found.append((X.T, shard.targets[:, own].T, shard.weights[own]))
    X, Y, weights = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    order = np.argsort(_hashes(X, Y, weights), kind="stable")[:RING]
    X, Y, weights = (np.ascontiguousarray(array[order]) for array in (X, Y, weights))
    return Rows(X, Y, weights, NUMBERS)


def _values(edges: np.ndarray) -> np.ndarray:
    """(columns, BINS) a number of each bin: its upper edge, or what comes after the last; without edges it is zero."""
    counts = np.isfinite(edges).sum(axis=1)
    last = np.where(counts > 0, edges[np.arange(len(edges)), np.maximum(counts - 1, 0)], -np.inf)
    values = np.concatenate([edges, np.full((len(edges), BINS - EDGES), np.inf)], axis=1)
    return np.where(np.isfinite(values), values, np.where(counts > 0, np.nextafter(last, np.inf), 0.0)[:, None])


def _hashes(*arrays: np.ndarray) -> np.ndarray:
    """(rows,) numbers that look drawn, and follow from the rows alone."""
    z = np.zeros(len(arrays[0]), np.uint64)
    for array in arrays:
        for column in np.ascontiguousarray(array.reshape(len(z), -1).T + 0.0).view(np.uint64):  # -0.0 is 0.0
            z = (z ^ column) + GOLDEN
            z = (z ^ (z >> np.uint64(30))) * MIX_1
            z = (z ^ (z >> np.uint64(27))) * MIX_2
            z ^= z >> np.uint64(31)
    return z
