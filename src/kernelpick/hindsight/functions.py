"""How the search tells functions: by coefficients of the kernels at all rows, or by coordinates where these are fewer.

Where the matrix K of the kernel has less than full rank, as that of a linear kernel or of rows that repeat, many
coefficients belong to one function. They can be large where the function is small, and a'Ka is then rounding only. With
K = L L', coordinates w = L'a tell one function each: its values are L w and its norm is |w|, without differences of
large numbers.
"""

from typing import Protocol

import numpy as np
from scipy.linalg import cho_factor, cho_solve, qr, solve_triangular

from kernelpick.hindsight.gram import Gram
from kernelpick.hindsight.newton import direction, near

LEAST_RANK, ROWS_A_RANK = 250, 16  # of the matrix that stands for K where steps are made: this, or a rank for 16 rows
MOST = 250  # coordinates, or more where there are few rows:
WORK = 5e8  # rows times coordinates squared, what a step takes; beyond it, sums over all pairs are faster
ROUNDING = 1e-14  # of the kernel at a row with itself, 1: less than this is what rounding leaves of 0


class Functions(Protocol):
    """Functions as arrays c, of which ``size`` numbers are one function; several are columns."""

    size: int

    def combined(self, b: np.ndarray) -> np.ndarray:
        """The sum of b_t k(x_t, .)."""

    def duals(self, c: np.ndarray) -> np.ndarray:
        """What c is multiplied by to give products in the space of the kernel: |f|^2 = c.duals(c)."""

    def values(self, duals: np.ndarray) -> np.ndarray:
        """The values at all rows, from the duals."""

    def step(self, curvatures: np.ndarray, multiplier: float, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Newton's step from c, where the slopes are b, or one that is near to it."""

    def coefficients(self, c: np.ndarray) -> np.ndarray:
        """Of the kernels at all rows."""


class Pairs:
    """By coefficients of all rows: products are sums over all pairs of rows."""

    def __init__(self, gram: Gram) -> None:
        n = self.size = len(gram)
        self.gram, self.about = gram, near(gram, min(n, max(LEAST_RANK, n // ROWS_A_RANK)))

    def combined(self, b: np.ndarray) -> np.ndarray:
        return b

    def duals(self, c: np.ndarray) -> np.ndarray:
        return self.gram.times(c)

    def values(self, duals: np.ndarray) -> np.ndarray:
        return duals

    def step(self, curvatures: np.ndarray, multiplier: float, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        return direction(self.about, curvatures, multiplier, b + multiplier * c)

    def coefficients(self, c: np.ndarray) -> np.ndarray:
        return c


class Coordinates:
    """By coordinates: K = L L' but for rounding, with fewer columns than rows."""

    def __init__(self, L: np.ndarray) -> None:
        self.L, self.size = L, L.shape[1]

    def combined(self, b: np.ndarray) -> np.ndarray:
        return self.L.T @ b

    def duals(self, c: np.ndarray) -> np.ndarray:
        return c

    def values(self, duals: np.ndarray) -> np.ndarray:
        return self.L @ duals

    def step(self, curvatures: np.ndarray, multiplier: float, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        scaled = self.L * np.sqrt(curvatures)[:, None]
        inner = scaled.T @ scaled
        inner[np.diag_indices(self.size)] += multiplier
        return -cho_solve(cho_factor(inner, lower=True, overwrite_a=True), self.L.T @ b + multiplier * c)

    def coefficients(self, c: np.ndarray) -> np.ndarray:
        """The smallest of all that belong to the function."""
        if self.size == 0:
            return np.zeros(len(self.L))
        Q, R = qr(self.L, mode="economic")
        return Q @ solve_triangular(R, c, trans="T")


def functions_of(gram: Gram) -> Functions:
    """By coordinates where there are fewer of them than rows, and not too many."""
    n = len(gram)
    L = factor(gram, min(n - 1, max(MOST, int(np.sqrt(WORK / n)))))
    return Pairs(gram) if L is None else Coordinates(L)


def factor(gram: Gram, most: int) -> np.ndarray | None:
    """L by Cholesky's method with pivots, from single columns of K; None where so many leave more than rounding."""
    rows = np.arange(len(gram))
    pieces = [rows[start : start + 32] for start in range(0, len(rows), 32)]
    L = np.empty((len(gram), most), order="F")
    rest = np.concatenate([gram.block(piece, piece).diagonal() for piece in pieces])
    for rank in range(most + 1):
        pivot = int(rest.argmax())
        if rest[pivot] <= ROUNDING:
            return np.ascontiguousarray(L[:, :rank])
        if rank < most:
            column = gram.block(rows, rows[pivot : pivot + 1])[:, 0] - L[:, :rank] @ L[pivot, :rank]
            L[:, rank] = column / np.sqrt(rest[pivot])
            rest -= L[:, rank] ** 2
            rest[pivot] = 0.0
    return None
