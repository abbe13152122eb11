"""Random features: z(x) = (cos w_1.x, ..., cos w_D.x, sin w_1.x, ..., sin w_D.x)/sqrt(D), and f = weights . z.

All kernels of one spectrum share the projections u.x: their frequencies are u times a radial factor per frequency, over
the width. So many kernels cost no more than one. Only the Laplacian has a spectrum of its own.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.kernels.frequencies import NORMAL, Spectrum, draw_frequencies
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.products import product
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import SHORT_BLOCK
from kernelpick.core.spaces import space
from kernelpick.core.spaces.waves import makes_waves, slopes_of_waves
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
    # Kernels of a learned distance have the same normal numbers, to which metric.py applies what was learned.
    matrices = [normal.T if own.matrix is NORMAL.matrix else own.matrix(size, inputs, seed).T for own in groups]
    radial, family, inverse_width = radials(problem)
    group = np.array([groups.index(kernel.spectrum) for kernel in kernels], dtype=np.int64)
    frequencies = np.ascontiguousarray(np.stack(matrices), dtype=problem.dtype)
    return Spectral(frequencies, radial, group, family, inverse_width)


def radials(problem: Problem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What frequencies are multiplied by: rows of radial parts, which of them an arm has, and 1/width of the arms."""
    kernels: Any = problem.kernels
    size, seed = problem.n_features, problem.seed
    found = {(type(kernel), kernel.shape): kernel.radial(size, seed) for kernel in kernels}
    rows = list(found)
    return (
        np.stack(list(found.values())).astype(problem.dtype),
        np.array([rows.index((type(kernel), kernel.shape)) for kernel in kernels], dtype=np.int64),
        np.array([1 / kernel.width for kernel in kernels], dtype=problem.dtype),
    )


class Work(NamedTuple):
    projections: np.ndarray  # (groups * SHORT_BLOCK, D)
    ready: np.ndarray  # (groups,) whether this block's projections of the group are there
    block: np.ndarray  # (2,) first and last row of the block
    columns: np.ndarray  # (d,) for the nonzero inputs
    z: np.ndarray  # (players, 2D) features, not yet divided by sqrt(D); one row serves all arms if one plays


@space("features", projects=True, spectral=True, single=True, structured="structured")
@holds_weights
@makes_waves
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
        return slopes_of_features(self, arm, weights, X)

    @staticmethod
    def workspace(space: Any, rows: int, players: int) -> Any:
        groups, inputs, size = space.frequencies.shape
        projections, z = (
            empty((groups * SHORT_BLOCK, size), space.frequencies.dtype),
            empty((players, 2 * size), space.frequencies.dtype),
        )
        return Work(projections, empty(groups, np.int64), empty(2, np.int64), empty(inputs, np.int64), z)

    @staticmethod
    def project(space: Any, work: Any, X: np.ndarray, group: int) -> None:
        start, stop, to = work.block[0], work.block[1], group * SHORT_BLOCK
        product(space.frequencies, group, X, start, stop, work.columns, work.projections, to)


def slopes_of_features(space: Any, arm: int, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(T, d) the gradient of what these weights of cosines and sines say."""
    factor = space.radial[space.family[arm]] * space.inverse_width[arm]
    return slopes_of_waves(space.frequencies[space.group[arm]], factor, weights, X)
