"""Random features beside the inputs themselves: z(x) = (cos w.s(x), sin w.s(x))/sqrt(D), 1, x.

The linear part is there for every kernel, so no target is harder than for a linear model. The kernels see squashed
inputs, s(x) = x/sqrt(1 + (x/bound)^2): near 0 the same, never beyond the bound, so that a heavy tail can't push a row
where no other row is. The linear part sees x as it is.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import fma, inner
from ..elementary import cosines_and_sines
from ..kernels import Stationary
from ..panels import times
from ..products import dot, product
from ..registers import LANES
from . import (
    LONG_BLOCK,
    block_size,
    coordinates,
    evaluate,
    learn,
    look_ahead,
    self_kernel,
    workspace,
)
from .features import features, holds_weights

BOUND = 3.0  # in standard deviations, where inputs are scaled


class Augmented(NamedTuple):
    """K hypotheses of M outputs, each 2D + 1 + d weights."""

    limit: float  # weights are not clipped, see there in features.py
    bound: float
    frequencies: np.ndarray  # the next five as in Features
    radial: np.ndarray
    group: np.ndarray
    family: np.ndarray
    inverse_width: np.ndarray
    weights: np.ndarray  # (K, M, 2D + 1 + d)


class Work(NamedTuple):
    squashed: np.ndarray  # (1, rows, d) the block's inputs as the kernels see them
    projections: np.ndarray  # (groups, rows, D)
    panels: np.ndarray  # (groups, D/8, d, 8) the frequencies, laid out for many rows; empty if there are few
    packed: np.ndarray  # (groups,) whether they are there
    ready: np.ndarray  # (groups,) whether this block's projections of the group are there
    block: np.ndarray  # (2,) first row of the block, and the one after its last
    columns: np.ndarray  # (d,) for the nonzero inputs
    z: np.ndarray  # (1, arms, 2D + 1 + d)


def augmented(
    kernels: list[Stationary],
    n_inputs: int,
    n_features: int,
    n_outputs: int,
    seed: int,
    orthogonal: bool = False,
    frequencies: np.ndarray | None = None,
) -> Augmented:
    """Hypotheses that are all zero."""
    base = features(kernels, n_inputs, n_features, n_outputs, np.inf, seed, orthogonal, frequencies)
    arms, outputs, size = base.weights.shape
    shared = base._asdict() | {"weights": np.zeros((arms, outputs, size + 1 + n_inputs))}
    return Augmented(bound=BOUND, **shared)


def squash(X: np.ndarray, bound: float = BOUND) -> np.ndarray:
    """The inputs as the kernels see them."""
    return np.asarray(X / np.sqrt(1.0 + (X / bound) ** 2))


@workspace.register(Augmented)
def _workspace(space: Any, rows: int, arms: int) -> Any:
    groups, inputs, size = space.frequencies.shape
    rows = min(rows, LONG_BLOCK)
    return Work(
        np.empty((1, rows, inputs)),
        np.empty((groups, rows, size)),
        np.empty((groups, size // LANES if rows > LANES and size % LANES == 0 else 0, inputs, LANES)),
        np.zeros(groups, np.int64),
        np.empty(groups, np.int64),
        np.empty(2, np.int64),
        np.empty(inputs, np.int64),
        np.empty((1, arms, space.weights.shape[2])),
    )


@block_size.register(Augmented)
def _block_size(space: Any) -> int:
    return LONG_BLOCK


@look_ahead.register(Augmented)
def _look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
    work.block[0], work.block[1] = start, stop
    for group in range(len(work.ready)):
        work.ready[group] = 0
    for row in range(start, stop):
        for k in range(X.shape[1]):
            ratio = X[row, k] / space.bound
            work.squashed[0, row - start, k] = X[row, k] / math.sqrt(fma(ratio, ratio, 1.0))


@inner
def _project(space: Any, work: Any, group: int) -> None:
    """The block's projections. Both ways sum in the same order, so that the bits are the same."""
    count, panels = work.block[1] - work.block[0], work.panels
    if panels.shape[1] == 0:
        product(space.frequencies, group, work.squashed[0], 0, count, work.columns, work.projections[group], 0)
        return
    if not work.packed[group]:
        for J in range(panels.shape[1]):
            for k in range(panels.shape[2]):
                for lane in range(LANES):
                    panels[group, J, k, lane] = space.frequencies[group, k, J * LANES + lane]
        work.packed[group] = 1
    times(work.squashed, 0, 0, count, panels, group, work.projections, group, 0)


@coordinates.register(Augmented)
def _coordinates(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, Z: np.ndarray, z: int, at: int
) -> None:
    group = space.group[arm]
    if not work.ready[group]:
        _project(space, work, group)
        work.ready[group] = 1
    pairs, inputs = space.frequencies.shape[2], X.shape[1]
    family, scale = space.family[arm], space.inverse_width[arm]
    cosines_and_sines(work.projections[group], slot, space.radial, family, scale, Z[z], at)
    divisor = 1 / math.sqrt(pairs)
    for j in range(2 * pairs):
        Z[z, at, j] *= divisor
    Z[z, at, 2 * pairs] = 1.0
    for k in range(inputs):
        Z[z, at, 2 * pairs + 1 + k] = X[row, k]
    for j in range(2 * pairs + 1 + inputs, Z.shape[2]):
        Z[z, at, j] = 0.0


@evaluate.register(Augmented)
def _evaluate(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, expected: float, f: np.ndarray
) -> None:
    at = arm % work.z.shape[1]
    coordinates(space, work, X, row, slot, arm, work.z, 0, at)
    for m in range(f.shape[1]):
        f[arm, m] = dot(space.weights, arm, m, work.z[0], at)


@learn.register(Augmented)
def _learn(
    space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, f: np.ndarray, steps: np.ndarray, shrink: float
) -> None:
    weights, at = space.weights, arm % work.z.shape[1]
    for m in range(weights.shape[1]):
        for j in range(weights.shape[2]):
            weights[arm, m, j] = fma(-steps[m], work.z[0, at, j], weights[arm, m, j] * shrink)


@self_kernel.register(Augmented)
def _self_kernel(space: Any, X: np.ndarray, row: int, arm: int) -> float:
    total = 2.0  # cos^2 + sin^2, and the constant
    for k in range(X.shape[1]):
        total = fma(X[row, k], X[row, k], total)
    return total


holds_weights(Augmented)
