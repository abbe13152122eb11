"""Newton, Adagrad and the leader in the style of naive.py: the textbook recursions, with whole matrices.

Section names in the comments are the headings of docs/algorithms.md; the letters are those of that page.
"""

import math
from types import SimpleNamespace

import numpy as np
from naive import IOKS, OKS, WIDTHS, OKSPlus, draw, exponential_weights
from naive_leader import Leader
from naive_losses import BEND, REGRESSION, loss_slope, loss_value
from naive_spaces import Features

SELECTORS = ("rf-oks", "rf-oks++", "rf-ioks", "raker", "leader")
ALGORITHMS = ("leader", *(f"{selector}-{learner}" for learner in ("newton", "adagrad") for selector in SELECTORS))


class Augmented(Features):  # "Beside the inputs"
    """Features of the squashed inputs, a constant, and the inputs themselves."""

    def __init__(self, omega):
        super().__init__(omega)
        self.w = np.zeros(2 * self.D + 1 + self.omega.shape[1])

    def z(self, x) -> np.ndarray:
        return np.concatenate([super().z(x / np.sqrt(1 + (x / 3) ** 2)), [1.0], x])


# ---- The learners: `learn` takes the prediction before it is bounded. First "Newton"
def other_label(margin: float) -> float:
    """1 / (1 + exp(margin)), with the exponential of a non-positive number only."""
    e = math.exp(-abs(margin))
    return e / (1 + e) if margin > 0 else 1 / (1 + e)


def landing(margin: float, v: float) -> float:
    """The a with a = margin + v / (1 + exp(a)), by bisection."""
    low, high = margin, margin + v
    for _ in range(70):
        a = (low + high) / 2
        low, high = (low, a) if a > margin + v * other_label(a) else (a, high)
    return (low + high) / 2


def parabola(loss: str, f: float, y: float, v: float) -> tuple[float, float]:
    """Slope and curvature h of what takes the place of the loss."""
    if loss == "square":  # the square losses are halved
        return f - y, 1.0
    if loss == "huber":
        h = 1.0 if abs(f - y) <= BEND else BEND / abs(f - y)
        return h * (f - y), h
    if loss == "squared_hinge":
        return (f - y, 1.0) if y * f < 1 else (0.0, 0.0)
    way = landing(y * f, v) - y * f
    other = other_label(y * f)
    h = (other - other_label(y * f + way)) / way if way > 1e-4 else other * (1 - other)  # its limit
    return -y * other, h


class Newton:
    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.P = space, loss, s * np.eye(len(space.w))

    def learn(self, x, y, f, chance) -> None:
        z = self.space.z(x)
        Pz = self.P @ z
        v = z @ Pz
        slope, h = parabola(self.loss, f, y, v)
        self.space.w = self.space.w - slope / (1 + h * v) * Pz
        self.P = self.P - h / (1 + h * v) * np.outer(Pz, Pz)


class Diagonal:  # "Diagonal"
    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.ridge, self.C = space, loss, 10 / s, np.zeros(len(space.w))

    def learn(self, x, y, f, chance) -> None:
        z = self.space.z(x)
        Pz = z / (self.ridge + self.C)
        v = z @ Pz
        slope, h = parabola(self.loss, f, y, v)
        self.space.w = self.space.w - slope / (1 + h * v) * Pz
        self.C = self.C + h * z**2


class Adagrad:  # "Adagrad"
    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.step = space, loss, s / 5 / math.sqrt(space.D)
        self.squares = np.zeros(len(space.w))

    def learn(self, x, y, f, chance) -> None:
        gradient = loss_slope(self.loss, f, y) / chance * self.space.z(x)
        self.squares += gradient**2
        moving = gradient != 0
        self.space.w[moving] -= self.step * gradient[moving] / np.sqrt(self.squares[moving])


class Normalised:
    """The step of IOKS."""  # "IOKS and RF-IOKS"

    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.U, self.squares = space, loss, U, 0.0

    def learn(self, x, y, f, chance) -> None:
        g, z = loss_slope(self.loss, f, y) / chance, self.space.z(x)
        self.squares += g * g * (2 + x @ x)  # k(x, x): cos^2 + sin^2, the constant, the inputs
        self.space.w = self.space.w - self.U / math.sqrt(2) / math.sqrt(1 + self.squares) * g * z


