"""Rounds in batches, as scikit-learn's face, `trace` and the command line play them; and made-up rows to play."""

from itertools import cycle

import numpy as np

from kernelpick.budget.measure import Player, Way
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan

CALL, CALLS = 512, 2
ROWS = 8 * CALL


def made_up(plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """Rows (T, d) without zeros, which would be skipped, and targets (T, M): numbers, or labels of one class each."""
    spec = plan.specification
    rng = np.random.default_rng(0)
    X = rng.normal(size=(max(CALLS * CALL, min(ROWS, 4_000_000 // spec.n_inputs // CALL * CALL)), spec.n_inputs))
    Y = np.sin(X[:, :1] + np.arange(spec.n_outputs)) + X[:, -1:] + 0.3 * rng.normal(size=(len(X), spec.n_outputs))
    if not spec.loss_row.classifies:
        return X, Y
    if spec.n_outputs == 1:
        return X, np.where(Y > 0, 1.0, -1.0)
    return X, np.where(Y == Y.max(axis=1, keepdims=True), 1.0, -1.0)


def learn_made_up(model: Model, rows: int, X: np.ndarray, Y: np.ndarray) -> None:
    """So many of them, again and again."""
    for start in range(0, rows, len(X)):
        model.learn(X[: rows - start], Y[: rows - start])


def begin(plan: Plan) -> Player:
    model, (X, Y) = Model(plan), made_up(plan)
    starts = cycle(range(0, CALLS * CALL, CALL))

    def call() -> None:
        start = next(starts)
        model.learn(X[start : start + CALL], Y[start : start + CALL]).in_units()

    return Player(lambda rows: learn_made_up(model, rows, X, Y), call)


BATCHES = Way("batches", CALL, CALLS, begin)
