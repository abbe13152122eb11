"""One row against one tile of stored examples: distances, and kernel values from them."""

import math

import numpy as np

from ..compilation import fma, inner
from ..elementary import exponential
from ..kernels import CAUCHY, DOT, GAUSSIAN, LAPLACIAN, MATERN32

TILE = 128


@inner
def largest_input(X: np.ndarray, row: int) -> float:
    largest = 0.0
    for k in range(X.shape[1]):
        largest = max(largest, abs(X[row, k]))
    return largest


@inner
def direct_distances(
    tiles: np.ndarray, tile: int, X: np.ndarray, row: int, absolute: bool, out: np.ndarray, o: int
) -> None:
    """Sums of squared (or absolute) differences, exact however large the inputs are."""
    for j in range(TILE):
        out[o, j] = 0.0
    for k in range(X.shape[1]):
        x = X[row, k]
        if absolute:
            for j in range(TILE):
                out[o, j] += abs(x - tiles[tile, k, j])
        else:
            for j in range(TILE):
                out[o, j] = fma(x - tiles[tile, k, j], x - tiles[tile, k, j], out[o, j])


@inner
def kernel_values(
    family: int,
    first: float,
    second: float,
    sums: np.ndarray,
    at: int,
    products: bool,
    square: float,
    squares: np.ndarray,
    tile: int,
    out: np.ndarray,
) -> None:
    """Kernel values of a tile from sums[at]: products x.v, or distances.

    first and second are the kernel's parameters, square is |x|^2, squares[tile] holds the |v|^2.
    """
    if family == DOT:
        for j in range(TILE):
            size = (square + first) * (squares[tile, j] + first)
            cosine = (sums[at, j] + first) / math.sqrt(size) if size > 0.0 else 0.0
            power = cosine
            for _ in range(int(second) - 1):
                power *= cosine
            out[0, j] = power
        return
    if products:
        for j in range(TILE):
            out[0, j] = max(0.0, fma(-2.0, sums[at, j], square + squares[tile, j])) * first
    else:
        for j in range(TILE):
            out[0, j] = sums[at, j] * first
    if family == GAUSSIAN or family == LAPLACIAN:
        for j in range(TILE):
            out[0, j] = exponential(-out[0, j])
    elif family == CAUCHY:
        for j in range(TILE):
            out[0, j] = 1.0 / (1.0 + out[0, j])
    else:
        third = 0.0 if family == MATERN32 else 1.0 / 3.0
        for j in range(TILE):
            t = math.sqrt(out[0, j])
            out[0, j] = (1.0 + t + third * (t * t)) * exponential(-t)
