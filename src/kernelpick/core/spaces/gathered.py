"""Stored examples of several shards in one pool (see core/shards.py): hypotheses are their means by rounds.

Such a mean stays in the ball. Where examples have a budget, those of the largest coefficients stay. An example that two
shards have stored is there twice.
"""

from typing import Any

import numpy as np

from kernelpick.core.kernels.contract import ABSOLUTE, PRODUCT
from kernelpick.core.kernels.families import filled
from kernelpick.core.spaces.chains import EMPTY
from kernelpick.core.spaces.tiles import TILE

PAIR_ROWS = 1024  # rows of the matrix of all pairs, at a time


def gathered(space: Any, shards: list[Any], rounds: list[int]) -> dict[str, Any]:
    """The learned arrays of a space that holds the examples of all shards."""
    shares = np.array(rounds, dtype=float) / max(sum(rounds), 1)
    arms, outputs = space.scales.shape
    chains = 1 if space.shared else arms
    found = [_chain(shards, shares, chain, space.capacity) for chain in range(chains)]
    tiles = sum(-(-len(X) // TILE) for X, _, _ in found)
    pool = {
        "tiles": np.zeros((tiles, space.tiles.shape[1], TILE)),
        "squares": np.zeros((tiles, TILE)),
        "large": np.zeros(tiles, dtype=np.int64),
        "coefficients": np.zeros((tiles, outputs, TILE)),
        "following": np.full(tiles, EMPTY, dtype=np.int64),
        "chains": np.tile(np.array([EMPTY, EMPTY, 0], dtype=np.int64), (arms, 1)),
        "used": np.array([tiles, sum(len(X) for X, _, _ in found)], dtype=np.int64),
        "scales": np.ones((arms, outputs)),
        "norms": np.zeros((arms, outputs)),
    }
    at = 0
    for chain, (X, C, large) in enumerate(found):
        count = -(-len(X) // TILE)
        for i in range(count):
            part = slice(i * TILE, (i + 1) * TILE)
            filled_up = len(X[part])
            pool["tiles"][at + i, :, :filled_up] = X[part].T
            pool["squares"][at + i, :filled_up] = (X[part] ** 2).sum(axis=1)
            pool["coefficients"][at + i, :, :filled_up] = C[part].T
            pool["large"][at + i] = large[part].any()
            pool["following"][at + i] = at + i + 1 if i + 1 < count else EMPTY
        if count:
            pool["chains"][chain] = at, at + count - 1, len(X)
        if np.isfinite(space.radius):
            pool["norms"][chain] = _norms(space, chain, X, C)
        at += count
    return pool


def _chain(shards: list[Any], shares: np.ndarray, chain: int, capacity: int) -> tuple[np.ndarray, ...]:
    """Examples (n, d), coefficients (n, M), and whether an example lies in a tile of large inputs."""
    X, C, large = [], [], []
    for shard, share in zip(shards, shares, strict=True):
        tile, _, left = shard.chains[chain].tolist()
        while tile != EMPTY:
            count = min(left, TILE)
            X.append(shard.tiles[tile, :, :count].T)
            C.append(share * (shard.coefficients[tile, :, :count] * shard.scales[chain][:, None]).T)
            large.append(np.full(count, shard.large[tile]))
            tile, left = int(shard.following[tile]), left - count
    if not X:
        return np.zeros((0, shards[0].tiles.shape[1])), np.zeros((0, shards[0].scales.shape[1])), np.zeros(0)
    every = np.concatenate(X), np.concatenate(C), np.concatenate(large)
    if len(every[0]) <= capacity:
        return every
    kept = np.sort(np.argsort(-abs(every[1]).sum(axis=1), kind="stable")[:capacity])
    return tuple(array[kept] for array in every)


def _norms(space: Any, arm: int, X: np.ndarray, C: np.ndarray) -> np.ndarray:
    """(M,) |f|^2 = sum over all pairs of c_i c_j k(x_i, x_j)."""
    total = np.zeros(C.shape[1])
    for start in range(0, len(X), PAIR_ROWS):
        part = slice(start, start + PAIR_ROWS)
        values = filled(
            space.families, int(space.family[arm]), space.parameters[arm], _measured(space, arm, X[part], X)
        )
        total += (C[part] * (values @ C)).sum(axis=0)
    return np.maximum(total, 0.0)


def _measured(space: Any, arm: int, X: np.ndarray, V: np.ndarray) -> np.ndarray:
    """s of the kernel's contract for every pair."""
    metric, scale = space.metric[arm], space.parameters[arm, 0]
    if metric == PRODUCT:
        size = np.sqrt(np.outer((X**2).sum(1) + scale, (V**2).sum(1) + scale))
        return np.asarray((X @ V.T + scale) / np.where(size > 0, size, 1.0))
    total = np.zeros((len(X), len(V)))
    for k in range(X.shape[1]):
        apart = X[:, k, None] - V[None, :, k]
        total += abs(apart) if metric == ABSOLUTE else apart * apart
    return total * scale
