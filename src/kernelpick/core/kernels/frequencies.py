"""Frequencies of random features: how single coordinates are distributed, alone or in orthogonal groups."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kernelpick.core.numerics import rng


class Spectrum(NamedTuple):
    """A distribution of the coordinates of a frequency; kernels with the same one share their projections."""

    name: str
    matrix: Callable[[int, int, int], np.ndarray]  # (features, inputs, seed) -> (features, inputs)
    column: Callable[[int, str, int], np.ndarray]  # (seed, name of a column, features) -> (features,)


def draw_frequencies(n_features: int, n_inputs: int, *, orthogonal: bool = False, random_state: int = 0) -> np.ndarray:
    """Frequencies for random features, an (n_features, n_inputs) array of standard normal rows.

    With ``orthogonal=True`` the rows come in groups of n_inputs that are orthogonal to each other, which lowers the
    variance (Yu and others, "Orthogonal random features", 2016); every single row is still standard normal.

    >>> from kernelpick import draw_frequencies
    >>> u = draw_frequencies(4, 4, orthogonal=True)
    >>> bool(abs(u @ u.T - (u**2).sum(1) * [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]).max() < 1e-9)
    True
    """
    return _frequencies(n_features, n_inputs, orthogonal, random_state).copy()


@lru_cache(maxsize=4)
def _frequencies(n_features: int, n_inputs: int, orthogonal: bool, random_state: int) -> np.ndarray:
    """Kept, since a model that starts several times draws the same ones each time."""
    plain = rng.normals(random_state, "frequencies", n_features * n_inputs).reshape(n_features, n_inputs)
    if not orthogonal:
        return plain
    groups, columns = -(-n_features // n_inputs), min(n_features, n_inputs)  # a group needs no more columns than rows
    spare = rng.normals(random_state, "directions", groups * n_inputs * columns).reshape(groups, n_inputs, columns)
    directions = _orthonormal(spare.transpose(0, 2, 1)).reshape(-1, n_inputs)
    return np.ascontiguousarray(directions[:n_features] * np.linalg.norm(plain, axis=1)[:, None])


def _orthonormal(rows: np.ndarray) -> np.ndarray:
    """The rows of each matrix (groups, count, length), made orthonormal one after the other (Gram and Schmidt, twice).

    Not by a library's decomposition: that is different from machine to machine, and its threads wait for each other
    on machines that have other work.
    """
    done = np.empty_like(rows)
    for j in range(rows.shape[1]):
        row = rows[:, j].copy()
        for _ in range(2):  # the second time removes what rounding has left
            shares = np.einsum("gjk,gk->gj", done[:, :j], row)
            row -= np.einsum("gjk,gj->gk", done[:, :j], shares)
        done[:, j] = row / np.sqrt(np.einsum("gk,gk->g", row, row))[:, None]
    return done


def _cauchy(u: np.ndarray) -> np.ndarray:
    return np.tan(np.pi * (u - 0.5))


def _normal_matrix(n_features: int, n_inputs: int, seed: int) -> np.ndarray:
    return draw_frequencies(n_features, n_inputs, random_state=seed)


def _normal_column(seed: int, name: str, n_features: int) -> np.ndarray:
    return rng.normals(seed, f"frequencies/{name}", n_features)


def _cauchy_matrix(n_features: int, n_inputs: int, seed: int) -> np.ndarray:
    u = rng.uniforms(seed, "frequencies/laplacian", 0, n_features * n_inputs).reshape(n_features, n_inputs)
    return _cauchy(u)


def _cauchy_column(seed: int, name: str, n_features: int) -> np.ndarray:
    return _cauchy(rng.uniforms(seed, f"frequencies/laplacian/{name}", 0, n_features))


NORMAL = Spectrum("normal", _normal_matrix, _normal_column)  # every kernel of the Euclidean distance, by a radial part
CAUCHY = Spectrum("cauchy", _cauchy_matrix, _cauchy_column)  # the Laplacian kernel: every coordinate on its own
