"""The Matern kernel with nu = 5/2."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelpick.core.kernels.contract import Stationary
from kernelpick.core.kernels.frequencies import NORMAL, Spectrum
from kernelpick.core.kernels.matern32 import student
from kernelpick.core.numerics.elementary import exponential


@dataclass(frozen=True)
class Matern52(Stationary):
    """(1 + t + t^2/3) exp(-t) with t = sqrt(5) r / width: twice differentiable functions."""

    factor: ClassVar[float] = 5.0
    spectrum: ClassVar[Spectrum] = NORMAL

    @staticmethod
    def value(s: float) -> float:
        t = math.sqrt(s)
        return (1.0 + t + 1.0 / 3.0 * (t * t)) * exponential(-t)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        return student(n_features, seed, 5)
