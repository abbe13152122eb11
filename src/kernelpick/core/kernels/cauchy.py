"""The Cauchy kernel."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelpick.core.kernels.contract import Stationary
from kernelpick.core.kernels.frequencies import NORMAL, Spectrum
from kernelpick.core.numerics import rng


@dataclass(frozen=True)
class Cauchy(Stationary):
    """1 / (1 + r^2 / width^2), the rational quadratic kernel of order one."""

    spectrum: ClassVar[Spectrum] = NORMAL

    @staticmethod
    def value(s: float) -> float:
        return 1.0 / (1.0 + s)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        # 1/(1+s) is the mean of exp(-tau s) over a standard exponential tau: a mixture of Gaussian kernels.
        return np.sqrt(-2 * np.log1p(-rng.uniforms(seed, "radial/cauchy", 0, n_features)))
