"""Kernels and the two ways to hold a hypothesis once more, plainly. Headings are those of docs/algorithms.md."""

import math

import numpy as np


# ---- "Kernels"
def gaussian(sigma: float):
    return lambda x, v: math.exp(-np.sum((x - v) ** 2) / (2 * sigma**2))


def squared_norm(coefs, xs, kappa) -> float:
    """|f|^2 of f = sum_j a_j kappa(x_j, .) as the double sum."""
    pairs = list(zip(coefs, xs, strict=True))
    return math.fsum(a * b * kappa(x, v) for a, x in pairs for b, v in pairs)


# ---- "Exact hypotheses"
class Exact:
    """f = sum_j a_j kappa(x_j, .) as a list of coefficients and a list of points."""

    def __init__(self, kappa):
        self.kappa, self.coefs, self.xs, self.norm2 = kappa, [], [], 0.0

    def value(self, x) -> float:
        return float(sum(a * self.kappa(v, x) for a, v in zip(self.coefs, self.xs, strict=True)))

    def kappa_xx(self, x) -> float:
        return float(self.kappa(x, x))

    def add(self, a: float, x, fx: float) -> None:
        """f <- f + a kappa(x, .), where fx = f(x) before the addition."""
        self.norm2 += 2 * a * fx + a * a * self.kappa_xx(x)  # the recurrence
        self.coefs.append(a)
        self.xs.append(x)

    def project(self, U: float) -> None:
        norm = math.sqrt(max(0.0, self.norm2))
        if norm > U:
            self.coefs = [a * (U / norm) for a in self.coefs]
            self.norm2 = self.norm2 * (U / norm) ** 2


# ---- "Random features"
class Features:
    """f = w . z(x) with 2D random features."""

    def __init__(self, omega):
        self.omega, self.D, self.w = np.asarray(omega, dtype=float), len(omega), np.zeros(2 * len(omega))

    def z(self, x) -> np.ndarray:
        return np.concatenate([np.cos(self.omega @ x), np.sin(self.omega @ x)]) / math.sqrt(self.D)

    def value(self, x) -> float:
        return float(self.w @ self.z(x))

    def kappa_xx(self, x) -> float:
        return 1.0  # z(x) . z(x), the sum of cos^2 + sin^2 over D

    def add(self, a: float, x, fx: float) -> None:
        self.w = self.w + a * self.z(x)

    def project(self, U: float) -> None:
        self.w = np.clip(self.w, -U / math.sqrt(self.D), U / math.sqrt(self.D))
