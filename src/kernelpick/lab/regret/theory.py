"""What the theorems say, as numbers. Theorem 1 has its constants; the others hold up to a factor, taken as 1 here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kernelpick.core.losses import Loss

FAILURE = 0.05  # delta of Theorems 4 and 5: how often the features may be bad
B = 1.0  # of Theorems 4 and 5, the bound of weights in the spectrum, which nobody knows of data


class Conditions(NamedTuple):
    """What the bounds depend on."""

    loss: Loss
    radius: float  # U
    horizon: int  # T
    best: float  # L_T(f*_i), of the kernel that one compares with
    every: Sequence[float]  # L_T(f*_j) of all K kernels
    features: int  # D

    @property
    def arms(self) -> int:
        return len(self.every)


def rates_of_oks(arms: int, horizon: int) -> tuple[float, float, float]:
    """delta, eta and lambda of Remark 1 with G = lmax = s = 1."""
    delta = min(1.0, (arms / horizon) ** (1 / 3))
    eta = math.sqrt(2 * (1 - delta) * math.log(arms)) / math.sqrt(arms * horizon)
    return delta, eta, math.sqrt(delta / (arms * horizon))


def theorem_1(best: float, norm: float, arms: int, horizon: int, slope: float, largest: float) -> float:
    """L_T(f) + |f|^2/(2 lambda) + lambda K T G^2/(2 delta) + eta K T lmax^2/(2 (1 - delta)) + ln K/eta.

    slope is G and largest lmax; the rates are those that OKS runs with, which knows neither.
    """
    delta, eta, step = rates_of_oks(arms, horizon)
    learning = norm**2 / (2 * step) + step * arms * horizon * slope**2 / (2 * delta)
    if arms == 1:
        return best + learning
    return best + learning + eta * arms * horizon * largest**2 / (2 * (1 - delta)) + math.log(arms) / eta


def remark_1(s: Conditions) -> float:
    """(U^2 + 1) K^(1/3) T^(2/3), for the loss that is suffered: p in the place of q."""
    return (s.radius**2 + 1) * s.arms ** (1 / 3) * s.horizon ** (2 / 3)


def theorem_2(s: Conditions) -> float:
    """U^(2/3) (G C0)^(1/3) (K^(-1/3) L^(2/3) + K^(1/6) L^(1/6) L(f*_i)^(1/2)), L the sum over all kernels, G = 1."""
    together = sum(s.every)
    factor = s.radius ** (2 / 3) * (s.loss.smooth or 1.0) ** (1 / 3)
    first = s.arms ** (-1 / 3) * together ** (2 / 3)
    return float(factor * (first + s.arms ** (1 / 6) * together ** (1 / 6) * math.sqrt(s.best)))


def theorem_3(s: Conditions) -> float:
    """U G1 sqrt(K T) ln^(2/3) T + lmax^3 K^(11/4) / (U^2 G1^2 ln T)."""
    return _tsallis(s, math.log(s.horizon))


def theorem_4(s: Conditions) -> float:
    """Theorem 2 and the terms of the features, for nu = 1 (logistic) and nu = 2."""
    logs, C0 = math.log(s.arms * s.horizon / FAILURE), s.loss.smooth or 1.0
    if s.loss.name == "logistic":
        return theorem_2(s) + C0 * s.radius * B * s.best * math.sqrt(logs / s.features)
    both = s.radius * B * math.sqrt(C0 * s.horizon * s.best * logs / s.features)
    return theorem_2(s) + both + C0 * (s.radius * B) ** 2 * s.horizon / s.features * logs


def theorem_5(s: Conditions) -> float:
    """Theorem 3 with sqrt(ln T) in its second term, and G B U T sqrt(ln(K T/delta)/D), G = G1."""
    rest = math.sqrt(math.log(s.arms * s.horizon / FAILURE) / s.features)
    slope = s.loss.lipschitz(s.radius)
    return _tsallis(s, math.sqrt(math.log(s.horizon))) + slope * B * s.radius * s.horizon * rest


def _tsallis(s: Conditions, divisor: float) -> float:
    slope, largest = s.loss.lipschitz(s.radius), s.loss.largest(s.radius)
    first = s.radius * slope * math.sqrt(s.arms * s.horizon) * math.log(s.horizon) ** (2 / 3)
    return float(first + largest**3 * s.arms ** (11 / 4) / (s.radius**2 * slope**2 * divisor))


class Theorem(NamedTuple):
    """Its name, its bound up to a factor, and the power of T in the worst case."""

    name: str
    bound: Callable[[Conditions], float]
    exponent: float


THEOREMS = {
    "oks": Theorem("Remark 1", remark_1, 2 / 3),
    "oks++": Theorem("Theorem 2", theorem_2, 2 / 3),
    "ioks": Theorem("Theorem 3", theorem_3, 1 / 2),
    "rf-oks++": Theorem("Theorem 4", theorem_4, 1.0),
    "rf-ioks": Theorem("Theorem 5", theorem_5, 1.0),
}
