"""The epsilon-insensitive loss max(0, |f - y| - epsilon) of support vector regression, in one file.

A loss is a named tuple: its fields are its parameters, its class holds its facts and its operations. This one is not
smooth: near misses cost nothing, and the slope jumps at their border. Algorithms that need a smooth loss refuse it.

    python examples/epsilon_insensitive.py      runs it beside the plain version at the end of this file
"""

import math
import sys
from typing import Any, NamedTuple

import numpy as np

import kernelpick
from kernelpick.extend import loss

WIDTHS, ROUNDS = [0.25, 1.0, 4.0], 400


# It is not smooth: there is no C0 with slope^2 <= C0 * loss. Its largest value is less by epsilon, which varies.
@loss(
    "epsilon_insensitive",
    classifies=False,
    smooth=None,
    lipschitz=lambda radius: 1.0,
    largest=lambda radius: radius + 1,
)
class EpsilonInsensitive(NamedTuple):
    epsilon: float = 0.1

    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        return max(0.0, abs(f - y) - loss.epsilon)

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return 0.0 if abs(f - y) <= loss.epsilon else (1.0 if f > y else -1.0)

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """To where it costs nothing."""
        return max(0.0, abs(f - y) - loss.epsilon)


kernelpick.register("epsilon_insensitive", EpsilonInsensitive())  # by this name, it has the epsilon that it has here


# ---- RF-OKS with this loss once more, plainly


def plain(
    X: np.ndarray, y: np.ndarray, uniforms: np.ndarray, frequencies: np.ndarray, epsilon: float
) -> tuple[list, list]:
    """Arms and predictions."""
    K, T, D, s = len(WIDTHS), len(X), len(frequencies), 5.0
    delta = min(1.0, (K / T) ** (1 / 3))
    eta, step = math.sqrt(2 * (1 - delta) * math.log(K)) / math.sqrt(K * T), s * math.sqrt(delta / (K * T))
    w, L, p, arms, predictions = np.zeros((K, 2 * D)), [0.0] * K, [1 / K] * K, [], []
    for x, target, u in zip(X, y, uniforms, strict=True):
        arm = next((i for i in range(K) if u < sum(p[: i + 1])), K - 1)
        angles = frequencies @ x / WIDTHS[arm]
        z = np.concatenate([np.cos(angles), np.sin(angles)]) / math.sqrt(D)
        f = float(w[arm] @ z)
        arms.append(arm)
        predictions.append(f)
        if f > target + epsilon:
            w[arm] -= step / p[arm] * z
            L[arm] += (f - target - epsilon) / p[arm]
        elif f < target - epsilon:
            w[arm] += step / p[arm] * z
            L[arm] += (target - f - epsilon) / p[arm]
        weights = [math.exp(-eta * (loss - min(L))) for loss in L]
        p = [(1 - delta) * weight / sum(weights) + delta / K for weight in weights]
    return arms, predictions


# ---- both, side by side


def main() -> str:
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (ROUNDS, 2))
    y = 0.5 + 0.4 * np.sin(3 * X[:, 0]) + 0.1 * rng.uniform(-1, 1, ROUNDS)
    uniforms, frequencies, problem = rng.random(ROUNDS), rng.normal(size=(30, 2)), ""
    for epsilon in (0.05, 0.2):  # one compiled loop serves both: epsilon is a number
        run = kernelpick.trace(
            "rf-oks", X, y, loss=EpsilonInsensitive(epsilon), widths=WIDTHS, uniforms=uniforms, frequencies=frequencies
        )
        problem = problem or run.parts_from(*plain(X, y, uniforms, frequencies, epsilon))
        print(f"epsilon = {epsilon}: {run}, free of charge in {np.mean(run.losses == 0):.0%} of the rounds")
    try:
        kernelpick.trace("rf-oks++", X, y, loss="epsilon_insensitive")
    except ValueError as refusal:
        print(f"refused, as it should be: {refusal}")
    else:
        problem = problem or "rf-oks++ has taken a loss that is not smooth."
    return problem


if __name__ == "__main__":
    sys.exit(main() or 0)
