"""Directions: Newton's step for a matrix that is near K, of low rank beside its diagonal."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from kernelpick.core.numerics import rng
from kernelpick.hindsight.gram import Gram

JITTER = 1e-10


class Near(NamedTuple):
    """K is about L L' + diag(rest): from some rows drawn at random (Nystrom), with the diagonal of K itself."""

    L: np.ndarray
    rest: np.ndarray


def near(gram: Gram, rank: int) -> Near:
    """From so many rows, or from all."""
    n = len(gram)
    chosen = np.sort(np.argsort(rng.uniforms(0, "landmarks", 0, n), kind="stable")[:rank])
    among = gram.block(chosen, chosen)
    among[np.diag_indices(len(chosen))] += JITTER * len(chosen)
    factor = np.linalg.cholesky(among)
    L = np.empty((n, len(chosen)))
    for start in range(0, n, 1024):
        rows = slice(start, start + 1024)
        L[rows] = solve_triangular(factor, gram.block(chosen, np.arange(n)[rows]), lower=True).T
    return Near(L, np.maximum(1.0 - np.einsum("ij,ij->i", L, L), 0.0))


def direction(near: Near, curvatures: np.ndarray, multiplier: float, residual: np.ndarray) -> np.ndarray:
    """d with (W (L L' + diag(rest)) + multiplier) d = -residual, by a matrix of the size of the rank."""
    diagonal = multiplier + curvatures * near.rest
    scaled = near.L * np.sqrt(curvatures / diagonal)[:, None]
    inner = scaled.T @ scaled
    inner[np.diag_indices(len(inner))] += 1.0
    part = residual / diagonal
    correction = near.L @ cho_solve(cho_factor(inner, lower=True, overwrite_a=True), near.L.T @ part)
    return -(part - curvatures / diagonal * correction)
