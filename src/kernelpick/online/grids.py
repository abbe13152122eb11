"""kernels="auto": widths around the data's own scale, from the distances between the first rows.

Two grids: one for the paper's algorithms, whose narrowest width must not be too narrow for a gradient, and a plain one
in powers of two for "auto", whose second-order learners can work with any.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from kernelpick.core.kernels.gaussian import Gaussian

ARMS = 6
NARROWEST, WIDEST = 1.0, 4.0  # times the distance of near neighbours, and of a typical pair
NEAR, TYPICAL = 0.05, 0.5  # quantiles of the distances
SAMPLE, FEW = 128, 48  # rows whose distances are looked at; where no round may do more than its share


def around(X: np.ndarray) -> tuple[Gaussian, ...]:
    """Gaussian kernels whose widths form a geometric grid.

    It starts at the distance of near pairs (their 5 % quantile) and ends at four times that of typical ones (the
    median). In one dimension these lie far apart and the grid is wide. In many dimensions all distances are alike, and
    it is narrow: widths far below the smallest distance would only remember single rows.

    >>> import numpy as np
    >>> from kernelpick.online.grids import around
    >>> [round(kernel.width, 2) for kernel in around(np.eye(50))]
    [1.41, 1.87, 2.46, 3.25, 4.29, 5.66]
    """
    near, typical = np.quantile(_distances(X), [NEAR, TYPICAL])
    return tuple(Gaussian(float(width)) for width in np.geomspace(NARROWEST * near, WIDEST * typical, ARMS))


def powers(
    X: np.ndarray, seen: Callable[[np.ndarray], np.ndarray] = np.asarray, count: int = 5, sample: int = SAMPLE
) -> tuple[Gaussian, ...]:
    """Gaussian kernels of 1/4, 1/2, 1, 2 and 4 times the median distance of evenly spaced rows, as kernels see them; or
    so many of these around 1.

    >>> import numpy as np
    >>> from kernelpick.online.grids import powers
    >>> [round(kernel.width, 2) for kernel in powers(np.eye(50))]
    [0.35, 0.71, 1.41, 2.83, 5.66]
    """
    median = median_distance(X, seen, sample)
    return tuple(Gaussian(factor * median) for factor in factors(count))


def factors(count: int = 5) -> list[float]:
    """Powers of two around 1."""
    return [float(factor) for factor in 2.0 ** (np.arange(count) - count // 2)]


def median_distance(
    X: np.ndarray, seen: Callable[[np.ndarray], np.ndarray] = np.asarray, sample: int = SAMPLE
) -> float:
    """Of evenly spaced rows, as kernels see them."""
    return float(np.median(_distances(seen(spaced(X, sample)))))


def spaced(X: np.ndarray, sample: int) -> np.ndarray:
    """So many rows, at even distances, or all."""
    return X[np.unique(np.linspace(0, len(X) - 1, sample).astype(int))]


@lru_cache(maxsize=2)
def _pairs(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Of so many rows, each with those after it; kept, as all fits look at the same number of rows."""
    return np.triu_indices(count, 1)


def _distances(X: np.ndarray) -> np.ndarray:
    """The distances between rows that differ; a single 1 if none do."""
    squares = (X**2).sum(1)
    distances = squares[:, None] + squares - 2 * X @ X.T
    distances = np.sqrt(np.maximum(distances[_pairs(len(X))], 0.0))
    distances = distances[distances > 1e-9 * np.sqrt(squares.max(initial=0.0))]
    return distances if len(distances) else np.ones(1)  # one row, or copies of it: any scale is as good as another
