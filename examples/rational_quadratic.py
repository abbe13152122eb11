"""The rational quadratic kernel (1 + r^2/(2 alpha width^2))^(-alpha), with a shape parameter alpha, in one file.

It is a mixture of Gaussian kernels of all widths, more of the wide ones the smaller alpha is. So its random features
are Gaussian frequencies times a random factor: with tau from the gamma distribution of shape alpha and mean 1,

    E exp(-tau s) = (1 + s/alpha)^(-alpha),   s = r^2/(2 width^2),   frequency = sqrt(tau) * normal / width.

    python examples/rational_quadratic.py      compares kernel, features and traces with the formulas
"""

import math
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaincinv

import kernelpick
from kernelpick.extend import NORMAL, Spectrum, Stationary, uniforms

ROUNDS = 400


@dataclass(frozen=True)
class RationalQuadratic(Stationary):
    alpha: float = 1.0

    factor: ClassVar[float] = 0.5  # s = factor * (r / width)^2
    spectrum: ClassVar[Spectrum] = NORMAL  # normal frequencies, shared with all other kernels of the distance

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.alpha < math.inf:
            raise ValueError(f"alpha of a rational quadratic kernel must be a positive number, not {self.alpha!r}.")

    @property
    def shape(self) -> tuple[float, ...]:
        """What value takes beside s."""
        return (float(self.alpha),)

    @staticmethod
    def value(s: float, alpha: float) -> float:
        return (1.0 + s / alpha) ** -alpha

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        """sqrt(tau), by counted random numbers: the same for the same seed, in every process."""
        return np.sqrt(gammaincinv(self.alpha, uniforms(seed, "radial/rational-quadratic", 0, n_features)) / self.alpha)


kernelpick.register("RationalQuadratic", RationalQuadratic)  # the name that model files have for it

KERNELS = [RationalQuadratic(width, alpha) for width in (0.3, 1.5) for alpha in (0.4, 2.0)]


# ---- the formulas once more, plainly


def k(kernel: RationalQuadratic, x: np.ndarray, v: np.ndarray) -> float:
    return (1 + np.sum((x - v) ** 2) / (2 * kernel.alpha * kernel.width**2)) ** -kernel.alpha


def compiled(kernel: RationalQuadratic, x: np.ndarray, v: np.ndarray) -> float:
    """The kernel as the loop computes it: OKS learns y = 1 at x, and then says to v its step times k(x, v)."""
    step = 5.0 * math.sqrt(0.5 ** (1 / 3) / 2)  # s sqrt(delta/(K T)) with K = 1, T = 2
    return float(kernelpick.trace("oks", [x, v], [1.0, 0.0], loss="absolute", kernels=[kernel]).predictions[1]) / step


def plain(X: np.ndarray, y: np.ndarray, uniforms: np.ndarray, Z: list[np.ndarray] | None) -> tuple[list, list]:
    """OKS with these kernels and the absolute loss: arms and predictions; Z are features, if there are any."""
    K, T, s = len(KERNELS), len(X), 5.0
    delta = min(1.0, (K / T) ** (1 / 3))
    eta, step = math.sqrt(2 * (1 - delta) * math.log(K)) / math.sqrt(K * T), s * math.sqrt(delta / (K * T))
    held, L, p, arms, predictions = [[] for _ in KERNELS], [0.0] * K, [1 / K] * K, [], []
    for t in range(T):
        arm = next((i for i in range(K) if uniforms[t] < sum(p[: i + 1])), K - 1)
        if Z is None:
            f = sum(a * k(KERNELS[arm], X[t], X[j]) for a, j in held[arm])
        else:
            f = sum(a * float(Z[arm][t] @ Z[arm][j]) for a, j in held[arm])
        arms.append(arm)
        predictions.append(f)
        held[arm].append((-step * np.sign(f - y[t]) / p[arm], t))
        L[arm] += abs(f - y[t]) / p[arm]
        weights = [math.exp(-eta * (loss - min(L))) for loss in L]
        p = [(1 - delta) * weight / sum(weights) + delta / K for weight in weights]
    return arms, predictions


# ---- both, side by side


def main() -> str:
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (ROUNDS, 2))
    y = 0.5 + 0.4 * np.sin(3 * X[:, 0]) + 0.1 * rng.uniform(-1, 1, ROUNDS)
    draws, problem = rng.random(ROUNDS), ""

    for kernel in KERNELS:
        wrong = max(abs(compiled(kernel, X[0], v) / k(kernel, X[0], v) - 1) for v in X[1:9])
        exact = np.array([[k(kernel, x, v) for v in X[:60]] for x in X[:60]])
        Z = kernelpick.features(kernel, X[:60], n_features=20_000)
        wrong, off = max(wrong, np.abs(kernel(X[:60], X[:60]) - exact).max()), np.abs(Z @ Z.T - exact).max()
        print(f"{kernel}: values are off by {wrong:.0e} at most, features by {off:.3f}")
        if wrong > 1e-12 or off > 0.04:  # 5 standard deviations of a mean of 20,000
            problem = problem or f"The kernel is off by {wrong}, its features by {off}."

    run = kernelpick.trace("oks", X, y, loss="absolute", kernels=KERNELS, uniforms=draws)
    problem = problem or run.parts_from(*plain(X, y, draws, None))
    print(f"exact:    {run}")
    Z = [kernelpick.features(kernel, X, n_features=50, random_state=3) for kernel in KERNELS]
    run = kernelpick.trace(
        "rf-oks", X, y, loss="absolute", kernels=KERNELS, uniforms=draws, n_features=50, random_state=3
    )
    problem = problem or run.parts_from(*plain(X, y, draws, Z))
    print(f"features: {run}, in the lead {KERNELS[run.weights.argmax()]}")
    return problem


if __name__ == "__main__":
    sys.exit(main() or 0)
