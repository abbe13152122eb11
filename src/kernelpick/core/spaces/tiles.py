"""One row against one tile of stored examples: what a kernel is a function of."""

import math
from typing import Any

import numpy as np

from kernelpick.core.kernels.contract import ABSOLUTE, PRODUCT
from kernelpick.core.numerics.compilation import fma, inner

TILE = 128
BY_PRODUCT = -1  # a metric of distances that are made of products


@inner
def largest_input(X: np.ndarray, row: int) -> float:
    largest = 0.0
    for k in range(X.shape[1]):
        largest = max(largest, abs(X[row, k]))
    return largest


@inner
def direct_distances(tiles: np.ndarray, tile: int, at: Any, absolute: bool, out: np.ndarray, o: int) -> None:
    """Sums of squared (or absolute) differences, exact however large the inputs are."""
    for j in range(TILE):
        out[o, j] = 0.0
    for k in range(at.X.shape[1]):
        x = at.X[at.row, k]
        if absolute:
            for j in range(TILE):
                out[o, j] += abs(x - tiles[tile, k, j])
        else:
            for j in range(TILE):
                out[o, j] = fma(x - tiles[tile, k, j], x - tiles[tile, k, j], out[o, j])


@inner
def measure(
    metric: int, scale: float, square: float, sums: np.ndarray, place: int, squares: np.ndarray, tile: int,
    out: np.ndarray,
) -> None:  # fmt: skip
    """out[0] = s of a kernel (see kernels/contract.py), from sums[place]: products for PRODUCT and BY_PRODUCT, or else
    distances. It is given no more than it needs: handing over a whole space takes a tenth of the time of a tile."""
    if metric == PRODUCT:
        for j in range(TILE):
            size = (square + scale) * (squares[tile, j] + scale)
            out[0, j] = (sums[place, j] + scale) / math.sqrt(size) if size > 0.0 else 0.0
    elif metric == BY_PRODUCT:
        for j in range(TILE):
            out[0, j] = max(0.0, fma(-2.0, sums[place, j], square + squares[tile, j])) * scale
    else:
        for j in range(TILE):
            out[0, j] = sums[place, j] * scale


@inner
def is_absolute(space: Any, arm: int) -> bool:
    return space.metric[arm] == ABSOLUTE
