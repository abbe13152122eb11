"""B(AO)2KS once more, plainly: the section "B(AO)2KS" of docs/algorithms.md, with a vector for every hypothesis.

A hypothesis is a vector over the rows of the stream (its coefficients, exact) or over 2D features (its weights). All
that is asked of a space is the vector of kappa(x_t, .) and the product of two vectors, both computed from scratch.
"""

import math
from types import SimpleNamespace

import numpy as np
from naive import WIDTHS, draw, exponential_weights
from naive_spaces import Features

ALGORITHMS = ("bao2ks", "rf-bao2ks")
OMEGA = 0.01


class Rows:
    """Exact: a coefficient for each row of the stream, and the matrix of kernel values."""

    def __init__(self, kernel, X):
        self.points = np.eye(len(X))
        self.matrix = np.array([kernel(X, x) for x in X])

    def product(self, f, g) -> float:
        return float(f @ self.matrix @ g)


class Weights:
    """Random features: 2D weights."""

    def __init__(self, frequencies, X):
        self.points = np.array([Features(frequencies).z(x) for x in X])

    def product(self, f, g) -> float:
        return float(f @ g)


def gaussian_of_rows(sigma: float):
    return lambda X, v: np.exp(-np.sum((X - v) ** 2, axis=1) / (2 * sigma**2))


def projected(space, f, U):
    norm = math.sqrt(max(0.0, space.product(f, f)))
    return f * (U / norm) if norm > U else f


def play(spaces, y, uniforms, horizons, U=20.0, s=5.0, weights=None):
    """All rounds; horizons[t] is T of the formulas in round t."""
    K, log = len(spaces), []
    f_prime = [np.zeros(space.points.shape[1]) for space in spaces]
    V, L, L_hat, tau = [], np.zeros(K), 0.0, 1
    weights = np.ones(len(y)) if weights is None else weights
    for t, (y_t, (u_I, u_J, u_coin, u_slot)) in enumerate(zip(y, uniforms, strict=True)):
        T = horizons[t]
        M, lam = max(1, round(math.log(T))), s / math.sqrt(T)
        eps = 2.0**-tau  # 1
        if eps**2 * L_hat > K * math.log(K / OMEGA):
            tau, L = tau + 1, np.zeros(K)
            eps = 2.0**-tau
        eta = zeta = eps / (4 * K)
        gamma = eps / (2 * K)
        p = exponential_weights(eta, L)  # 2
        p = np.where(p < gamma, 0.0, p)
        p = p / p.sum()
        first, second = draw(p, u_I), min(int(u_J * K), K - 1)  # I and J
        mu = [0 * f_prime[i] for i in range(K)]  # 3
        for i, space in enumerate(spaces):
            for v, r in V:
                mu[i] = mu[i] - r * space.points[v] / len(V)
        played = {i: projected(spaces[i], f_prime[i] - lam * mu[i], U) for i in (first, second)}
        f = {i: spaces[i].product(played[i], spaces[i].points[t]) for i in (first, second)}
        for i, space in enumerate(spaces):  # 4
            gradient = mu[i]
            if i == second:
                nabla = -weights[t] * y_t * space.points[t] if y_t * f[second] < 1 else 0.0
                gradient = K * (nabla - mu[i]) + mu[i]
            f_prime[i] = projected(space, f_prime[i] - lam * gradient, U)
        loss = max(0.0, 1 - y_t * f[first])  # 5
        cost = weights[t] * loss / (1 + U) / (p[first] + zeta)
        L[first] += cost
        L_hat += cost
        if len(V) < M:  # 6
            V.append((t, weights[t] * y_t))
        elif u_coin < M / (t + 1):
            V[min(int(u_slot * M), M - 1)] = (t, weights[t] * y_t)
        norms = [math.sqrt(max(0.0, space.product(g, g))) for space, g in zip(spaces, f_prime, strict=True)]
        log.append((first, second, p, f[first], loss, norms, [v for v, _ in V], eps))
    return log


def trace(algorithm, X, y, *, loss="hinge", widths=WIDTHS, radius=20.0, step_scale=5.0, horizon=None, uniforms,
          frequencies=None, kernels=None, weights=None):  # fmt: skip
    """As naive.trace; arms are (T, 2). Beside it, norms of f' and rows in the reservoir after each round, and epsilon.

    horizon: a number, or those of all rounds.
    """
    assert loss == "hinge"
    horizons = np.broadcast_to(len(X) if horizon is None else horizon, len(X))
    if algorithm == "bao2ks":
        spaces = [Rows(kernel, X) for kernel in kernels or [gaussian_of_rows(sigma) for sigma in widths]]
    else:
        spaces = [Weights(np.asarray(frequencies) / sigma, X) for sigma in widths]
    log = play(spaces, y, uniforms, horizons, radius, step_scale, weights)
    first, second, p, f, losses, norms, reservoirs, eps = zip(*log, strict=True)
    p = np.array(p)
    return SimpleNamespace(
        arms=np.column_stack([first, second]), probabilities=p[np.arange(len(p)), list(first)], predictions=np.array(f),
        losses=np.array(losses), every_p=p, norms=np.array(norms), reservoirs=reservoirs, epsilons=np.array(eps),
    )  # fmt: skip
