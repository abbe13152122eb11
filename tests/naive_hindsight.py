"""The best hypothesis in hindsight a second time, plainly: whole matrices, eigenvalues, and solvers for a few rows."""

import numpy as np
from scipy.optimize import brentq, minimize


def loss(name, f, y):
    """The definitions, entry by entry."""
    return {
        "square": (f - y) ** 2,
        "absolute": np.abs(f - y),
        "huber": np.where(np.abs(f - y) <= 0.5, (f - y) ** 2, np.abs(f - y) - 0.25),
        "hinge": np.maximum(0, 1 - y * f),
        "squared_hinge": np.maximum(0, 1 - y * f) ** 2,
        "logistic": np.log1p(np.exp(-y * f)),
    }[name]


def square_by_eigenvalues(K, y, radius):
    """K = V diag(e) V', f = V sqrt(e) z: z = sqrt(e) V'y / (e + m), with m such that |z| = radius, or 0."""
    e, V = np.linalg.eigh(K)
    e, p = np.maximum(e, 0), V.T @ y

    def size(m):
        return np.linalg.norm(np.sqrt(e) * p / (e + m))

    m = brentq(lambda m: size(m) - radius, 1e-12, len(y) * np.linalg.norm(y) / radius, xtol=1e-14, rtol=1e-14)
    return ((V @ (e * p / (e + m)) - y) ** 2).sum()


def least_loss(name, K, y, radius):
    """By a solver for any smooth function. Kinks become the bounds of variables s of their own, min sum s."""
    factor = np.linalg.cholesky(K + 1e-12 * np.eye(len(K)))
    T = len(y)
    ball = {"type": "ineq", "fun": lambda v: radius**2 - v[:T] @ v[:T]}
    options = {"maxiter": 2000, "ftol": 1e-13}
    if name not in ("absolute", "hinge"):
        found = minimize(
            lambda z: loss(name, factor @ z, y).sum(), np.zeros(T), constraints=[ball], method="SLSQP", options=options
        )
        return loss(name, factor @ found.x, y).sum()
    sides = [lambda v: v[T:] - (1 - y * (factor @ v[:T])), lambda v: v[T:]]
    if name == "absolute":
        sides = [lambda v: v[T:] - (factor @ v[:T] - y), lambda v: v[T:] + (factor @ v[:T] - y)]
    constraints = [ball, *({"type": "ineq", "fun": side} for side in sides)]
    start = np.concatenate([np.zeros(T), np.full(T, 1 + np.abs(y).max())])
    found = minimize(lambda v: v[T:].sum(), start, constraints=constraints, method="SLSQP", options=options)
    return loss(name, factor @ found.x[:T], y).sum()
