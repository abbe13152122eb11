"""A selector of two arms a round, each with a part of its own, in one file.

The first is drawn by p: it predicts, pays and learns. The second is any of the others: it only learns. So no hypothesis
is left behind because others were better early on, and nobody has to predict badly for that. (The two draws are an idea
of B(AO)2KS, Li and Liao 2022; this is a simple selector made of it.)

Every player has two numbers of its own. What its gradient is divided by is the chance that the arm learns in this
round, in whichever part, p + (1 - p)/(K - 1); what its loss is divided by is the chance that it pays, p.

    python examples/two_arms.py      runs it beside the plain version at the end of this file
"""

import math
import sys
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

import kernelpick
from kernelpick.extend import (
    Axes,
    Cast,
    Ledger,
    Problem,
    Trial,
    enlist,
    explore,
    for_what_was_said,
    pick,
    selector,
    soften,
)

WIDTHS, ROUNDS, RADIUS = [0.25, 0.5, 1.0, 4.0], 400, 1.0


@selector("two-arms", drawn=2, numbers=2, uses_horizon=True)  # two arms, by two random numbers a round
class TwoArms(NamedTuple):
    eta: float
    delta: float
    q: Annotated[np.ndarray, Axes("arms", adds="mean")]
    p: Annotated[np.ndarray, Axes("arms", adds="mean")]

    appraise = staticmethod(for_what_was_said)  # whoever is charged pays for the prediction

    @classmethod
    def build(cls, problem: Problem) -> Self:
        arms, horizon = problem.arms, problem.horizon
        if arms < 2:
            raise ValueError("The selector 'two-arms' needs at least two kernels.")
        delta = min(1.0, (arms / horizon) ** (1 / 3))
        eta = math.sqrt(2 * (1 - delta) * math.log(arms) / (arms * horizon))
        return cls(eta, delta, problem.uniform(), problem.uniform())

    @staticmethod
    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        others, first = len(selector.p) - 1, pick(selector.p, numbers[0])
        second = min(int(numbers[1] * others), others - 1)
        second += 1 if second >= first else 0
        for place in range(2):
            arm = first if place == 0 else second
            p = selector.p[arm]
            enlist(cast, place, arm, p + (1.0 - p) / others)
            cast.divisor[place] = p
        cast.share[1], cast.charged[1] = 0.0, 0  # the second one neither predicts nor pays
        return 2

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        soften(ledger.losses, selector.eta, selector.q)
        explore(selector.q, selector.delta, selector.p)
        return False


IN_FEATURES = kernelpick.Algorithm(space="features", learner="normalised", selector=TwoArms)
EXACT = kernelpick.Algorithm(space="exact", learner="normalised", selector=TwoArms)


# ---- the same once more, plainly


def plain(X: np.ndarray, y: np.ndarray, uniforms: np.ndarray, frequencies: np.ndarray) -> tuple[list, list]:
    """Both arms of every round, and the predictions, with the square loss and the steps of IOKS."""
    K, T, D = len(WIDTHS), len(X), len(frequencies)
    delta = min(1.0, (K / T) ** (1 / 3))
    eta = math.sqrt(2 * (1 - delta) * math.log(K) / (K * T))
    w, squares, L, p, players, predictions = np.zeros((K, 2 * D)), [0.0] * K, [0.0] * K, [1 / K] * K, [], []
    for x, target, (u, v) in zip(X, y, uniforms, strict=True):
        first = next((i for i in range(K) if u < sum(p[: i + 1])), K - 1)
        second = [i for i in range(K) if i != first][int(v * (K - 1))]
        players.append([first, second])
        for arm in (first, second):
            angles = frequencies @ x / WIDTHS[arm]
            z = np.concatenate([np.cos(angles), np.sin(angles)]) / math.sqrt(D)
            f = float(w[arm] @ z)
            if arm == first:
                predictions.append(f)
                L[arm] += (f - target) ** 2 / p[arm]
            gradient = 2 * (f - target) / (p[arm] + (1 - p[arm]) / (K - 1))
            squares[arm] += gradient**2
            step, limit = RADIUS / math.sqrt(2) / math.sqrt(1 + squares[arm]), RADIUS / math.sqrt(D)
            w[arm] = np.clip(w[arm] - step * gradient * z, -limit, limit)
        weights = [math.exp(-eta * (loss - min(L))) for loss in L]
        p = [(1 - delta) * weight / sum(weights) + delta / K for weight in weights]
    return players, predictions


# ---- both, side by side


def late(algorithm: kernelpick.Algorithm, X: np.ndarray, y: np.ndarray, delay: int) -> kernelpick.KernelRegressor:
    """Every label comes so many rounds after its prediction, and teaches both players of that time."""
    model = kernelpick.KernelRegressor(algorithm, kernels=WIDTHS, scale=None, scale_target=False, random_state=1)
    tickets = []
    for t, x in enumerate(X):
        tickets.append(model.ask(x))
        if t >= delay:
            model.tell(tickets[t - delay], y[t - delay])
    for ticket, target in zip(tickets[len(X) - delay :], y[len(X) - delay :], strict=True):
        model.tell(ticket, target)
    return model


def main() -> str:
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (ROUNDS, 2))
    y = 0.5 + 0.4 * np.sin(3 * X[:, 0]) + 0.1 * rng.uniform(-1, 1, ROUNDS)
    uniforms, frequencies = rng.random((ROUNDS, 2)), rng.normal(size=(30, 2))
    run = kernelpick.trace(IN_FEATURES, X, y, loss="square", widths=WIDTHS, uniforms=uniforms, frequencies=frequencies)
    players, predictions = plain(X, y, uniforms, frequencies)
    problem = run.parts_from([first for first, _ in players], predictions)
    if run.players.tolist() != players:
        problem = problem or "The second players are others than those of the plain version."
    print(f"{run}; the first players {run.players[:4].tolist()}, p at the end {run.weights.round(3)}")

    # labels that come at once teach the same, to the bit, as partial_fit; both players, in both spaces
    for algorithm, name in ((IN_FEATURES, "features"), (EXACT, "exact")):
        at_once, later = late(algorithm, X, y, 0), late(algorithm, X, y, 25)
        model = kernelpick.KernelRegressor(algorithm, kernels=WIDTHS, scale=None, scale_target=False, random_state=1)
        model.partial_fit(X, y)
        if not (at_once.predict(X) == model.predict(X)).all():
            problem = problem or f"A label that is told at once teaches something else than partial_fit ({name})."
        print(f"{name}: mean loss {model.loss_:.3f}, with labels 25 rounds late {later.loss_:.3f}")
    if later.support_size_ != 2 * ROUNDS:
        problem = problem or f"Of {2 * ROUNDS} players, {later.support_size_} have learned."
    return problem


if __name__ == "__main__":
    sys.exit(main() or 0)
