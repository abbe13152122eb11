"""The Matern kernel with nu = 3/2."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelpick.core.kernels.contract import Stationary
from kernelpick.core.kernels.frequencies import NORMAL, Spectrum
from kernelpick.core.numerics import rng
from kernelpick.core.numerics.elementary import exponential


@dataclass(frozen=True)
class Matern32(Stationary):
    """(1 + t) exp(-t) with t = sqrt(3) r / width: once differentiable functions."""

    factor: ClassVar[float] = 3.0
    spectrum: ClassVar[Spectrum] = NORMAL

    @staticmethod
    def value(s: float) -> float:
        t = math.sqrt(s)
        return (1.0 + t) * exponential(-t)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        return student(n_features, seed, 3)


def student(n_features: int, seed: int, freedom: int) -> np.ndarray:
    """A normal vector over sqrt(chi^2 / freedom) is Student's t, the spectrum of Matern kernels with nu = freedom/2."""
    chi2 = (rng.normals(seed, f"radial/{freedom}", n_features * freedom).reshape(n_features, freedom) ** 2).sum(1)
    return np.sqrt(freedom / chi2)
