"""What spaces have in common whose hypotheses are weights of cosines and sines: f = weights . z(x), clipped.

Such a space says how it projects a block of rows. It has ``limit``, ``radial``, ``group``, ``family``,
``inverse_width`` and ``weights``; its scratch has ``projections``, ``ready``, ``block`` and ``z`` (see features.py).
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import fma, inner, operation
from kernelpick.core.numerics.elementary import cosines_and_sines
from kernelpick.core.numerics.precision import held
from kernelpick.core.numerics.products import dot
from kernelpick.core.parts import with_operations
from kernelpick.core.rounds import SHORT_BLOCK, At


@operation
def project(space: Any, work: Any, X: np.ndarray, group: int) -> None:
    """work.projections[group * SHORT_BLOCK + slot] = the rows of the block times the frequencies of the group."""


def makes_waves(cls: Any) -> Any:
    """Add the operations of a space that projects."""

    def look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
        work.block[0], work.block[1] = start, stop
        for group in range(len(work.ready)):
            work.ready[group] = 0

    def coordinates(space: Any, work: Any, at: At, Z: np.ndarray, z: int, to: int) -> None:
        size = space.weights.shape[2]
        _waves(space, work, at, Z[z], to)
        divisor = held(Z, 1 / math.sqrt(size / 2))
        for j in range(size):
            Z[z, to, j] *= divisor
        for j in range(size, Z.shape[2]):
            Z[z, to, j] = 0.0

    def evaluate(space: Any, work: Any, at: At, values: np.ndarray) -> None:
        z, weights = work.z, space.weights
        _waves(space, work, at, z, at.place)
        divisor = 1 / math.sqrt(weights.shape[2] / 2)
        for m in range(weights.shape[1]):
            values[at.arm, m] = dot(weights, at.arm, m, z, at.place) * divisor

    def step(space: Any, work: Any, at: At, values: np.ndarray, steps: np.ndarray, shrink: float) -> None:
        z, weights, limit, kept = work.z, space.weights, held(space.weights, space.limit), held(space.weights, shrink)
        divisor = 1 / math.sqrt(weights.shape[2] / 2)
        for m in range(weights.shape[1]):
            size = held(weights, steps[m] * divisor)
            for j in range(weights.shape[2]):
                w = fma(-size, z[at.place, j], weights[at.arm, m, j] * kept)
                weights[at.arm, m, j] = min(max(w, -limit), limit)

    def self_kernel(space: Any, at: At) -> float:
        return 1.0  # cos^2 + sin^2, D times, over D

    return with_operations(cls, look_ahead, coordinates, evaluate, step, self_kernel)


@inner
def _waves(space: Any, work: Any, at: Any, z: np.ndarray, place: int) -> None:
    """z[place] = cosines, then sines, of the row."""
    group = space.group[at.arm]
    if not work.ready[group]:
        project(space, work, at.X, group)
        work.ready[group] = 1
    family, scale = space.family[at.arm], space.inverse_width[at.arm]
    cosines_and_sines(work.projections, group * SHORT_BLOCK + at.slot, space.radial, family, scale, z, place)


def slopes_of_waves(directions: np.ndarray, factor: np.ndarray, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(T, d) the gradient of sum_j (a_j cos w_j.x + b_j sin w_j.x)/sqrt(D), whose weights are a, b, and others; the
    frequencies w are directions (d, D) times a factor (D,)."""
    pairs = directions.shape[1]
    angles = X @ directions * factor
    slopes = weights[pairs : 2 * pairs] * np.cos(angles) - weights[:pairs] * np.sin(angles)
    return np.asarray((slopes * factor) @ directions.T / math.sqrt(pairs))
