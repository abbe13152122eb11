"""Gaussian kernels of a distance that is learned: frequencies are L u, where "auto" finds L (online/metric.py).

They are Gaussian of |L (x - v)|. What L is belongs to a model, whose frequencies have it; a kernel by itself is told by
its width, and by whether L is a whole matrix or one factor for each input.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelpick.core.kernels.frequencies import NORMAL, Spectrum
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.numerics.elementary import exponential


@dataclass(frozen=True)
class LearnedMetric(Gaussian):
    """exp(-|L (x - v)|^2 / (2 width^2)) for a whole matrix L."""

    spectrum: ClassVar[Spectrum] = NORMAL._replace(name="learned metric")

    @staticmethod
    def value(s: float) -> float:
        return exponential(-s)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        return np.ones(n_features)


@dataclass(frozen=True)
class LearnedScales(Gaussian):
    """The same for a diagonal one."""

    spectrum: ClassVar[Spectrum] = NORMAL._replace(name="learned scales")

    @staticmethod
    def value(s: float) -> float:
        return exponential(-s)

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        return np.ones(n_features)
