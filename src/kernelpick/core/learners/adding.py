"""What shards have learned, added up (see core/shards.py).

The curvatures of rows add up, so the inverse of P, which is the ridge and all of them, does, too; b = P^-1 w is the sum
of rows times targets. With S shards

    P^-1 = sum_s P_s^-1 - (S - 1) I/prior,   b = sum_s P_s^-1 w_s,   w = P b.

For the square loss that is what one learner would know that has seen the rows of all of them. For other losses the
curvatures of a shard were taken at its own predictions, and for a learner that forgets each shard has forgotten by its
own clock: there it is an approximation. Rows that wait have grown beside older ones (see flush.py); so before shards
are added up, all rows lose that weight, and the ridge does not.
"""

from typing import Any

import numpy as np

from kernelpick.core.learners.hints import GG, GM, MM, B
from kernelpick.core.numerics.panels import dense


def waiting_rows(learner: Any, seat: int) -> np.ndarray:
    """(rows, order) the rows A_r of a flush (see flush.py), of those that wait; nothing changes."""
    A = learner.K[seat, : int(learner.waiting[seat])].copy()
    for r in range(len(A)):
        A[r] -= learner.N[seat, :r, r] @ A[:r]
    return A


def flushed(learner: Any, space: Any, arm: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """P as an ordinary matrix, and w (M, order), as if there were a flush now."""
    A, P, weights = waiting_rows(learner, seat), dense(learner.P[seat]), space.weights[arm]
    w = np.zeros((len(weights), len(P)))
    w[:, : weights.shape[1]] = weights
    P, w = P - (A.T * learner.c[seat, : len(A)]) @ A, w + learner.g[seat, :, : len(A)] @ A
    left = float(learner.forgetting[seat]) ** len(A)
    return (P, w) if left == 1.0 else _faded(P, w, left, learner.prior)


def _faded(P: np.ndarray, w: np.ndarray, left: float, prior: float) -> tuple[np.ndarray, np.ndarray]:
    """The same when all rows have that part of their weight left."""
    information = left * np.linalg.inv(P)
    fresh = np.linalg.inv(0.5 * (information + information.T) + (1.0 - left) / prior * np.eye(len(P)))
    fresh = 0.5 * (fresh + fresh.T)
    return fresh, w @ information @ fresh


def add_newton(learner: Any, states: Any, whole: Any) -> Any:
    """The learner of the whole; the weights of its space are written."""
    weights, matrices = whole.space.weights, {}
    for arm in range(len(weights)):
        known = [state for state in states if _knows(state, arm)]
        if whole.seat(arm) < 0 or not known:
            weights[arm] = 0.0
            continue
        P, w = _together([s.learner.taken_in(s.space, arm, s.seat(arm)) for s in known], learner.prior)
        matrices[whole.seat(arm)], weights[arm] = P, w[:, : weights.shape[2]]
    fresh = learner.with_matrices(matrices)
    fresh.seen[:] = reached(states)
    return fresh


def _knows(state: Any, arm: int) -> bool:
    return bool(state.seat(arm) >= 0 and state.learner.knows(state.seat(arm)))


def _together(known: list[tuple[np.ndarray, np.ndarray]], prior: float) -> tuple[np.ndarray, np.ndarray]:
    if len(known) == 1:
        return known[0]
    ridge = np.eye(len(known[0][0])) / prior
    information, b = ridge.copy(), np.zeros_like(known[0][1])
    for P, w in known:
        own = np.linalg.inv(P)
        information += own - ridge
        b += w @ own
    P = np.linalg.inv(0.5 * (information + information.T))
    P = 0.5 * (P + P.T)
    return P, b @ P


def add_diagonal(learner: Any, states: Any, whole: Any) -> Any:
    """The same where P is a diagonal: the sum of the curvatures is there already."""
    ridge, weights = 1.0 / learner.prior, whole.space.weights
    b = np.sum([(ridge + s.learner.curvatures)[:, None] * s.space.weights for s in states], axis=0)
    weights[:] = b / (ridge + learner.curvatures)[:, None]
    return learner._replace(seen=reached(states))


def reached(states: Any) -> np.ndarray:
    """(2, M) the smallest and the largest target that any shard has seen."""
    seen = np.array([state.learner.seen for state in states])
    return np.stack([seen[:, 0].min(axis=0), seen[:, 1].max(axis=0)])


def add_optimistic(learner: Any, states: Any, whole: Any) -> Any:
    """f' = a g + b mu of each shard goes into the weights, which are a mean by rounds; then a = 1 and b = 0."""
    shares = np.array([state.rounds for state in states], dtype=float)
    weights, most = whole.space.weights, states[int(shares.argmax())].learner
    weights[:] = 0.0
    for state, share in zip(states, shares / shares.sum(), strict=True):
        own, count = state.learner, max(1, int(state.learner.filled[0]))
        g = own.a[:, :, None] * state.space.weights + own.held[:, :, B, None] / count * own.mu
        weights += share * g
    held, count = np.zeros_like(most.held), max(1, int(most.filled[0]))
    held[:, :, GG] = (weights * weights).sum(axis=2)
    held[:, :, GM] = (weights * most.mu).sum(axis=2) / count
    held[:, :, MM] = (most.mu * most.mu).sum(axis=2) / (count * count)
    taken = {name: getattr(most, name).copy() for name in ("rows", "labels", "filled", "mu")}
    return learner._replace(a=np.ones_like(most.a), held=held, **taken)


def weaken_newton(learner: Any, state: Any, factor: float, whole: Any) -> Any:
    """What the learner of a state knows, at a part of its weight: P^-1 = I/prior + factor (P_s^-1 - I/prior), and b
    likewise; the weights in the space of the whole are written."""
    ridge, matrices = np.eye(learner.P.shape[2]) / learner.prior, {}
    for arm in range(len(whole.space.weights)):
        seat, to = state.seat(arm), whole.seat(arm)
        if seat < 0 or to < 0 or not _knows(state, arm):
            continue
        P, w = state.learner.taken_in(state.space, arm, seat)
        own = np.linalg.inv(P)
        weak = np.linalg.inv(ridge + factor * (0.5 * (own + own.T) - ridge))
        matrices[to] = weak = 0.5 * (weak + weak.T)
        whole.space.weights[arm] = (factor * (w @ own) @ weak)[:, : whole.space.weights.shape[2]]
    fresh = learner.with_matrices(matrices)
    fresh.seen[:] = state.learner.seen
    return fresh
