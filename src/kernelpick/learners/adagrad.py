"""Gradient steps with a rate of its own for every feature, that falls with the squared slopes it has seen (AdaGrad).

Between gradient and newton: as cheap as the one, and features of different size or frequency are no trouble. Slopes
are importance-weighted, as in the paper's algorithms: the analysis of the steps is one of unbiased gradients.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import fma
from ..losses import reach, slope
from ..products import dot
from ..spaces import clear, coordinates
from . import answer, improve, notes, plain, restart


class Adagrad(NamedTuple):
    step: float
    squares: np.ndarray  # (K, M, size) sums of squared slopes


class Notes(NamedTuple):
    z: np.ndarray  # (1, K, size) features of the row that is played
    moves: np.ndarray  # (size,)


plain(Adagrad)


def adagrad(scale: float, n_features: int, arms: int, outputs: int, size: int) -> Adagrad:
    """A first step moves every weight by scale/sqrt(D), and with that a prediction by about the scale."""
    return Adagrad(scale / math.sqrt(n_features), np.zeros((arms, outputs, size)))


@notes.register(Adagrad)
def _notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
    arms, _, size = learner.squares.shape
    return Notes(np.empty((1, arms, size)), np.empty(size))


@answer.register(Adagrad)
def _answer(
    learner: Any, notes: Any, space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, seat: int,
    expected: float, values: np.ndarray,
) -> None:  # fmt: skip
    coordinates(space, work, X, row, slot, arm, notes.z, 0, arm)
    for m in range(values.shape[1]):
        values[arm, m] = dot(space.weights, arm, m, notes.z[0], arm)


@improve.register(Adagrad)
def _improve(
    learner: Any, notes: Any, space: Any, work: Any, ledger: Any, X: np.ndarray, Y: np.ndarray, row: int, slot: int,
    arm: int, seat: int, loss: int, at: np.ndarray, values: np.ndarray, weight: float, p: float, margin: float,
    capped: bool,
) -> None:  # fmt: skip
    z, squares, weights, moves = notes.z[0], learner.squares, space.weights, notes.moves
    for m in range(len(at)):
        g = weight * slope(loss, at[m], Y[row, m]) / p
        if g == 0.0:
            continue
        change = 0.0
        for j in range(len(moves)):
            gradient = g * z[arm, j]
            squares[arm, m, j] = fma(gradient, gradient, squares[arm, m, j])
            moves[j] = learner.step * gradient / math.sqrt(squares[arm, m, j]) if squares[arm, m, j] > 0.0 else 0.0
            change = fma(moves[j], z[arm, j], change)
        part, furthest = 1.0, reach(loss, at[m], Y[row, m])
        if capped and abs(change) > furthest:
            part = furthest / abs(change)
        for j in range(len(moves)):
            weights[arm, m, j] = fma(-part, moves[j], weights[arm, m, j])


@restart.register(Adagrad)
def _restart(learner: Any, space: Any, arm: int, seat: int) -> None:
    clear(space, arm)
    for m in range(learner.squares.shape[1]):
        for j in range(learner.squares.shape[2]):
            learner.squares[arm, m, j] = 0.0
