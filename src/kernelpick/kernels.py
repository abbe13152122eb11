"""Kernel families: the value from a distance, and the frequencies of random features.

Every kernel is normalised, k(x, x) <= 1, as the paper asks. Calling one gives the matrix of its values, by direct
differences and in plain NumPy: that is the definition, which the compiled code is tested against.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from . import rng

GAUSSIAN, LAPLACIAN, MATERN32, MATERN52, CAUCHY, DOT = range(6)


@dataclass(frozen=True)
class Kernel:
    """What all families share; use one of the subclasses."""

    family: ClassVar[int]
    spectral: ClassVar[bool] = True  # whether random features exist

    def __call__(self, X: np.ndarray, V: np.ndarray) -> np.ndarray:
        """The matrix of k(x, v) for the rows x of X and v of V."""
        X, V = np.atleast_2d(np.asarray(X, float)), np.atleast_2d(np.asarray(V, float))
        return self._of_differences(X[:, None, :] - V[None, :, :])

    def _of_differences(self, difference: np.ndarray) -> np.ndarray:
        return self._of_distance(np.sqrt((difference**2).sum(-1)))

    def _of_distance(self, r: np.ndarray) -> np.ndarray:
        raise TypeError(f"{type(self).__name__} is not a function of the distance alone.")

    @property
    def parameters(self) -> tuple[float, float]:
        """The two numbers that the compiled code needs; their meaning depends on the family."""
        raise TypeError("Kernel is the common part; use Gaussian, Laplacian, Matern32 and so on.")


@dataclass(frozen=True)
class Stationary(Kernel):
    """A kernel with a width."""

    width: float = 1.0
    factor: ClassVar[float]  # compiled code multiplies the (squared) distance by factor / width (squared)

    def __post_init__(self) -> None:
        if not (self.width > 0 and math.isfinite(self.width)):
            raise ValueError(
                f"The width of a {type(self).__name__} kernel must be a positive number, not {self.width}."
            )

    @property
    def parameters(self) -> tuple[float, float]:
        return self.factor / self.width**2, 0.0

    @staticmethod
    def radial(n_features: int, seed: int) -> np.ndarray:
        """What a standard normal frequency of width 1 is multiplied by to follow this family's spectrum."""
        return np.ones(n_features)


@dataclass(frozen=True)
class Gaussian(Stationary):
    """exp(-r^2 / (2 width^2)).

    >>> from kernelpick import Gaussian
    >>> Gaussian(width=2.0)([[0.0, 0.0]], [[2.0, 0.0]]).round(4)
    array([[0.6065]])
    """

    family: ClassVar[int] = GAUSSIAN
    factor: ClassVar[float] = 0.5

    def _of_distance(self, r: np.ndarray) -> np.ndarray:
        return np.exp(-0.5 * (r / self.width) ** 2)


@dataclass(frozen=True)
class Laplacian(Stationary):
    """exp(-|x - v|_1 / width), with the sum of the absolute differences as distance."""

    family: ClassVar[int] = LAPLACIAN

    def _of_differences(self, difference: np.ndarray) -> np.ndarray:
        return np.exp(-np.abs(difference).sum(-1) / self.width)

    @property
    def parameters(self) -> tuple[float, float]:
        return 1 / self.width, 0.0


@dataclass(frozen=True)
class Matern32(Stationary):
    """(1 + t) exp(-t) with t = sqrt(3) r / width: once differentiable functions."""

    family: ClassVar[int] = MATERN32
    factor: ClassVar[float] = 3.0

    def _of_distance(self, r: np.ndarray) -> np.ndarray:
        t = math.sqrt(3) * r / self.width
        return (1 + t) * np.exp(-t)

    @staticmethod
    def radial(n_features: int, seed: int) -> np.ndarray:
        return _student(n_features, seed, 3)


@dataclass(frozen=True)
class Matern52(Stationary):
    """(1 + t + t^2/3) exp(-t) with t = sqrt(5) r / width: twice differentiable functions."""

    family: ClassVar[int] = MATERN52
    factor: ClassVar[float] = 5.0

    def _of_distance(self, r: np.ndarray) -> np.ndarray:
        t = math.sqrt(5) * r / self.width
        return (1 + t + t**2 / 3) * np.exp(-t)

    @staticmethod
    def radial(n_features: int, seed: int) -> np.ndarray:
        return _student(n_features, seed, 5)


@dataclass(frozen=True)
class Cauchy(Stationary):
    """1 / (1 + r^2 / width^2), the rational quadratic kernel of order one."""

    family: ClassVar[int] = CAUCHY
    factor: ClassVar[float] = 1.0

    def _of_distance(self, r: np.ndarray) -> np.ndarray:
        return 1 / (1 + (r / self.width) ** 2)

    @staticmethod
    def radial(n_features: int, seed: int) -> np.ndarray:
        # 1/(1+s) is the mean of exp(-tau s) over a standard exponential tau: a mixture of Gaussian kernels.
        return np.sqrt(-2 * np.log1p(-rng.uniforms(seed, "radial/cauchy", 0, n_features)))


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(x.v + offset)^degree, divided by the square roots of its values at (x, x) and (v, v)."""

    degree: int = 2
    offset: float = 1.0
    family: ClassVar[int] = DOT
    spectral: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not (isinstance(self.degree, int) and self.degree >= 1):
            raise ValueError(f"The degree of a polynomial kernel must be a whole number from 1 up, not {self.degree}.")
        if not (self.offset >= 0 and math.isfinite(self.offset)):
            raise ValueError(f"The offset of a polynomial kernel must be a number from 0 up, not {self.offset}.")

    def __call__(self, X: np.ndarray, V: np.ndarray) -> np.ndarray:
        X, V = np.atleast_2d(np.asarray(X, float)), np.atleast_2d(np.asarray(V, float))
        size = np.sqrt(np.outer((X**2).sum(1) + self.offset, (V**2).sum(1) + self.offset))
        return ((X @ V.T + self.offset) / np.where(size > 0, size, 1.0)) ** self.degree

    @property
    def parameters(self) -> tuple[float, float]:
        return self.offset, float(self.degree)


@dataclass(frozen=True)
class Linear(Polynomial):
    """The polynomial kernel of degree one."""

    degree: int = 1


def _student(n_features: int, seed: int, freedom: int) -> np.ndarray:
    """A normal vector over sqrt(chi^2 / freedom) is Student's t, the spectrum of Matern kernels with nu = freedom/2."""
    chi2 = (rng.normals(seed, f"radial/{freedom}", n_features * freedom).reshape(n_features, freedom) ** 2).sum(1)
    return np.sqrt(freedom / chi2)


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


def draw_cauchy_frequencies(n_features: int, n_inputs: int, random_state: int) -> np.ndarray:
    """Frequencies of the Laplacian kernel of width 1: every coordinate follows a Cauchy distribution of its own."""
    u = rng.uniforms(random_state, "frequencies/laplacian", 0, n_features * n_inputs).reshape(n_features, n_inputs)
    return np.tan(np.pi * (u - 0.5))
