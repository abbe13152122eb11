"""The Gaussian kernel."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelpick.core.kernels.contract import Stationary
from kernelpick.core.kernels.frequencies import NORMAL, Spectrum
from kernelpick.core.numerics.elementary import exponential


@dataclass(frozen=True)
class Gaussian(Stationary):
    """exp(-r^2 / (2 width^2)).

    >>> from kernelpick import Gaussian
    >>> Gaussian(width=2.0)([[0.0, 0.0]], [[2.0, 0.0]]).round(4)
    array([[0.6065]])
    """

    factor: ClassVar[float] = 0.5
    spectrum: ClassVar[Spectrum] = NORMAL

    @staticmethod
    def value(s: float) -> float:
        return exponential(-s)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        return np.ones(n_features)
