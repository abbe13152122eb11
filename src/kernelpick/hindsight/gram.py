"""The matrix of a kernel over all rows: products with it, block by block, so that it is never stored as a whole."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from kernelpick.core.kernels.contract import ABSOLUTE, PRODUCT, SQUARED, Kernel
from kernelpick.core.kernels.families import values_at

TILE_ROWS = 512  # rows and columns of a block: two megabytes, which stay in the processor's cache
NEAR = 10.0  # inputs beyond it lose digits where distances are told by products


class Gram:
    """K over the rows of X."""

    def __init__(self, kernel: Kernel, X: np.ndarray) -> None:
        self.kernel = kernel
        self.X = X if kernel.metric == PRODUCT else X - X.mean(0)
        self._lengths = np.einsum("ij,ij->i", self.X, self.X)
        self._by_products = kernel.metric == PRODUCT or (
            kernel.metric == SQUARED and float(np.abs(self.X).max()) <= NEAR
        )

    def __len__(self) -> int:
        return len(self.X)

    def block(self, rows: Any, columns: Any) -> np.ndarray:
        """The kernel of some rows with others."""
        return values_at(self.kernel, self._measured(rows, columns))

    def _measured(self, rows: Any, columns: Any) -> np.ndarray:
        """s of kernels/contract.py for every pair."""
        kernel, scale, X, V = self.kernel, self.kernel.scale, self.X[rows], self.X[columns]
        if not self._by_products:
            return cdist(X, V, "cityblock" if kernel.metric == ABSOLUTE else "sqeuclidean") * scale
        products = X @ V.T
        if kernel.metric == PRODUCT:
            products += scale
            sizes = np.sqrt(np.outer(self._lengths[rows] + scale, self._lengths[columns] + scale))
            return products / np.where(sizes > 0, sizes, 1.0)
        products *= -2.0
        products += self._lengths[rows][:, None]
        products += self._lengths[columns]
        np.maximum(products, 0.0, out=products)
        products *= scale
        return products

    def times(self, A: np.ndarray) -> np.ndarray:
        """K A for some columns A. Each block serves both sides of the diagonal."""
        out = np.zeros_like(A)
        pieces = [slice(start, start + TILE_ROWS) for start in range(0, len(self), TILE_ROWS)]
        for i, rows in enumerate(pieces):
            for columns in pieces[: i + 1]:
                block = self.block(rows, columns)
                out[rows] += block @ A[columns]
                if rows != columns:
                    out[columns] += block.T @ A[rows]
        return out
