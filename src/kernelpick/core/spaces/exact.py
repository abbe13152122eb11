"""Exact hypotheses: f is a sum of kernels at stored examples.

Examples lie in tiles of TILE columns, so that one row meets a whole tile in vector lanes. The tiles are one pool; each
hypothesis is a chain of them. An example belongs to the hypothesis that learned from it, so it is stored once for each.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.kernels.contract import PRODUCT
from kernelpick.core.kernels.families import families_of, fill, numbers_of
from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import inlined
from kernelpick.core.numerics.products import dot, product
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import SHORT_BLOCK, At
from kernelpick.core.spaces import self_kernel, space
from kernelpick.core.spaces.chains import EMPTY, append, check_chains, fold_scale
from kernelpick.core.spaces.gathered import gathered
from kernelpick.core.spaces.tiles import BY_PRODUCT, TILE, direct_distances, is_absolute, largest_input, measure

PRODUCT_LIMIT = 10.0  # |x|^2 + |v|^2 - 2 x.v loses digits where inputs are larger; there, direct differences
AHEAD_TILES = 512  # how many tiles the look-ahead covers: 4 MB of scratch
AHEAD_PAYS = 0.5  # looking ahead for an arm pays where it is likely to be drawn again soon
UNBOUNDED = 2**62


class Work(NamedTuple):
    sums: np.ndarray  # (ahead * SHORT_BLOCK + 1, TILE) products of the block's rows with full tiles; last, for any use
    values: np.ndarray  # (1, TILE) kernel values
    ready: np.ndarray  # (ahead,) the block, by its last row, for which a tile's products are there
    block: np.ndarray  # (2,) first row of the block, and the one after its last
    columns: np.ndarray  # (d,) for the nonzero inputs
    rows: np.ndarray  # (SHORT_BLOCK, 2) |x|^2 and largest |input| of each row


@space("exact", projects=True, restarts=False, linear=False)
class Examples(NamedTuple):
    """Coefficients of M outputs on stored examples; K kernels."""

    radius: float  # hypotheses are projected on the ball of this radius (infinite where the algorithm does not)
    shared: bool  # one chain for all kernels
    capacity: int  # how many examples may be held
    families: Any  # see kernels/families.py
    family: Annotated[np.ndarray, Axes("arms", given=True)]
    metric: Annotated[np.ndarray, Axes("arms", given=True)]
    parameters: Annotated[np.ndarray, Axes("arms", "parameters", given=True)]  # scale and shape
    tiles: Annotated[np.ndarray, Axes("pool", "inputs", TILE)]  # the examples, one a column
    squares: Annotated[np.ndarray, Axes("pool", TILE)]  # |x|^2
    large: Annotated[np.ndarray, Axes("pool")]  # 1 where an input is beyond PRODUCT_LIMIT
    coefficients: Annotated[np.ndarray, Axes("pool", "outputs", TILE)]
    following: Annotated[np.ndarray, Axes("pool")]  # the next tile of the same chain
    chains: Annotated[np.ndarray, Axes("arms", 3)]  # first tile, last tile, number of examples
    used: Annotated[np.ndarray, Axes(2)]  # tiles in use, examples held
    scales: Annotated[np.ndarray, Axes("arms", "outputs", fresh=1.0, even=True)]  # of all coefficients of a hypothesis
    norms: Annotated[np.ndarray, Axes("arms", "outputs", even=True)]  # squared

    @staticmethod
    def count(problem: Problem) -> int:
        return 0

    @classmethod
    def build(cls, problem: Problem) -> Self:
        return cls.holding(problem, shared=False, capacity=UNBOUNDED)

    @classmethod
    def holding(cls, problem: Problem, shared: bool, capacity: int) -> Self:
        """Hypotheses that are all zero."""
        kernels, arms, outputs = problem.kernels, problem.arms, problem.outputs
        chains = np.full((arms, 3), EMPTY)
        chains[:, 2] = 0
        width = max(len(kernel.shape) for kernel in kernels)
        return cls(
            radius=problem.ball,
            shared=shared,
            capacity=capacity,
            families=families_of(kernels),
            family=numbers_of(kernels),
            metric=np.array([kernel.metric for kernel in kernels], dtype=np.int64),
            parameters=np.array([(k.scale, *k.shape, *[0.0] * (width - len(k.shape))) for k in kernels]),
            tiles=np.zeros((0, problem.inputs, TILE)),
            squares=np.zeros((0, TILE)),
            large=np.zeros(0, dtype=np.int64),
            coefficients=np.zeros((0, outputs, TILE)),
            following=np.zeros(0, dtype=np.int64),
            chains=chains,
            used=np.zeros(2, dtype=np.int64),
            scales=np.ones((arms, outputs)),
            norms=np.zeros((arms, outputs)),
        )

    def grown(self) -> Self:
        """With a pool that is an eighth larger: other arrays, so that whoever looks at the old ones still can."""
        pool = len(self.tiles)
        more = max(4, self.family.size, pool // 8)

        def longer(array: np.ndarray) -> np.ndarray:
            out = np.zeros((pool + more, *array.shape[1:]), array.dtype)
            out[:pool] = array
            return out

        pooled = ("tiles", "squares", "large", "coefficients", "following")
        longer_ones: dict[str, Any] = {name: longer(getattr(self, name)) for name in pooled}
        return self._replace(**longer_ones)

    def checked(self) -> None:
        """Refuse arrays that do not fit together."""
        check_chains(self.chains, self.following, self.used)

    def added(self, states: Any, whole: Any) -> Self:
        """All examples of all shards, see gathered.py."""
        return self._replace(**gathered(self, [state.space for state in states], [state.rounds for state in states]))

    @staticmethod
    def workspace(space: Any, rows: int, players: int) -> Any:
        pool, inputs, _ = space.tiles.shape
        ahead = min(pool, AHEAD_TILES) if rows > 1 else 0
        sums, values = empty((ahead * SHORT_BLOCK + 1, TILE)), empty((1, TILE))
        columns, squares = empty(inputs, np.int64), empty((SHORT_BLOCK, 2))
        return Work(sums, values, zeroed(ahead, np.int64), empty(2, np.int64), columns, squares)

    @staticmethod
    def look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
        work.block[0], work.block[1] = start, stop
        for row in range(start, stop):
            square = 0.0
            for k in range(X.shape[1]):
                square += X[row, k] ** 2
            work.rows[row - start, 0] = square
            work.rows[row - start, 1] = largest_input(X, row)

    @staticmethod
    def evaluate(space: Any, work: Any, at: At, values: np.ndarray) -> None:
        chain = 0 if space.shared else at.arm
        outputs = space.coefficients.shape[1]
        for m in range(outputs):
            values[at.arm, m] = 0.0
        tile, done = space.chains[chain, 0], 0
        full = space.chains[chain, 2] // TILE
        while tile != EMPTY:
            _kernel_values(space, work, at, tile, done < full)
            for m in range(outputs):  # over all columns of the tile, filled or not
                values[at.arm, m] += dot(space.coefficients, tile, m, work.values, 0)
            tile = space.following[tile]
            done += 1
        for m in range(outputs):
            values[at.arm, m] *= space.scales[chain, m]

    @staticmethod
    def step(space: Any, work: Any, at: At, values: np.ndarray, steps: np.ndarray, shrink: float) -> None:
        chain = 0 if space.shared else at.arm
        outputs = space.coefficients.shape[1]
        idle = True
        for m in range(outputs):
            idle = idle and steps[m] == 0.0
            space.scales[chain, m] *= shrink
            space.norms[chain, m] *= shrink * shrink
        if space.used[1] >= space.capacity or (idle and not space.shared):  # a budget counts examples of no effect, too
            return
        tile, column = append(space, chain, at)
        space.squares[tile, column] = work.rows[at.slot, 0]
        if work.rows[at.slot, 1] > PRODUCT_LIMIT:
            space.large[tile] = 1
        itself = self_kernel(space, at)
        for m in range(outputs):
            size = steps[m]
            space.coefficients[tile, m, column] = -size / space.scales[chain, m]
            # |f - size k(x,.)|^2 = |f|^2 - 2 size f(x) + size^2 k(x,x), with f(x) the value before
            norm = max(0.0, space.norms[chain, m] + size * (size * itself - 2.0 * shrink * values[at.arm, m]))
            if norm > space.radius * space.radius:
                factor = space.radius / math.sqrt(norm)
                space.scales[chain, m] *= factor
                norm *= factor * factor
            space.norms[chain, m] = norm
            if space.scales[chain, m] < 1e-100:
                fold_scale(space, chain, m)

    @staticmethod
    def coordinates(space: Any, work: Any, at: At, Z: np.ndarray, z: int, to: int) -> None:
        """There are none: learners that need features are refused (see algorithms.py)."""

    @staticmethod
    def squared_norm(space: Any, arm: int) -> float:
        total = 0.0
        for m in range(space.norms.shape[1]):
            total += space.norms[arm, m]
        return total

    @staticmethod
    def self_kernel(space: Any, at: At) -> float:
        if space.metric[at.arm] != PRODUCT or space.parameters[at.arm, 0] > 0.0:
            return 1.0
        return 1.0 if largest_input(at.X, at.row) > 0.0 else 0.0

    @staticmethod
    def is_shared(space: Any) -> bool:
        return space.shared

    @staticmethod
    def has_room(space: Any, players: int) -> bool:
        wanted = 1 if space.shared else players
        return space.used[0] + wanted <= len(space.tiles) or space.used[1] >= space.capacity


@space("shared", common=True)
class Shared(Examples):
    """One budget of examples, one chain, on which every kernel puts its own values (LKMBooks)."""

    __slots__ = ()

    @classmethod
    def build(cls, problem: Problem) -> Any:
        """As the other kind, so that both are served by the same compiled code."""
        return Examples.holding(problem, shared=True, capacity=problem.budget)


@inlined
def _kernel_values(space: Any, work: Any, at: Any, tile: int, full: bool) -> None:
    """work.values[0] = the kernel of the row with all examples of a tile; full: the tile does not change any more."""
    sums, ready, stop = work.sums, work.ready, work.block[1]
    place, until = len(ready) * SHORT_BLOCK, at.row + 1
    absolute, small = is_absolute(space, at.arm), work.rows[at.slot, 1] <= PRODUCT_LIMIT and space.large[tile] == 0
    by_product = space.metric[at.arm] == PRODUCT or (small and not absolute)
    if not by_product:
        direct_distances(space.tiles, tile, at, absolute, sums, place)
    else:
        there = tile < len(ready) and ready[tile] == stop
        if there or (full and at.chance >= AHEAD_PAYS and tile < len(ready)):
            place, until = tile * SHORT_BLOCK + at.slot, stop
            ready[tile] = stop
        if not there:
            product(space.tiles, tile, at.X, at.row, until, work.columns, sums, place)
    metric = BY_PRODUCT if by_product and space.metric[at.arm] != PRODUCT else space.metric[at.arm]
    scale, square = space.parameters[at.arm, 0], work.rows[at.slot, 0]
    measure(metric, scale, square, sums, place, space.squares, tile, work.values)
    fill(space.families, space.family[at.arm], space.parameters, at.arm, work.values)