# ---- The selectors: who plays, what they say together, and what is made of their costs {arm: c}
class Bandit:  # "A round"
    def __init__(self, inner):
        self.inner, self.p = inner, inner.p

    def players(self, u):
        self.arm = draw(self.p, u)
        return [self.arm], self.arm, self.p[self.arm]

    def say(self, values) -> float:
        return values[self.arm]

    def observe(self, costs, f, y, u) -> set:
        self.inner.observe(self.arm, f, y, costs[self.arm], 0.0, 1.0)
        self.p = self.inner.p
        return set()


class Hedge:  # "Raker", with another learner
    def __init__(self, K, T, loss, s):
        self.p, self.L, self.eta, self.l_max = np.full(K, 1 / K), np.zeros(K), s / math.sqrt(T), 1 + (loss != "square")

    def players(self, u):
        return range(len(self.p)), -1, math.nan

    def say(self, values) -> float:
        return sum(self.p[i] * f for i, f in values.items())

    def observe(self, costs, f, y, u) -> set:
        for i, c in costs.items():
            self.L[i] += c / self.l_max
        self.p = exponential_weights(self.eta, self.L)
        return set()


LEARNERS = {"newton": Newton, "adagrad": Adagrad, "diagonal": Diagonal}


def trace(algorithm, X, y, *, loss, widths=WIDTHS, settings="paper", horizon=None, radius=None, step_scale=5.0,
          hypotheses=1.3, even=False, uniforms, frequencies, budget=None):  # fmt: skip
    """As naive.trace; the selector is returned too."""
    X, y, K, T = np.asarray(X, dtype=float), [float(v) for v in y], len(widths), horizon or len(y)
    U = (15.0 if loss == "logistic" else 1.0) if radius is None else radius
    name, _, learner = algorithm.rpartition("-") if algorithm.endswith(tuple(LEARNERS)) else (algorithm, "", "")
    if name == "raker" and settings == "published":
        widths = np.cumprod(widths)  # "Published settings"
    if name == "raker":
        selector = Hedge(K, T, loss, step_scale)
    elif name == "leader":
        selector = Leader(K, hypotheses, even)
    else:
        selector = {"rf-oks": OKS, "rf-oks++": OKSPlus, "rf-ioks": IOKS}[name]
        selector = Bandit(selector(K, T, loss, U, step_scale, settings))
    Space = Augmented if name == "leader" else Features
    Learner = LEARNERS[learner] if learner else Normalised

    def fresh(i: int):
        return Learner(Space(np.asarray(frequencies) / widths[i]), loss, step_scale, U)

    learners = [fresh(i) for i in range(K)]
    low, high = (math.inf, -math.inf) if loss in REGRESSION else (-30.0, 30.0)
    rows = []
    for x_t, y_t, u_t in zip(X, y, uniforms, strict=True):
        arms, arm, p = selector.players(u_t)
        raw = {i: learners[i].space.value(x_t) for i in arms}
        room = 0.1 * (high - low) if loss in REGRESSION else 0.0
        bounded = learner in ("newton", "diagonal") and low <= high
        f_i = {i: min(max(f, low - room), high + room) if bounded else f for i, f in raw.items()}
        f = selector.say(f_i)
        rows.append((arm, p, f, loss_value(loss, f, y_t)))
        for i in arms:
            learners[i].learn(x_t, y_t, raw[i], 1.0 if math.isnan(p) else p)
        if loss in REGRESSION:
            low, high = min(low, y_t), max(high, y_t)
        for i in selector.observe({i: loss_value(loss, f_i[i], y_t) for i in arms}, f, y_t, u_t):
            learners[i] = fresh(i)
    arms, probabilities, predictions, losses = np.array(rows, dtype=float).reshape(-1, 4).T
    return SimpleNamespace(
        arms=arms.astype(int), probabilities=probabilities, predictions=predictions, losses=losses,
        weights=np.array(selector.p), selector=selector,
    )  # fmt: skip
