"""newton with more weights than before, and what becomes of it where there are too many for a matrix."""

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from kernelpick.core.learners.diagonal import OF_SCALE, Diagonal
from kernelpick.core.learners.newton import Newton
from kernelpick.core.learners.steady import Steady
from kernelpick.core.numerics.memory import zeros
from kernelpick.core.numerics.panels import dense, in_panels

NEVER, AGAIN = -1, -2  # in the place of a turn: the seat was not filled, or not to the end


def widened_matrices(learner: Newton, order: int) -> Newton:
    """Matrices of that order; nothing is known of the new weights."""
    before = learner.K.shape[2]
    wider = np.stack([learner.prior * np.eye(order)] * len(learner.P))
    for i, P in enumerate(learner.P):
        wider[i, :before, :before] = dense(P)
    K = np.zeros((*learner.K.shape[:2], order), learner.K.dtype)
    K[..., :before] = learner.K
    return learner._replace(P=np.stack([in_panels(P) for P in wider]), K=K)


class Halves:
    """Halves of matrices of a higher order, which are filled seat by seat while the learner goes on. A seat that learns
    after its turn is filled again in the end."""

    def __init__(self, learner: Steady, order: int) -> None:
        seats, _, _, lanes = learner.P.shape
        self.source, self.P = learner.P, zeros((seats, order // lanes, order, lanes))
        self.turns, self.rounds = np.full(seats, NEVER), np.zeros(seats, dtype=np.int64)
        self.diagonals = np.zeros((seats, learner.P.shape[2]))

    def filled(self, learner: Steady, clock: np.ndarray, steps: int) -> Iterator[None]:
        """In about so many steps; clock (1,) has the rounds so far."""
        known = np.flatnonzero(learner.blank == 0).tolist()  # memory of the others is zero
        for seat in known:
            since = learner.turn[seat], int(clock[0]), _diagonal(learner, seat)
            self.turns[seat] = AGAIN
            yield from self._fill(learner, seat, max(steps // len(known), 1))
            self.turns[seat], self.rounds[seat], self.diagonals[seat] = since

    def _fill(self, learner: Steady, seat: int, parts: int = 1) -> Iterator[None]:
        """What a matrix is still to lose to forgetting, new weights gain beforehand."""
        _, panels, before, lanes = learner.P.shape
        edges = panels * np.sqrt(np.linspace(0, 1, parts + 1))  # a panel has the rows up to its own
        order, edges = self.P.shape[2], edges.round().astype(int).tolist()
        for first, last in pairwise(edges):
            for panel in range(first, last):
                self.P[seat, panel, : lanes * (panel + 1)] = learner.P[seat, panel, : lanes * (panel + 1)]
            yield
        new = np.arange(before, order)
        self.P[seat, new // lanes, new, new % lanes] = learner.prior * learner.forgetting[seat]

    def matrices(self, learner: Steady, clock: np.ndarray) -> np.ndarray:
        """As they are now. The turn of a seat moves on with every row that it learns, and comes round after all
        weights; one that has started afresh meanwhile has another diagonal."""
        moved = (self.turns != learner.turn) | (int(clock[0]) - self.rounds >= learner.P.shape[2])
        self.P[(learner.blank == 1) & (self.turns != NEVER)] = 0.0  # who has started afresh, and learned nothing since
        for seat in np.flatnonzero(learner.blank == 0).tolist():
            if moved[seat] or not np.array_equal(self.diagonals[seat], _diagonal(learner, seat)):
                deque(self._fill(learner, seat), maxlen=0)
        return self.P


def _diagonal(learner: Steady, seat: int) -> np.ndarray:
    j = np.arange(learner.P.shape[2])
    return learner.P[seat, j // learner.P.shape[3], j, j % learner.P.shape[3]]


def widened_halves(learner: Steady, order: int, clock: np.ndarray, ready: Halves | None = None) -> Steady:
    """The same for halves of matrices, which may be ready. Whoever still writes to the memory of the learner that there
    was (online/ahead.py), begins no seat of the new one."""
    if ready is None or ready.source is not learner.P or ready.P.shape[2] != order:
        ready = Halves(learner, order)
    waits = np.zeros((len(learner.P), 2, order))
    waits[:, :, : learner.P.shape[2]] = learner.waits
    return learner._replace(P=ready.matrices(learner, clock), waits=waits, blank=learner.blank.copy())


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
