"""Small models in files: kept rows in single precision, which they have in the model, too, and half of each matrix."""

from functools import lru_cache

import numpy as np

from kernelpick.core.numerics.panels import padded
from kernelpick.core.numerics.registers import LANES
from kernelpick.core.problem import Problem

ROWS = ("held.X", "held.Y", "recent.X", "recent.Y")
MATRIX = "state.learner.P"


def packed(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a model as its file has them."""
    arrays = arrays | {name: arrays[name].astype(np.float32) for name in ROWS if name in arrays}
    if MATRIX in arrays:
        P = arrays[MATRIX]
        arrays[MATRIX] = P.reshape(len(P), -1).take(_half(P.shape[2])[0], axis=1)
    return arrays


def unpacked(problem: Problem, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The inverse of packed. What has other shapes than the file's specification says is refused before it is made."""
    arrays = arrays | {name: _double(arrays[name]) for name in ROWS if name in arrays}
    if MATRIX in arrays:
        half = arrays[MATRIX]
        order = padded(problem.weights)
        panels = order // LANES
        if half.shape != (problem.seats, LANES**2 * panels * (panels + 1) // 2) or half.dtype != np.float64:
            raise ValueError(f"{MATRIX} is {half.dtype}{half.shape}, which is no half of matrices of order {order}")
        arrays[MATRIX] = half.take(_half(order)[1], axis=1).reshape(len(half), panels, order, LANES)
    return arrays


@lru_cache(maxsize=16)
def _half(order: int) -> tuple[np.ndarray, np.ndarray]:
    """Where in a matrix in panels those numbers are that lie in panels on or above the diagonal; and where among these
    each number of the whole matrix is, or the one that it equals."""
    panel, row, lane = np.indices((order // LANES, order, LANES)).reshape(3, -1)
    kept = np.flatnonzero(row < LANES * (1 + panel))
    places = np.empty(len(row), dtype=np.intp)
    places[kept] = np.arange(len(kept))
    column = LANES * panel + lane
    above = np.where(row <= column, np.arange(len(row)), (row // LANES * order + column) * LANES + row % LANES)
    return kept, places[above]


def _double(array: np.ndarray) -> np.ndarray:
    if array.dtype != np.float32:
        raise ValueError(f"kept rows are {array.dtype} where a small model has single precision")
    return array.astype(np.float64)
