"""The second-order learner in tests: a state of one kernel, and what the textbook has in its place."""

import numpy as np

from kernelpick import Gaussian, core
from kernelpick.core import Specification
from kernelpick.core.numerics.panels import dense
from kernelpick.core.spaces.augmented import squash


def spec_for(loss="square", inputs=3, n_features=10, algorithm="rf-oks-newton", **options):
    return Specification(algorithm, loss, inputs, (Gaussian(1.0),), n_features=n_features, horizon=10**6, **options)


def features_of(state, X):
    """z(x) of the only arm."""
    augmented = hasattr(state.space, "bound")
    angles = (squash(X) if augmented else X) @ state.space.frequencies[0] * state.space.inverse_width[0]
    waves = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(angles.shape[1])
    return np.hstack([waves, np.ones((len(X), 1)), X]) if augmented else waves


def settled(state):
    """P and w as the textbook has them, with the rows that still wait taken in."""
    P, waiting = dense(state.learner.P[0]), int(state.learner.waiting[0])
    size = state.space.weights.shape[2]
    K, N, c = state.learner.K[0], state.learner.N[0], state.learner.c[0]
    A = np.zeros((waiting, K.shape[1]))
    for r in range(waiting):
        A[r] = K[r] - sum((N[s, r] * A[s] for s in range(r)), np.zeros(K.shape[1]))
    P = P - (A.T * c[:waiting]) @ A
    w = state.space.weights[0] + state.learner.g[0][:, :waiting] @ A[:, :size]
    return P[:size, :size], w


def played(spec, X, Y, weights=core.NO_WEIGHTS, state=None):
    state = core.start(spec) if state is None else state
    return core.advance_in_place(spec, state, X, Y.reshape(len(X), -1), weights=weights)[0]


def ridge(Z, Y, prior, weights=None):
    """argmin of sum weight/2 (z.w - y)^2 + 1/(2 prior) |w|^2, from scratch."""
    weights = np.ones(len(Z)) if weights is None else weights
    return np.linalg.solve((Z.T * weights) @ Z + np.eye(Z.shape[1]) / prior, (Z.T * weights) @ Y)
