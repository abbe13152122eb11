"""Random features of structured frequencies: as features.py, with projections in O(D log d) by Hadamard transforms.

A block of n frequencies (n: the inputs, padded to a power of two) is H S_2 H S_1 H S_0 with random signs S, and every
frequency has the length of a normal vector (see kernels/frequencies.py). They are nearly as if they were orthogonal.
For many inputs, where projections are most of a round. Zeros are not skipped.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.kernels.frequencies import dense, structured
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.hadamard import transform
from kernelpick.core.numerics.precision import held
from kernelpick.core.numerics.vectors import LANES
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import SHORT_BLOCK
from kernelpick.core.spaces import space
from kernelpick.core.spaces.features import radials
from kernelpick.core.spaces.waves import makes_waves, slopes_of_waves
from kernelpick.core.spaces.weights import holds_weights


class StructuredWork(NamedTuple):
    projections: np.ndarray  # (SHORT_BLOCK, D)
    ready: np.ndarray  # (1,) as in Features, whose names these are
    block: np.ndarray  # (2,)
    z: np.ndarray  # (players, 2D)
    rows: np.ndarray  # (n, LANES) the block's rows side by side


@space("structured", projects=True, spectral=True, single=True, structured="structured")
@holds_weights
@makes_waves
class StructuredFeatures(NamedTuple):
    """K hypotheses of M outputs, each 2D weights."""

    limit: float  # as in Features
    signs: Annotated[np.ndarray, Axes("groups", 3, "padded", given=True)]
    scales: Annotated[np.ndarray, Axes("features", adds="same")]
    radial: Annotated[np.ndarray, Axes("families", "features", given=True)]
    group: Annotated[np.ndarray, Axes("arms", given=True)]  # all of them zero: there is one spectrum
    family: Annotated[np.ndarray, Axes("arms", given=True)]
    inverse_width: Annotated[np.ndarray, Axes("arms", given=True)]
    weights: Annotated[np.ndarray, Axes("arms", "outputs", "weights", adds="mean")]

    @staticmethod
    def count(problem: Problem) -> int:
        return 2 * problem.n_features

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """Hypotheses that are all zero."""
        if problem.frequencies is not None:
            raise ValueError("frequencies are given, so that none are structured: leave one of the two out.")
        drawn = structured(problem.n_features, problem.inputs, problem.seed)
        weights = np.zeros((problem.arms, problem.outputs, problem.weights), problem.weights_dtype)
        radial, family, inverse_width = radials(problem)
        group = np.zeros(problem.arms, dtype=np.int64)
        given = drawn.signs.astype(problem.dtype), drawn.scales.astype(problem.dtype)
        return cls(problem.ball / math.sqrt(problem.n_features), *given, radial, group, family, inverse_width, weights)

    def gradient(self, arm: int, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
        """(T, d) that of weights . z(x), in the rows of X."""
        factor = self.radial[self.family[arm]] * self.inverse_width[arm]
        return slopes_of_waves(dense(self.signs, self.scales, X.shape[1]).T, factor, weights, X)

    @staticmethod
    def workspace(space: Any, rows: int, players: int) -> Any:
        size, kind = len(space.scales), space.scales.dtype
        flags = empty(1, np.int64), empty(2, np.int64)
        z, side = empty((players, 2 * size), kind), empty((space.signs.shape[2], LANES), kind)
        return StructuredWork(empty((SHORT_BLOCK, size), kind), flags[0], flags[1], z, side)

    @staticmethod
    def project(space: Any, work: Any, X: np.ndarray, group: int) -> None:
        signs, scales, T, start = space.signs, space.scales, work.rows, work.block[0]
        n, count = signs.shape[2], work.block[1] - start
        for b in range(signs.shape[0]):
            for i in range(n):
                for lane in range(LANES):
                    T[i, lane] = 0.0
            for r in range(count):
                for i in range(X.shape[1]):
                    T[i, r] = signs[b, 0, i] * held(scales, X[start + r, i])
            transform(T)
            for factor in range(1, 3):
                for i in range(n):
                    sign = signs[b, factor, i]
                    for lane in range(LANES):
                        T[i, lane] *= sign
                transform(T)
            first = b * n
            for i in range(min(n, len(scales) - first)):
                scale = scales[first + i]
                for r in range(count):
                    work.projections[r, first + i] = T[i, r] * scale
