"""The Laplacian kernel."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelpick.core.kernels.contract import ABSOLUTE, Stationary
from kernelpick.core.kernels.frequencies import CAUCHY, Spectrum
from kernelpick.core.numerics.elementary import exponential


@dataclass(frozen=True)
class Laplacian(Stationary):
    """exp(-|x - v|_1 / width), with the sum of the absolute differences as distance."""

    metric: ClassVar[int] = ABSOLUTE
    spectrum: ClassVar[Spectrum] = CAUCHY

    @staticmethod
    def value(s: float) -> float:
        return exponential(-s)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        return np.ones(n_features)
