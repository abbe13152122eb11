"""Chains of tiles: where the next example of a hypothesis goes, and whether chains from a file are sound."""

from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import inner
from kernelpick.core.spaces.tiles import TILE

EMPTY = -1
FIRST, LAST, COUNT = range(3)  # columns of the chains


@inner
def append(space: Any, chain: int, at: Any) -> tuple[int, int]:
    """Store the row at the end of a chain: the tile and the column it lies in."""
    tile, column = space.chains[chain, LAST], space.chains[chain, COUNT] % TILE
    if column == 0:
        tile = _new_tile(space, chain)
    for k in range(at.X.shape[1]):
        space.tiles[tile, k, column] = at.X[at.row, k]
    space.chains[chain, COUNT] += 1
    space.used[1] += 1
    return tile, column


@inner
def _new_tile(space: Any, chain: int) -> int:
    tile = space.used[0]
    space.used[0] += 1
    space.following[tile] = EMPTY
    if space.chains[chain, FIRST] == EMPTY:
        space.chains[chain, FIRST] = tile
    else:
        space.following[space.chains[chain, LAST]] = tile
    space.chains[chain, LAST] = tile
    return tile


@inner
def fold_scale(space: Any, chain: int, m: int) -> None:
    """Multiply the scale into the coefficients before it underflows."""
    tile = space.chains[chain, FIRST]
    while tile != EMPTY:
        for j in range(TILE):
            space.coefficients[tile, m, j] *= space.scales[chain, m]
        tile = space.following[tile]
    space.scales[chain, m] = 1.0


def check_chains(chains: np.ndarray, following: np.ndarray, used: np.ndarray) -> None:
    """Each chain of tiles has as many as its examples fill, ends where it says, and none is in two chains."""
    pool, links = len(following), following.tolist()
    seen: set[int] = set()
    for first, last, count in chains.tolist():
        if not 0 <= count <= pool * TILE:
            raise ValueError(f"{count} is no number of examples")
        tile, end = first, EMPTY
        for _ in range(-(-count // TILE)):
            if not 0 <= tile < pool or tile in seen:
                raise ValueError("a chain of examples is broken")
            seen.add(tile)
            tile, end = links[tile], tile
        if tile != EMPTY or end != last:
            raise ValueError("a chain of examples does not end")
    if used[0] != len(seen) or sorted(seen) != list(range(used[0])) or used[1] != chains[:, COUNT].sum():
        raise ValueError("the number of examples is wrong")
