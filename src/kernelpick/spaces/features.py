"""Random features: z(x) = (cos w_1.x, ..., cos w_D.x, sin w_1.x, ..., sin w_D.x)/sqrt(D), and f = weights . z.

All kernels but the Laplacian share the projections u.x: their frequencies are u times a radial factor per frequency,
over the width. So many kernels cost no more than one.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import fma, inner
from ..elementary import cosines_and_sines
from ..kernels import LAPLACIAN, Stationary, draw_cauchy_frequencies, draw_frequencies
from ..products import dot, product
from . import (
    BLOCK,
    block_size,
    clear,
    coordinates,
    evaluate,
    has_room,
    hypotheses,
    learn,
    look_ahead,
    self_kernel,
    squared_norm,
    workspace,
)


class Features(NamedTuple):
    """K hypotheses of M outputs, each 2D weights."""

    limit: float  # every weight is clipped to +-limit (infinite where the algorithm does not project)
    frequencies: np.ndarray  # (groups, d, D): one shared normal matrix, then the Laplacian's own where there is one
    radial: np.ndarray  # (families, D)
    group: np.ndarray  # (K,) which matrix an arm uses
    family: np.ndarray  # (K,) which row of radial
    inverse_width: np.ndarray  # (K,)
    weights: np.ndarray  # (K, M, 2D)


class Work(NamedTuple):
    projections: np.ndarray  # (groups * BLOCK, D)
    ready: np.ndarray  # (groups,) whether this block's projections of the group are there
    block: np.ndarray  # (2,) first and last row of the block
    columns: np.ndarray  # (d,) for the nonzero inputs
    z: np.ndarray  # (arms, 2D) features, not yet divided by sqrt(D); one row serves all arms if one plays


def features(
    kernels: list[Stationary],
    n_inputs: int,
    n_features: int,
    n_outputs: int,
    radius: float,
    seed: int,
    orthogonal: bool = False,
    frequencies: np.ndarray | None = None,
) -> Features:
    """Hypotheses that are all zero."""
    if frequencies is None:
        frequencies = draw_frequencies(n_features, n_inputs, orthogonal=orthogonal, random_state=seed)
    n_features = len(frequencies)
    matrices = [frequencies.T]
    own = [kernel.family == LAPLACIAN for kernel in kernels]
    if any(own):
        matrices.append(draw_cauchy_frequencies(n_features, n_inputs, seed).T)
    families = sorted({type(kernel) for kernel in kernels}, key=lambda family: family.family)
    return Features(
        limit=radius / math.sqrt(n_features),
        frequencies=np.ascontiguousarray(np.stack(matrices)),
        radial=np.stack([family.radial(n_features, seed) for family in families]),
        group=np.array(own, dtype=np.int64),
        family=np.array([families.index(type(kernel)) for kernel in kernels], dtype=np.int64),
        inverse_width=np.array([1 / kernel.width for kernel in kernels]),
        weights=np.zeros((len(kernels), n_outputs, 2 * n_features)),
    )


@workspace.register(Features)
def _workspace(space: Any, rows: int, arms: int) -> Any:
    groups, inputs, size = space.frequencies.shape
    return Work(
        np.empty((groups * BLOCK, size)),
        np.empty(groups, np.int64),
        np.empty(2, np.int64),
        np.empty(inputs, np.int64),
        np.empty((arms, 2 * size)),
    )


@block_size.register(Features)
def _block_size(space: Any) -> int:
    return BLOCK


@look_ahead.register(Features)
def _look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
    work.block[0], work.block[1] = start, stop
    for group in range(len(work.ready)):
        work.ready[group] = 0


@inner
def _waves(space: Any, work: Any, X: np.ndarray, slot: int, arm: int, z: np.ndarray, at: int) -> None:
    """z[at] = cosines, then sines, of the row in the slot."""
    group = space.group[arm]
    if not work.ready[group]:
        product(
            space.frequencies, group, X, work.block[0], work.block[1], work.columns, work.projections, group * BLOCK
        )
        work.ready[group] = 1
    family, scale = space.family[arm], space.inverse_width[arm]
    cosines_and_sines(work.projections, group * BLOCK + slot, space.radial, family, scale, z, at)


@coordinates.register(Features)
def _coordinates(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, Z: np.ndarray, z: int, at: int
) -> None:
    size = space.weights.shape[2]
    _waves(space, work, X, slot, arm, Z[z], at)
    divisor = 1 / math.sqrt(size / 2)
    for j in range(Z.shape[2]):
        Z[z, at, j] = Z[z, at, j] * divisor if j < size else 0.0


@evaluate.register(Features)
def _evaluate(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, expected: float, f: np.ndarray
) -> None:
    z, weights = work.z, space.weights
    at = arm % len(z)
    _waves(space, work, X, slot, arm, z, at)
    divisor = 1 / math.sqrt(weights.shape[2] / 2)
    for m in range(weights.shape[1]):
        f[arm, m] = dot(weights, arm, m, z, at) * divisor


@learn.register(Features)
def _learn(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, f: np.ndarray, steps: np.ndarray, shrink: float
) -> None:
    z, weights, limit = work.z, space.weights, space.limit
    at = arm % len(z)
    divisor = 1 / math.sqrt(weights.shape[2] / 2)
    for m in range(weights.shape[1]):
        step = steps[m] * divisor
        for j in range(weights.shape[2]):
            w = fma(-step, z[at, j], weights[arm, m, j] * shrink)
            weights[arm, m, j] = min(max(w, -limit), limit)


@self_kernel.register(Features)
def _self_kernel(space: Any, X: np.ndarray, row: int, arm: int) -> float:
    return 1.0  # cos^2 + sin^2, D times, over D


def holds_weights(cls: type) -> None:
    """Register what spaces have in common whose hypotheses are rows of weights, one each, of a fixed number."""

    @clear.register(cls)
    def _clear(space: Any, arm: int) -> None:
        for m in range(space.weights.shape[1]):
            for j in range(space.weights.shape[2]):
                space.weights[arm, m, j] = 0.0

    @squared_norm.register(cls)
    def _squared_norm(space: Any, arm: int) -> float:
        total = 0.0
        for m in range(space.weights.shape[1]):
            total += dot(space.weights, arm, m, space.weights[arm], m)
        return total

    @hypotheses.register(cls)
    def _hypotheses(space: Any, first: int, last: int) -> int:
        return last

    @has_room.register(cls)
    def _has_room(space: Any) -> bool:
        return True


holds_weights(Features)
