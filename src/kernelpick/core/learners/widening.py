"""newton with more weights than before, and what becomes of it where there are too many for a matrix."""

from typing import Any

import numpy as np

from kernelpick.core.learners.diagonal import OF_SCALE, Diagonal
from kernelpick.core.learners.newton import Newton
from kernelpick.core.learners.steady import Steady
from kernelpick.core.numerics.panels import dense, in_panels


def widened_matrices(learner: Newton, order: int) -> Newton:
    """Matrices of that order; nothing is known of the new weights."""
    before = learner.K.shape[2]
    wider = np.stack([learner.prior * np.eye(order)] * len(learner.P))
    for i, P in enumerate(learner.P):
        wider[i, :before, :before] = dense(P)
    K = np.zeros((*learner.K.shape[:2], order), learner.K.dtype)
    K[..., :before] = learner.K
    return learner._replace(P=np.stack([in_panels(P) for P in wider]), K=K)


def widened_halves(learner: Steady, order: int) -> Steady:
    """The same for halves of matrices. What a matrix is still to lose to forgetting, new weights gain beforehand."""
    seats, panels, before, lanes = learner.P.shape
    P, waits = np.zeros((seats, order // lanes, order, lanes)), np.zeros((seats, 2, order))
    P[:, :panels, :before], waits[:, :, :before] = learner.P, learner.waits
    new = np.arange(before, order)
    P[:, new // lanes, new, new % lanes] = (learner.prior * learner.forgetting)[:, None]
    return learner._replace(P=P, waits=waits)


def diagonal_only(learner: Any, space: Any, seat: np.ndarray) -> Diagonal:
    """Newton along every single weight: 1/(1/prior + C_j) is the diagonal of P. Rows that wait are taken in first."""
    weights = space.weights
    arms, _, size = weights.shape
    prior = OF_SCALE * learner.prior
    diagonals = np.full((arms, size), prior)
    for arm in np.flatnonzero(seat >= 0):
        at, known = seat[arm], min(size, learner.P.shape[2])
        if isinstance(learner, Steady):
            diagonals[arm, :known] = np.diagonal(learner.taken_in(space, int(arm), int(at))[0])[:known]
            continue
        rows = learner.waiting[at]
        unit = np.eye(rows) + np.triu(learner.N[at, :rows, :rows], 1).T
        A = np.linalg.solve(unit, learner.K[at, :rows])[:, :known]
        weights[arm, :, :known] += learner.g[at, :, :rows] @ A
        diagonals[arm, :known] = np.diagonal(dense(learner.P[at]))[:known] - learner.c[at, :rows] @ A**2
    curvatures = np.maximum(1.0 / np.maximum(diagonals, 1e-12) - 1.0 / prior, 0.0)
    return Diagonal(prior, learner.regression, curvatures, learner.seen)
