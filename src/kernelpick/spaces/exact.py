"""Exact hypotheses: f is a sum of kernels at stored examples.

Examples lie in tiles of TILE columns, so that one row meets a whole tile in vector lanes. The tiles are one pool; each
hypothesis is a chain of them. An example belongs to the hypothesis that was drawn when it came, so it is stored once.
With ``shared`` there is a single chain on which every kernel puts its own values (LKMBooks).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import inner
from ..kernels import DOT, LAPLACIAN, Kernel
from ..products import dot, product
from . import BLOCK, block_size, evaluate, has_room, hypotheses, learn, look_ahead, self_kernel, squared_norm, workspace
from .tiles import TILE, direct_distances, kernel_values, largest_input

PRODUCT_LIMIT = 10.0  # |x|^2 + |v|^2 - 2 x.v loses digits where inputs are larger; there, direct differences
AHEAD_TILES = 512  # how many tiles the look-ahead covers: 4 MB of scratch
AHEAD_PAYS = 0.5  # looking ahead for an arm pays where it is likely to be drawn again soon
EMPTY = -1


class Examples(NamedTuple):
    """Coefficients of M outputs on stored examples; K kernels."""

    radius: float  # hypotheses are projected on the ball of this radius (infinite where the algorithm does not)
    shared: bool  # one chain for all kernels
    capacity: int  # how many examples may be held
    family: np.ndarray  # (K,)
    parameters: np.ndarray  # (K, 2) see Kernel.parameters
    tiles: np.ndarray  # (pool, d, TILE) the examples, one a column
    squares: np.ndarray  # (pool, TILE) |x|^2
    large: np.ndarray  # (pool,) 1 where an input is beyond PRODUCT_LIMIT
    coefficients: np.ndarray  # (pool, M, TILE)
    following: np.ndarray  # (pool,) the next tile of the same chain
    chains: np.ndarray  # (K, 3) first tile, last tile, number of examples
    used: np.ndarray  # (2,) tiles in use, examples held
    scales: np.ndarray  # (K, M) what all coefficients of a hypothesis are to be multiplied by
    norms: np.ndarray  # (K, M) squared norms


class Work(NamedTuple):
    sums: np.ndarray  # (ahead * BLOCK + 1, TILE) products of the block's rows with full tiles; last, one for any use
    values: np.ndarray  # (1, TILE) kernel values
    ready: np.ndarray  # (ahead,) the block, by its last row, for which a tile's products are there
    block: np.ndarray  # (2,) first row of the block, and the one after its last
    columns: np.ndarray  # (d,) for the nonzero inputs
    rows: np.ndarray  # (BLOCK, 2) |x|^2 and largest |input| of each row


def examples(
    kernels: list[Kernel], n_inputs: int, n_outputs: int, radius: float, shared: bool = False, capacity: int = 2**62
) -> Examples:
    """Hypotheses that are all zero."""
    arms = len(kernels)
    chains = np.full((arms, 3), EMPTY)
    chains[:, 2] = 0
    return Examples(
        radius=radius,
        shared=shared,
        capacity=capacity,
        family=np.array([kernel.family for kernel in kernels], dtype=np.int64),
        parameters=np.array([kernel.parameters for kernel in kernels]),
        tiles=np.zeros((0, n_inputs, TILE)),
        squares=np.zeros((0, TILE)),
        large=np.zeros(0, dtype=np.int64),
        coefficients=np.zeros((0, n_outputs, TILE)),
        following=np.zeros(0, dtype=np.int64),
        chains=chains,
        used=np.zeros(2, dtype=np.int64),
        scales=np.ones((arms, n_outputs)),
        norms=np.zeros((arms, n_outputs)),
    )


def grow(space: Examples) -> None:
    """Make the pool an eighth larger, in place: the arrays are reallocated, not copied beside themselves."""
    pool = len(space.tiles)
    for array in (space.tiles, space.squares, space.large, space.coefficients, space.following):
        array.resize((pool + max(4, pool // 8), *array.shape[1:]), refcheck=False)


@workspace.register(Examples)
def _workspace(space: Any, rows: int, arms: int) -> Any:
    pool, inputs, _ = space.tiles.shape
    ahead = min(pool, AHEAD_TILES) if rows > 1 else 0
    return Work(
        np.empty((ahead * BLOCK + 1, TILE)),
        np.empty((1, TILE)),
        np.zeros(ahead, np.int64),
        np.empty(2, np.int64),
        np.empty(inputs, np.int64),
        np.empty((BLOCK, 2)),
    )


@block_size.register(Examples)
def _block_size(space: Any) -> int:
    return BLOCK


@look_ahead.register(Examples)
def _look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
    work.block[0], work.block[1] = start, stop
    for row in range(start, stop):
        square = 0.0
        for k in range(X.shape[1]):
            square += X[row, k] ** 2
        work.rows[row - start, 0] = square
        work.rows[row - start, 1] = largest_input(X, row)


@evaluate.register(Examples)
def _evaluate(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, expected: float, f: np.ndarray
) -> None:
    chain = 0 if space.shared else arm
    family, first, second = space.family[arm], space.parameters[arm, 0], space.parameters[arm, 1]
    coefficients, values, sums, ready = space.coefficients, work.values, work.sums, work.ready
    outputs, stop = coefficients.shape[1], work.block[1]
    square, largest = work.rows[slot, 0], work.rows[slot, 1]
    full = space.chains[chain, 2] // TILE
    for m in range(outputs):
        f[arm, m] = 0.0
    tile, done = space.chains[chain, 0], 0
    while tile != EMPTY:
        at, until = len(ready) * BLOCK, row + 1
        by_product = family == DOT or (largest <= PRODUCT_LIMIT and space.large[tile] == 0 and family != LAPLACIAN)
        if not by_product:
            direct_distances(space.tiles, tile, X, row, family == LAPLACIAN, sums, at)
        else:
            there = tile < len(ready) and ready[tile] == stop
            if there or (done < full and expected >= AHEAD_PAYS and tile < len(ready)):
                at, until = tile * BLOCK + slot, stop
                ready[tile] = stop
            if not there:
                product(space.tiles, tile, X, row, until, work.columns, sums, at)
        kernel_values(family, first, second, sums, at, by_product, square, space.squares, tile, values)
        for m in range(outputs):
            f[arm, m] += dot(coefficients, tile, m, values, 0)  # over all columns of the tile, filled or not
        tile = space.following[tile]
        done += 1
    for m in range(outputs):
        f[arm, m] *= space.scales[chain, m]


@learn.register(Examples)
def _learn(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, f: np.ndarray, steps: np.ndarray, shrink: float
) -> None:
    chain = 0 if space.shared else arm
    outputs = space.coefficients.shape[1]
    idle = True
    for m in range(outputs):
        idle = idle and steps[m] == 0.0
        space.scales[chain, m] *= shrink
        space.norms[chain, m] *= shrink * shrink
    if space.used[1] >= space.capacity or (idle and not space.shared):  # a budget also counts examples of no effect
        return
    tile, column = space.chains[chain, 1], space.chains[chain, 2] % TILE
    if column == 0:
        tile = _new_tile(space, chain)
    for k in range(X.shape[1]):
        space.tiles[tile, k, column] = X[row, k]
    space.squares[tile, column] = work.rows[slot, 0]
    if work.rows[slot, 1] > PRODUCT_LIMIT:
        space.large[tile] = 1
    space.chains[chain, 2] += 1
    space.used[1] += 1
    itself = self_kernel(space, X, row, arm)
    for m in range(outputs):
        step = steps[m]
        space.coefficients[tile, m, column] = -step / space.scales[chain, m]
        # |f - step k(x,.)|^2 = |f|^2 - 2 step f(x) + step^2 k(x,x), with f(x) the value before
        norm = max(0.0, space.norms[chain, m] + step * (step * itself - 2.0 * shrink * f[arm, m]))
        if norm > space.radius * space.radius:
            factor = space.radius / math.sqrt(norm)
            space.scales[chain, m] *= factor
            norm *= factor * factor
        space.norms[chain, m] = norm
        if space.scales[chain, m] < 1e-100:
            _fold_scale(space, chain, m)


@inner
def _new_tile(space: Any, chain: int) -> int:
    tile = space.used[0]
    space.used[0] += 1
    space.following[tile] = EMPTY
    if space.chains[chain, 0] == EMPTY:
        space.chains[chain, 0] = tile
    else:
        space.following[space.chains[chain, 1]] = tile
    space.chains[chain, 1] = tile
    return tile


@inner
def _fold_scale(space: Any, chain: int, m: int) -> None:
    """Multiply the scale into the coefficients before it underflows."""
    tile = space.chains[chain, 0]
    while tile != EMPTY:
        for j in range(TILE):
            space.coefficients[tile, m, j] *= space.scales[chain, m]
        tile = space.following[tile]
    space.scales[chain, m] = 1.0


@squared_norm.register(Examples)
def _squared_norm(space: Any, arm: int) -> float:
    total = 0.0
    for m in range(space.norms.shape[1]):
        total += space.norms[arm, m]
    return total


@self_kernel.register(Examples)
def _self_kernel(space: Any, X: np.ndarray, row: int, arm: int) -> float:
    if space.family[arm] != DOT or space.parameters[arm, 0] > 0.0:
        return 1.0
    return 1.0 if largest_input(X, row) > 0.0 else 0.0


@hypotheses.register(Examples)
def _hypotheses(space: Any, first: int, last: int) -> int:
    return first + 1 if space.shared else last


@has_room.register(Examples)
def _has_room(space: Any) -> bool:
    return space.used[0] < len(space.tiles) or space.used[1] >= space.capacity
