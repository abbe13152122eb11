"""Random features: z(x) = (cos w_1.x, ..., cos w_D.x, sin w_1.x, ..., sin w_D.x)/sqrt(D), and f = weights . z.

All kernels of one spectrum share the projections u.x: their frequencies are u times a radial factor per frequency, over
the width. So many kernels cost no more than one. Only the Laplacian has a spectrum of its own.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.kernels.frequencies import NORMAL, Spectrum, draw_frequencies
from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.elementary import cosines_and_sines
from kernelpick.core.numerics.precision import held
from kernelpick.core.numerics.products import dot, product
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import SHORT_BLOCK, At
from kernelpick.core.spaces import space
from kernelpick.core.spaces.weights import holds_weights


class Spectral(NamedTuple):
    """What random features are made of; the first matrix is the normal one, which all kernels but few share."""

    frequencies: np.ndarray  # (groups, d, D)
    radial: np.ndarray  # (families, D)
    group: np.ndarray  # (K,) which matrix an arm uses
    family: np.ndarray  # (K,) which row of radial
    inverse_width: np.ndarray  # (K,)


def spectra(kernels: Sequence[Any]) -> list[Spectrum]:
    """The distributions that these kernels draw from, the normal one first."""
    return list(dict.fromkeys([NORMAL, *(kernel.spectrum for kernel in kernels)]))


def spectral(problem: Problem) -> Spectral:
    """The frequencies of a problem."""
    kernels: Any = problem.kernels
    size, inputs, seed = problem.n_features, problem.inputs, problem.seed
    normal = problem.frequencies
    if normal is None:
        normal = draw_frequencies(size, inputs, orthogonal=problem.orthogonal, random_state=seed)
    groups = spectra(problem.kernels)
    matrices = [normal.T, *(spectrum.matrix(size, inputs, seed).T for spectrum in groups[1:])]
    radials = {(type(kernel), kernel.shape): kernel.radial(size, seed) for kernel in kernels}
    rows = list(radials)
    return Spectral(
        np.ascontiguousarray(np.stack(matrices), dtype=problem.dtype),
        np.stack(list(radials.values())).astype(problem.dtype),
        np.array([groups.index(kernel.spectrum) for kernel in kernels], dtype=np.int64),
        np.array([rows.index((type(kernel), kernel.shape)) for kernel in kernels], dtype=np.int64),
        np.array([1 / kernel.width for kernel in kernels], dtype=problem.dtype),
    )


class Work(NamedTuple):
    projections: np.ndarray  # (groups * SHORT_BLOCK, D)
    ready: np.ndarray  # (groups,) whether this block's projections of the group are there
    block: np.ndarray  # (2,) first and last row of the block
    columns: np.ndarray  # (d,) for the nonzero inputs
    z: np.ndarray  # (players, 2D) features, not yet divided by sqrt(D); one row serves all arms if one plays


@space("features", projects=True, spectral=True, single=True)
@holds_weights
class Features(NamedTuple):
    """K hypotheses of M outputs, each 2D weights."""

    limit: float  # every weight is clipped to +-limit (infinite where the algorithm does not project)
    frequencies: Annotated[np.ndarray, Axes("groups", "inputs", "features", adds="same")]
    radial: Annotated[np.ndarray, Axes("families", "features", given=True)]
    group: Annotated[np.ndarray, Axes("arms", given=True)]
    family: Annotated[np.ndarray, Axes("arms", given=True)]
    inverse_width: Annotated[np.ndarray, Axes("arms", given=True)]
    weights: Annotated[np.ndarray, Axes("arms", "outputs", "weights", adds="mean")]

    @staticmethod
    def count(problem: Problem) -> int:
        return 2 * problem.n_features

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """Hypotheses that are all zero."""
        weights = np.zeros((problem.arms, problem.outputs, problem.weights), problem.weights_dtype)
        return cls(problem.ball / math.sqrt(problem.n_features), *spectral(problem), weights)

    def gradient(self, arm: int, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
        """(T, d) that of weights . z(x), in the rows of X."""
        return slopes_of_waves(self, arm, weights, X)

    @staticmethod
    def workspace(space: Any, rows: int, players: int) -> Any:
        groups, inputs, size = space.frequencies.shape
        projections, z = (
            np.empty((groups * SHORT_BLOCK, size), space.frequencies.dtype),
            np.empty((players, 2 * size), space.frequencies.dtype),
        )
        return Work(projections, np.empty(groups, np.int64), np.empty(2, np.int64), np.empty(inputs, np.int64), z)

    @staticmethod
    def look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
        work.block[0], work.block[1] = start, stop
        for group in range(len(work.ready)):
            work.ready[group] = 0

    @staticmethod
    def coordinates(space: Any, work: Any, at: At, Z: np.ndarray, z: int, to: int) -> None:
        size = space.weights.shape[2]
        _waves(space, work, at, Z[z], to)
        divisor = held(Z, 1 / math.sqrt(size / 2))
        for j in range(size):
            Z[z, to, j] *= divisor
        for j in range(size, Z.shape[2]):
            Z[z, to, j] = 0.0

    @staticmethod
    def evaluate(space: Any, work: Any, at: At, values: np.ndarray) -> None:
        z, weights = work.z, space.weights
        _waves(space, work, at, z, at.place)
        divisor = 1 / math.sqrt(weights.shape[2] / 2)
        for m in range(weights.shape[1]):
            values[at.arm, m] = dot(weights, at.arm, m, z, at.place) * divisor

    @staticmethod
    def step(space: Any, work: Any, at: At, values: np.ndarray, steps: np.ndarray, shrink: float) -> None:
        z, weights, limit, kept = work.z, space.weights, held(space.weights, space.limit), held(space.weights, shrink)
        divisor = 1 / math.sqrt(weights.shape[2] / 2)
        for m in range(weights.shape[1]):
            size = held(weights, steps[m] * divisor)
            for j in range(weights.shape[2]):
                w = fma(-size, z[at.place, j], weights[at.arm, m, j] * kept)
                weights[at.arm, m, j] = min(max(w, -limit), limit)

    @staticmethod
    def self_kernel(space: Any, at: At) -> float:
        return 1.0  # cos^2 + sin^2, D times, over D


def slopes_of_waves(space: Any, arm: int, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(T, d) the gradient of sum_j (a_j cos w_j.x + b_j sin w_j.x)/sqrt(D), whose weights are a, b, and others."""
    directions = space.frequencies[space.group[arm]]
    pairs, factor = directions.shape[1], space.radial[space.family[arm]] * space.inverse_width[arm]
    angles = X @ directions * factor
    slopes = weights[pairs : 2 * pairs] * np.cos(angles) - weights[:pairs] * np.sin(angles)
    return np.asarray((slopes * factor) @ directions.T / math.sqrt(pairs))


@inner
def _waves(space: Any, work: Any, at: Any, z: np.ndarray, place: int) -> None:
    """z[place] = cosines, then sines, of the row."""
    group = space.group[at.arm]
    first = group * SHORT_BLOCK
    if not work.ready[group]:
        product(space.frequencies, group, at.X, work.block[0], work.block[1], work.columns, work.projections, first)
        work.ready[group] = 1
    family, scale = space.family[at.arm], space.inverse_width[at.arm]
    cosines_and_sines(work.projections, first + at.slot, space.radial, family, scale, z, place)
