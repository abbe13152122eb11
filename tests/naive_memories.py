"""Memories once more, plainly: newton that forgets, a discounted mixture, and rows as the memories see them.

Headings in the comments are those of docs/algorithms.md.
"""

import math

import numpy as np
from naive_losses import REGRESSION, loss_value
from naive_second_order import parabola


class Forgets:  # "Newton", forgetting
    """w and P of several outputs; rows z of the given size. Weights take turns in getting their ridge back.

    So many rows are a block, after which they forget, and one weight gets its ridge back after each where that is 1.
    """

    def __init__(self, size: int, outputs: int, loss: str, s: float, phi: float, block: int = 64):
        self.loss, self.s, self.phi = loss, s, phi
        self.order = -(-size // 8) * 8 if block > 1 else size
        self.P, self.w = s * np.eye(self.order), np.zeros((outputs, self.order))
        self.waiting, self.turn = 0, 0
        rate = -math.log(phi)
        self.block = block if block * rate <= 13.8 else max(1, int(13.8 / rate))
        turns = min(math.ceil(self.order * self.block * rate / math.log(2)), self.block)
        self.turns = min(max(turns, math.ceil(self.order * self.block * rate / 13.8)), self.order)
        self.kappa = 2 * math.sinh(0.5 * rate * self.order * self.block / max(self.turns, 1)) / s

    def values(self, z) -> np.ndarray:
        return self.w[:, : len(z)] @ z

    def learn(self, z, y, weight=1.0) -> None:
        z = np.concatenate([z, np.zeros(self.order - len(z))])
        weight *= self.phi**-self.waiting
        v = z @ self.P @ z
        both = [parabola(self.loss, f, y_m, v * weight) for f, y_m in zip(self.w @ z, y, strict=True)]
        self.take(z, [weight * g for g, _ in both], weight * max(h for _, h in both))
        self.waiting += 1
        if self.waiting == self.block and self.phi < 1:
            self.P, self.waiting = self.P * self.phi**-self.block, 0
            for _ in range(self.turns):
                unit = np.eye(self.order)[self.turn]
                self.take(unit, self.kappa * self.w @ unit, self.kappa)
                self.turn = (self.turn + 1) % self.order

    def take(self, z, slopes, h) -> None:
        Pz = self.P @ z
        for m, slope in enumerate(slopes):
            self.w[m] -= slope / (1 + h * (z @ Pz)) * Pz
        self.P = self.P - h / (1 + h * (z @ Pz)) * np.outer(Pz, Pz)


class Line:  # "Memories", the line
    """Linear in x, and then what is to be made of its values f and of those of the leader, g."""

    def __init__(self, places: int, outputs: int, loss: str, s: float):
        self.line = Forgets(places + 1, outputs, loss, s, 0.998, block=1)
        self.regression = loss in REGRESSION
        self.worth = [Forgets(5, 1, loss, s, 0.999, block=1) for _ in range(outputs)]

    def values(self, x, said, bound) -> np.ndarray:
        f = bound(self.line.values(np.append(x, 1.0)))
        bent = [(a, a / math.hypot(1, a), g, g / math.hypot(1, g)) for a, g in zip(f, said, strict=True)]
        self.opinions = [np.array([*four, 1.0]) for four in bent]
        if self.regression:
            return f
        return bound(np.array([one.values(z)[0] for one, z in zip(self.worth, self.opinions, strict=True)]))

    def learn(self, x, y, weight=1.0) -> None:
        self.line.learn(np.append(x, 1.0), y, weight)
        for one, z, y_m in zip(self.worth, self.opinions, y, strict=True):
            one.learn(z, [y_m], weight)


class Mixture:  # "Memories", the mixture
    def __init__(self, arms: int, loss: str):
        self.loss, self.L, self.n = loss, np.zeros(arms), 0.0
        self.p = np.eye(arms)[0]

    def observe(self, losses) -> None:
        losses = np.array(losses)
        if self.loss != "logistic" and self.n > 16 and self.L.min() > 0:
            losses = np.minimum(losses, 25 * self.L.min() / self.n)
        self.L, self.n = 0.997 * self.L + losses, 0.997 * self.n + 1
        log = -self.L if self.loss == "logistic" else -0.5 * self.n * np.log(self.L + 1e-300)
        p = np.exp(log - log.max())
        self.p = p / p.sum()


def row(x, said, places: int) -> np.ndarray:  # "Memories", the rows
    """Columns beyond the places share them, with signs; then what the leader says."""
    out = np.zeros(places)
    for k, value in enumerate(x):
        sign = -1.0 if k >= places and (k * 2654435761 >> 16) % 2 else 1.0
        out[k % places] += sign * value / math.sqrt(math.ceil(len(x) / places))
    return np.concatenate([out, said])


def trace(X, Y, said, *, loss, width, frequencies, places=32, s=5.0):
    """(T, M) what is said to scaled rows X with targets Y (T, M), where the leader says (T, M); and the last shares.

    Where columns share places there is no line, and blocks are longer.
    """
    lines, places, outputs = int(X.shape[1] <= places), min(places, X.shape[1]), Y.shape[1]
    scale = 1 / math.sqrt(math.ceil(X.shape[1] / places))
    size = 2 * len(frequencies) + 1 + places + (1 + lines) * outputs
    arms = [Forgets(size, outputs, loss, s, phi, block=32 if lines else 64) for phi in (0.998, 0.995, 0.98, 0.95)]
    line, mixture, out = Line(places, outputs, loss, s), Mixture(5 + lines, loss), np.zeros(Y.shape)
    low, high = np.full(outputs, np.inf), np.full(outputs, -np.inf)

    def bound(f):
        if loss not in REGRESSION:
            return np.clip(f, -30, 30)
        return np.clip(f, low - 0.1 * (high - low), high + 0.1 * (high - low)) if np.isfinite(low).all() else f

    for t in range(len(X)):
        x = row(X[t], said[t], places)
        squashed = x[:places] / np.sqrt(1 + (x[:places] / 3) ** 2)
        own, rows = [bound(said[t])], []
        heard = [line.values(x[:places], said[t], bound)] * lines
        own += heard
        for wider, arm in zip((2, 1, 2, 4), arms, strict=True):
            angles = frequencies @ squashed / (scale * wider * width)
            z = np.concatenate([np.cos(angles), np.sin(angles)]) / math.sqrt(len(frequencies))
            rows.append(np.concatenate([z, [1.0], x, *heard]))
            own.append(bound(arm.values(rows[-1])))
        out[t] = sum(p * f for p, f in zip(mixture.p, own, strict=True))
        mixture.observe([sum(loss_value(loss, f, y) for f, y in zip(one, Y[t], strict=True)) for one in own])
        for z, arm in zip(rows, arms, strict=True):
            arm.learn(z, Y[t])
        line.learn(x[:places], Y[t])
        low, high = np.minimum(low, Y[t]), np.maximum(high, Y[t])
    return out, mixture.p
