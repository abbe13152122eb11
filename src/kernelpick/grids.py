"""kernels="auto": widths around the data's own scale, from the distances between the first rows."""

import numpy as np

from .kernels import Gaussian

ARMS = 6
NARROWEST, WIDEST = 1.0, 4.0  # times the distance of near neighbours, and of a typical pair
NEAR, TYPICAL = 0.05, 0.5  # quantiles of the distances


def around(X: np.ndarray) -> tuple[Gaussian, ...]:
    """Gaussian kernels whose widths form a geometric grid.

    It starts at the distance of near pairs (their 5 % quantile) and ends at four times that of typical ones (the
    median). In one dimension these lie far apart and the grid is wide. In many dimensions all distances are alike, and
    it is narrow: widths far below the smallest distance would only remember single rows.

    >>> import numpy as np
    >>> from kernelpick.grids import around
    >>> [round(kernel.width, 2) for kernel in around(np.eye(50))]
    [1.41, 1.87, 2.46, 3.25, 4.29, 5.66]
    """
    squares = (X**2).sum(1)
    distances = squares[:, None] + squares - 2 * X @ X.T
    distances = np.sqrt(np.maximum(distances[np.triu_indices(len(X), 1)], 0.0))
    distances = distances[distances > 1e-9 * np.sqrt(squares.max(initial=0.0))]
    if len(distances) == 0:  # one row, or copies of it: any scale is as good as another
        distances = np.ones(1)
    near, typical = np.quantile(distances, [NEAR, TYPICAL])
    return tuple(Gaussian(float(width)) for width in np.geomspace(NARROWEST * near, WIDEST * typical, ARMS))
