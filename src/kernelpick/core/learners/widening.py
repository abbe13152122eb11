"""newton with more weights than before, and newton that becomes adagrad because there are too many for a matrix."""

import numpy as np

from kernelpick.core.learners.adagrad import Adagrad
from kernelpick.core.learners.newton import Newton
from kernelpick.core.numerics.panels import dense, in_panels


def widened_matrices(learner: Newton, order: int) -> Newton:
    """Matrices of that order; nothing is known of the new weights."""
    before = learner.K.shape[2]
    wider = np.stack([learner.prior * np.eye(order)] * len(learner.P))
    for i, P in enumerate(learner.P):
        wider[i, :before, :before] = dense(P)
    K = np.zeros((*learner.K.shape[:2], order))
    K[..., :before] = learner.K
    return learner._replace(P=np.stack([in_panels(P) for P in wider]), K=K)


def diagonal_only(learner: Newton, space: object, seat: np.ndarray) -> Adagrad:
    """An adagrad whose steps are those of newton along every single weight: step/sqrt(squares) = the diagonal of P.

    The rows that wait are taken in first.
    """
    weights, frequencies = space.weights, space.frequencies  # type: ignore[attr-defined]
    arms, outputs, size = weights.shape
    step = learner.prior / 5 / np.sqrt(frequencies.shape[2])
    diagonals = np.full((arms, size), learner.prior)
    for arm in np.flatnonzero(seat >= 0):
        at, known = seat[arm], min(size, learner.K.shape[2])
        rows = learner.waiting[at]
        unit = np.eye(rows) + np.triu(learner.N[at, :rows, :rows], 1).T
        A = np.linalg.solve(unit, learner.K[at, :rows])[:, :known]
        weights[arm, :, :known] += learner.g[at, :, :rows] @ A
        diagonals[arm, :known] = np.diagonal(dense(learner.P[at]))[:known] - learner.c[at, :rows] @ A**2
    squares = (step / np.maximum(diagonals, 1e-12)) ** 2
    return Adagrad(step, np.repeat(squares[:, None, :], outputs, axis=1))
