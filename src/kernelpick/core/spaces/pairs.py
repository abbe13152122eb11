"""A few rows against one: the kernel by direct differences, for examples that are held outside the tiles."""

import math
from typing import Any

import numpy as np

from kernelpick.core.kernels.contract import ABSOLUTE, PRODUCT
from kernelpick.core.kernels.families import fill
from kernelpick.core.numerics.compilation import fma, inner


@inner
def kernel_values(space: Any, arm: int, rows: np.ndarray, count: int, X: np.ndarray, row: int, out: np.ndarray) -> None:
    """out[0, s] = the arm's kernel at rows[s] and X[row], for s below the count; then zeros."""
    metric, scale = space.metric[arm], space.parameters[arm, 0]
    for s in range(count):
        total, x, v = 0.0, scale, scale
        for k in range(X.shape[1]):
            apart = X[row, k] - rows[s, k]
            if metric == PRODUCT:
                total = fma(X[row, k], rows[s, k], total)
                x, v = fma(X[row, k], X[row, k], x), fma(rows[s, k], rows[s, k], v)
            else:
                total = total + abs(apart) if metric == ABSOLUTE else fma(apart, apart, total)
        if metric == PRODUCT:
            out[0, s] = (total + scale) / math.sqrt(x * v) if x * v > 0.0 else 0.0
        else:
            out[0, s] = total * scale
    for s in range(count, out.shape[1]):
        out[0, s] = 0.0
    fill(space.families, space.family[arm], space.parameters, arm, out)
    for s in range(count, out.shape[1]):
        out[0, s] = 0.0
