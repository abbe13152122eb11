"""EXP3-IX, a selector with implicit exploration (Neu, "Explore no more", NeurIPS 2015), in one file.

No arm is drawn for the sake of exploring. Instead, the loss of the arm that was drawn is divided by p + gamma, not by
its chance p: that keeps the estimates of rare arms small, and p then takes care of itself.

    python examples/exp3_ix.py      runs it, in two spaces, beside the plain version at the end of this file
"""

import math
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

import kernelpick
from kernelpick.extend import Axes, Cast, Ledger, Problem, Trial, enlist, pick, plays_one, selector, soften

WIDTHS, ROUNDS, RADIUS = [0.25, 1.0, 4.0], 400, 1.0


@selector("exp3-ix", uses_horizon=True)
@plays_one
class Exp3IX(NamedTuple):
    eta: float
    gamma: float
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """eta = sqrt(2 ln K / (K T)) and gamma = eta / 2, for losses in [0, 1]."""
        eta = math.sqrt(2 * math.log(problem.arms) / (problem.arms * problem.horizon))
        return cls(eta, eta / 2, problem.uniform())

    @staticmethod
    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        arm = pick(selector.p, numbers[0])
        enlist(cast, 0, arm, selector.p[arm])  # gradients are divided by the chance p,
        cast.divisor[0] = selector.p[arm] + selector.gamma  # losses by more
        return 1

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        soften(ledger.losses, selector.eta, selector.p)  # the ledger has taken in costs / divisor
        return False


IN_FEATURES = kernelpick.Algorithm(space="features", learner="normalised", selector=Exp3IX)
EXACT = kernelpick.Algorithm(space="exact", learner="normalised", selector=Exp3IX)
kernelpick.register("rf-exp3-ix", IN_FEATURES)  # a name, for estimators, commands (--plugin) and model files
kernelpick.register("exp3-ix", EXACT)


# ---- the same once more, plainly


def plain(X: np.ndarray, y: np.ndarray, uniforms: np.ndarray, frequencies: np.ndarray | None) -> tuple[list, list]:
    """Arms and predictions, with the square loss and the steps of IOKS; without frequencies, exact kernels."""
    K, T = len(WIDTHS), len(X)
    eta = math.sqrt(2 * math.log(K) / (K * T))
    hypotheses = [_InFeatures(w, frequencies) if frequencies is not None else _Exact(w) for w in WIDTHS]
    L, squares, p, arms, predictions = [0.0] * K, [0.0] * K, [1 / K] * K, [], []
    for x, target, u in zip(X, y, uniforms, strict=True):
        arm = next((i for i in range(K) if u < sum(p[: i + 1])), K - 1)
        f = hypotheses[arm].value(x)
        arms.append(arm)
        predictions.append(f)
        gradient = 2 * (f - target) / p[arm]
        squares[arm] += gradient**2
        hypotheses[arm].add(-RADIUS / math.sqrt(2) / math.sqrt(1 + squares[arm]) * gradient, x)
        L[arm] += (f - target) ** 2 / (p[arm] + eta / 2)
        weights = [math.exp(-eta * (loss - min(L))) for loss in L]
        p = [weight / sum(weights) for weight in weights]
    return arms, predictions


class _InFeatures:
    """w.z(x), every weight clipped to U/sqrt(D)."""

    def __init__(self, width: float, frequencies: np.ndarray) -> None:
        self.frequencies, self.w = frequencies / width, np.zeros(2 * len(frequencies))

    def z(self, x: np.ndarray) -> np.ndarray:
        angles = self.frequencies @ x
        return np.concatenate([np.cos(angles), np.sin(angles)]) / math.sqrt(len(angles))

    def value(self, x: np.ndarray) -> float:
        return float(self.w @ self.z(x))

    def add(self, coefficient: float, x: np.ndarray) -> None:
        limit = RADIUS / math.sqrt(len(self.frequencies))
        self.w = np.clip(self.w + coefficient * self.z(x), -limit, limit)


class _Exact:
    """A sum of kernels at examples, in the ball of radius U."""

    def __init__(self, width: float) -> None:
        self.width, self.coefficients, self.examples, self.norm2 = width, np.zeros(0), [], 0.0

    def kernels(self, x: np.ndarray) -> np.ndarray:
        return np.array([math.exp(-((x - v) ** 2).sum() / (2 * self.width**2)) for v in self.examples])

    def value(self, x: np.ndarray) -> float:
        return float(self.coefficients @ self.kernels(x))

    def add(self, coefficient: float, x: np.ndarray) -> None:
        self.norm2 += 2 * coefficient * self.value(x) + coefficient**2
        self.examples.append(x)
        factor = min(1.0, RADIUS / math.sqrt(self.norm2))
        self.coefficients = np.append(self.coefficients, coefficient) * factor
        self.norm2 *= factor**2


# ---- both, side by side


def main() -> str:
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (ROUNDS, 2))
    y = 0.5 + 0.4 * np.sin(3 * X[:, 0]) + 0.1 * rng.uniform(-1, 1, ROUNDS)
    uniforms, frequencies = rng.random(ROUNDS), rng.normal(size=(30, 2))
    common = {"loss": "square", "widths": WIDTHS, "uniforms": uniforms}

    run = kernelpick.trace(IN_FEATURES, X, y, frequencies=frequencies, **common)
    problem = run.parts_from(*plain(X, y, uniforms, frequencies))
    print(f"random features: {run}, p at the end {run.weights.round(3)}")
    run = kernelpick.trace(EXACT, X, y, **common)
    problem = problem or run.parts_from(*plain(X, y, uniforms, None))
    print(f"exact kernels:   {run}, p at the end {run.weights.round(3)}")

    model = kernelpick.KernelRegressor("rf-exp3-ix", kernels=WIDTHS, random_state=0).partial_fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.kpick")  # names the selector; whoever loads it imports this file first
        loaded = kernelpick.load(Path(folder) / "model.kpick")
    if not (loaded.partial_fit(X, y).predict(X) == model.partial_fit(X, y).predict(X)).all():
        problem = problem or "The model that was saved and loaded goes on differently."
    print(f"as an estimator, saved, loaded and taught again: mean loss {loaded.loss_:.4f}")
    return problem


if __name__ == "__main__":
    sys.exit(main() or 0)
