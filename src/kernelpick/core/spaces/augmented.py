"""Random features beside the inputs themselves: z(x) = (cos w.s(x), sin w.s(x))/sqrt(D), 1, x.

The linear part is there for every kernel, so no target is harder than for a linear model. The kernels see squashed
inputs, s(x) = x/sqrt(1 + (x/bound)^2): near 0 the same, never beyond the bound, so that a heavy tail can't push a row
where no other row is. The linear part sees x as it is.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.elementary import cosines_and_sines
from kernelpick.core.numerics.panels import times
from kernelpick.core.numerics.precision import held
from kernelpick.core.numerics.products import dot, product
from kernelpick.core.numerics.vectors import LANES
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import BLOCK, At
from kernelpick.core.spaces import coordinates, space
from kernelpick.core.spaces.features import slopes_of_features, spectral
from kernelpick.core.spaces.weights import holds_weights

SPARSE = 4  # where fewer than one input of so many is not zero, zeros are skipped
NO_KERNEL = -1  # the family of an arm that sees the inputs alone: its features are zero
BOUND = 3.0  # in standard deviations, where inputs are scaled


class Work(NamedTuple):
    squashed: np.ndarray  # (1, rows, d) the block's inputs as the kernels see them
    projections: np.ndarray  # (groups, rows, D)
    panels: np.ndarray  # (groups, D/8, d, 8) the frequencies, laid out for many rows; empty if there are few
    packed: np.ndarray  # (groups,) whether they are there
    ready: np.ndarray  # (groups,) whether this block's projections of the group are there
    block: np.ndarray  # (3,) first row of the block, the one after its last, and how many of its inputs are not zero
    columns: np.ndarray  # (d,) for the nonzero inputs
    z: np.ndarray  # (1, players, 2D + 1 + d)


@space("augmented", spectral=True, orthogonal=True, single=True, block=BLOCK)
@holds_weights
class Augmented(NamedTuple):
    """K hypotheses of M outputs, each 2D + 1 + d weights."""

    bound: float
    frequencies: Annotated[np.ndarray, Axes("groups", "inputs", "features", adds="same")]  # these five as in Features
    radial: Annotated[np.ndarray, Axes("families", "features", given=True)]
    group: Annotated[np.ndarray, Axes("arms", given=True)]
    family: Annotated[np.ndarray, Axes("arms", given=True)]
    inverse_width: Annotated[np.ndarray, Axes("arms", given=True)]
    weights: Annotated[np.ndarray, Axes("arms", "outputs", "weights", adds="mean")]

    @staticmethod
    def count(problem: Problem) -> int:
        return 2 * problem.n_features + 1 + problem.inputs

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """Hypotheses that are all zero."""
        weights = np.zeros((problem.arms, problem.outputs, problem.weights), problem.weights_dtype)
        return cls(BOUND, *spectral(problem), weights)

    def gradient(self, arm: int, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
        """(T, d) that of weights . z(x), in the rows of X; s(x) has the slope (1 + (x/bound)^2)^(-3/2)."""
        waves = slopes_of_features(self, arm, weights, squash(X, self.bound))
        return np.asarray(waves * (1.0 + (X / self.bound) ** 2) ** -1.5 + weights[len(weights) - X.shape[1] :])

    @staticmethod
    def workspace(space: Any, rows: int, players: int) -> Any:
        groups, inputs, size = space.frequencies.shape
        rows, kind = min(rows, BLOCK), space.frequencies.dtype
        return Work(
            empty((1, rows, inputs), kind),
            empty((groups, rows, size), kind),
            empty((groups, size // LANES if rows > LANES and size % LANES == 0 else 0, inputs, LANES), kind),
            zeroed(groups, np.int64),
            empty(groups, np.int64),
            empty(3, np.int64),
            empty(inputs, np.int64),
            empty((1, players, space.weights.shape[2]), kind),
        )

    @staticmethod
    def look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
        filled = 0
        for group in range(len(work.ready)):
            work.ready[group] = 0
        for row in range(start, stop):
            for k in range(X.shape[1]):
                x = X[row, k]
                filled += x != 0.0
                ratio = x / space.bound
                work.squashed[0, row - start, k] = x / math.sqrt(fma(ratio, ratio, 1.0)) if x != 0.0 else 0.0
        work.block[0], work.block[1], work.block[2] = start, stop, filled

    @staticmethod
    def coordinates(space: Any, work: Any, at: At, Z: np.ndarray, z: int, to: int) -> None:
        pairs, inputs, family = space.frequencies.shape[2], at.X.shape[1], space.family[at.arm]
        if family == NO_KERNEL:
            for j in range(2 * pairs):
                Z[z, to, j] = 0.0
        else:
            _wave(space, work, at, Z, z, to)
        Z[z, to, 2 * pairs] = 1.0
        for k in range(inputs):
            Z[z, to, 2 * pairs + 1 + k] = at.X[at.row, k]
        for j in range(2 * pairs + 1 + inputs, Z.shape[2]):
            Z[z, to, j] = 0.0

    @staticmethod
    def evaluate(space: Any, work: Any, at: At, values: np.ndarray) -> None:
        coordinates(space, work, at, work.z, 0, at.place)
        for m in range(values.shape[1]):
            values[at.arm, m] = dot(space.weights, at.arm, m, work.z[0], at.place)

    @staticmethod
    def step(space: Any, work: Any, at: At, values: np.ndarray, steps: np.ndarray, shrink: float) -> None:
        weights, kept = space.weights, held(space.weights, shrink)
        for m in range(weights.shape[1]):
            size = held(weights, steps[m])
            for j in range(weights.shape[2]):
                weights[at.arm, m, j] = fma(-size, work.z[0, at.place, j], weights[at.arm, m, j] * kept)

    @staticmethod
    def self_kernel(space: Any, at: At) -> float:
        total = 2.0  # cos^2 + sin^2, and the constant
        for k in range(at.X.shape[1]):
            total = fma(at.X[at.row, k], at.X[at.row, k], total)
        return total


def squash(X: np.ndarray, bound: float = BOUND) -> np.ndarray:
    """The inputs as the kernels see them."""
    return np.asarray(X / np.sqrt(1.0 + (X / bound) ** 2))


@inner
def _wave(space: Any, work: Any, at: Any, Z: np.ndarray, z: int, to: int) -> None:
    """The features of the arm's kernel, the first ones of Z[z, to]."""
    group, family, scale = space.group[at.arm], space.family[at.arm], space.inverse_width[at.arm]
    if not work.ready[group]:
        _project(space, work, group)
        work.ready[group] = 1
    cosines_and_sines(work.projections[group], at.slot, space.radial, family, scale, Z[z], to)
    pairs = space.frequencies.shape[2]
    divisor = held(Z, 1 / math.sqrt(pairs))
    for j in range(2 * pairs):
        Z[z, to, j] *= divisor


@inner
def _project(space: Any, work: Any, group: int) -> None:
    """The block's projections. Both ways sum in the same order, so that the bits are the same."""
    count, panels = work.block[1] - work.block[0], work.panels
    if panels.shape[1] == 0 or SPARSE * work.block[2] < count * panels.shape[2]:
        product(space.frequencies, group, work.squashed[0], 0, count, work.columns, work.projections[group], 0)
        return
    if not work.packed[group]:
        for J in range(panels.shape[1]):
            for k in range(panels.shape[2]):
                for lane in range(LANES):
                    panels[group, J, k, lane] = space.frequencies[group, k, J * LANES + lane]
        work.packed[group] = 1
    times(work.squashed, 0, 0, count, panels, group, work.projections, group, 0)
