"""Second-order learners: recursive least squares, and online Newton for the other losses, that look ahead.

With P the inverse of (the ridge plus all curvatures so far), the recursion for a row z is

    v = z'Pz,   c = h/(1 + h v),   w <- w - slope/(1 + h v) Pz,   P <- P - c Pz z'P.

P is that of the last flush; what up to BATCH rows have taught since is kept in small arrays, for rows r, s of the batch
    K_r = P z_r,   L_rs = z_r'P_s z_s (P_s: as it is before row s) = K_s.z_r - sum_{q<s} N_sq L_rq,   N_rs = c_s L_rs,
    g_s = -slope_s/(1 + h_s L_ss),   f_r = w.z_r + sum_{s<r} g_s L_rs.
A flush takes them in:  A_r = K_r - sum_{s<r} N_rs A_s,   w += sum g_r A_r,   P -= sum c_r A_r A_r'.
It is the same recursion, at the speed of matrix products. The K_r of coming rows are found together where it is known
that the arm will play them.

Importance weights: a hypothesis learns from the rows it is given with weight 1, not 1/p. Least squares on any subset of
the rows that was not chosen by their labels estimates the same thing, and rows that count 1/p times would only add
variance. The selector's loss estimates are weighted, as its analysis asks.

With several outputs there is one P, whose curvature is the largest of theirs: a round costs the same for any number of
classes, and no output takes a step that is too long.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..compilation import fma, inner
from ..losses import parabola
from ..panels import diagonal, downdate, eliminate, padded, products_with, times
from ..products import dot
from ..registers import LANES
from ..spaces import clear, coordinates
from . import answer, improve, notes, plain, restart

BATCH = 64  # rows between two flushes
MARGIN_BOUND = 30.0  # classification: no prediction is more certain than that
ROOM = 0.1  # regression: predictions stay in the range of the targets seen, widened by this part of it
FADES = 1.5  # forgetting: old rows lose weight whenever they have to lose this factor
NOTHING_LEFT = 27.0  # forgetting: the logarithm of a factor, 5e11, that leaves old rows no weight
SMALLEST = 1e-15  # floor of the diagonal of P, as a part of what it started from


class Newton(NamedTuple):
    """S seats, M outputs, order n = the size of the space, rounded up to a multiple of 8."""

    prior: float  # P = prior * I at the start: ridge 1/prior
    forgetting: float  # what a round leaves of the weight of all rounds before it
    regression: bool  # predictions are bounded by the targets seen, not by MARGIN_BOUND
    P: np.ndarray  # (S, n/8, n, 8) in panels
    K: np.ndarray  # (S, BATCH, n)
    N: np.ndarray  # (S, BATCH, BATCH) N_rs is at [s, r]
    c: np.ndarray  # (S, BATCH)
    g: np.ndarray  # (S, M, BATCH)
    waiting: np.ndarray  # (S,) rows since the last flush
    faded: np.ndarray  # (S,) rows since the last time that old rows lost weight
    blank: np.ndarray  # (S,) 1 before the first flush: P is prior * I, and products with it are free
    seen: np.ndarray  # (2, M) smallest and largest target


class Notes(NamedTuple):
    Z: np.ndarray  # (S, rows, n) features of rows looked at
    ahead: np.ndarray  # (S, 2) the first and the last row of them
    L: np.ndarray  # (S, BATCH) of the row that is played
    f: np.ndarray  # (S, M) predictions before they are bounded
    slopes: np.ndarray  # (M,)


def newton(prior: float, forgetting: float, regression: bool, seats: int, outputs: int, size: int) -> Newton:
    order = padded(size)
    P = np.zeros((seats, order // LANES, order, LANES))
    for j in range(order):
        P[:, j // LANES, j, j % LANES] = prior
    seen = np.empty((2, outputs))
    seen[0], seen[1] = np.inf, -np.inf
    return Newton(
        prior,
        forgetting,
        regression,
        P,
        np.zeros((seats, BATCH, order)),
        np.zeros((seats, BATCH, BATCH)),
        np.zeros((seats, BATCH)),
        np.zeros((seats, outputs, BATCH)),
        np.zeros(seats, dtype=np.int64),
        np.zeros(seats, dtype=np.int64),
        np.ones(seats, dtype=np.int64),
        seen,
    )


plain(Newton)


@notes.register(Newton)
def _notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
    seats, _, order = learner.K.shape
    ahead = np.zeros((seats, 2), np.int64)
    return Notes(
        np.empty((seats, min(rows, BATCH), order)),
        ahead,
        np.empty((seats, BATCH)),
        np.empty((seats, outputs)),
        np.empty(outputs),
    )


@inner
def _look(
    learner: Any, notes: Any, space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, seat: int,
    expected: float,
) -> None:  # fmt: skip
    """Features, and P times them, of this row and of those that the arm is known to play after it."""
    rows, waiting = 1, learner.waiting[seat]
    if expected >= 1.0:
        rows = min(work.block[1] - row, BATCH - waiting)
    for i in range(rows):
        coordinates(space, work, X, row + i, slot + i, arm, notes.Z, seat, i)
    if expected >= 0.0 and learner.blank[seat]:
        for i in range(rows):
            for j in range(learner.K.shape[2]):
                learner.K[seat, waiting + i, j] = learner.prior * notes.Z[seat, i, j]
    elif expected >= 0.0:
        times(notes.Z, seat, 0, rows, learner.P, seat, learner.K, seat, waiting)
    notes.ahead[seat, 0], notes.ahead[seat, 1] = row, row + rows


@answer.register(Newton)
def _answer(
    learner: Any, notes: Any, space: Any, work: Any, X: np.ndarray, row: int, slot: int, arm: int, seat: int,
    expected: float, values: np.ndarray,
) -> None:  # fmt: skip
    if not notes.ahead[seat, 0] <= row < notes.ahead[seat, 1]:
        _look(learner, notes, space, work, X, row, slot, arm, seat, expected)
    at, waiting, L, N = row - notes.ahead[seat, 0], learner.waiting[seat], notes.L, learner.N
    products_with(learner.K, seat, waiting, notes.Z, seat, at, L, seat)
    for q in range(waiting):
        done = L[seat, q]
        for s in range(q + 1, waiting):
            L[seat, s] = fma(-N[seat, q, s], done, L[seat, s])
    for m in range(values.shape[1]):
        f = dot(space.weights, arm, m, notes.Z[seat], at)
        for s in range(waiting):
            f = fma(learner.g[seat, m, s], L[seat, s], f)
        notes.f[seat, m] = f
        low, high = -MARGIN_BOUND, MARGIN_BOUND
        if learner.regression:
            low, high = learner.seen[0, m], learner.seen[1, m]
            if low > high:
                low, high = -math.inf, math.inf
            else:
                room = ROOM * (high - low)
                low, high = low - room, high + room
        values[arm, m] = min(max(f, low), high)


@improve.register(Newton)
def _improve(
    learner: Any, notes: Any, space: Any, work: Any, ledger: Any, X: np.ndarray, Y: np.ndarray, row: int, slot: int,
    arm: int, seat: int, loss: int, at: np.ndarray, values: np.ndarray, weight: float, p: float, margin: float,
    capped: bool,
) -> None:  # fmt: skip
    waiting, L, N = learner.waiting[seat], notes.L, learner.N
    v, h = dot(learner.K, seat, waiting, notes.Z[seat], row - notes.ahead[seat, 0]), 0.0
    for s in range(waiting):
        N[seat, s, waiting] = learner.c[seat, s] * L[seat, s]
        v = fma(-N[seat, s, waiting], L[seat, s], v)
    v = max(v, 0.0)  # what it is, but for rounding
    for m in range(len(at)):
        y = Y[row, m]
        learner.seen[0, m], learner.seen[1, m] = min(learner.seen[0, m], y), max(learner.seen[1, m], y)
        slope, curvature = parabola(loss, notes.f[seat, m], y, v * weight)
        notes.slopes[m] = slope * weight
        h = max(h, curvature * weight)
    shrink = 1.0 / (1.0 + h * v)
    learner.c[seat, waiting] = h * shrink
    for m in range(len(at)):
        learner.g[seat, m, waiting] = -notes.slopes[m] * shrink
    learner.waiting[seat] += 1
    if learner.waiting[seat] == BATCH:
        _flush(learner, space, arm, seat)
        notes.ahead[seat, 1] = 0  # what was looked at belongs to the P before


@inner
def _flush(learner: Any, space: Any, arm: int, seat: int) -> None:
    """P and w take in the rows that wait."""
    rows, P, K = learner.waiting[seat], learner.P, learner.K
    size, order = space.weights.shape[2], K.shape[2]
    eliminate(learner.N, K, seat, rows)
    for m in range(space.weights.shape[1]):
        for r in range(rows):
            g = learner.g[seat, m, r]
            for j in range(size):
                space.weights[arm, m, j] = fma(g, K[seat, r, j], space.weights[arm, m, j])
    downdate(P, seat, K, seat, rows, learner.c)
    for j in range(order):
        P[seat, j // LANES, j, j % LANES] = max(P[seat, j // LANES, j, j % LANES], SMALLEST * learner.prior)
    learner.waiting[seat], learner.blank[seat] = 0, 0
    if learner.forgetting < 1.0:
        learner.faded[seat] += rows
        growth = -learner.faded[seat] * math.log(learner.forgetting)  # its logarithm, which can't overflow
        if growth > NOTHING_LEFT:
            restart(learner, space, arm, seat)
        elif growth >= math.log(FADES):
            steps = math.ceil(growth / math.log(FADES))
            for _ in range(steps):
                _fade(learner, space, arm, seat, math.exp(growth / steps))
            learner.faded[seat] = 0


@inner
def _fade(learner: Any, space: Any, arm: int, seat: int, growth: float) -> None:
    """The weight of all rows so far is divided by growth; the ridge is not.

    With X = P/prior, whose eigenvalues are at most 1, that is X <- growth X/(1 + (growth - 1) X), here its parabola
    growth X - (growth - 1) X X: the same where X is small, and where no row has been, X = 1, it stays. Were P only
    multiplied by growth, what no row visits would grow for ever. The ridge gains on the rows, so w shrinks towards 0.
    """
    P, order, size = learner.P, learner.K.shape[2], space.weights.shape[2]
    rows, squared, part = np.empty((1, order, order)), np.empty((1, order, order)), (growth - 1.0) / learner.prior
    for i in range(order):
        for j in range(order):
            rows[0, i, j] = P[seat, j // LANES, i, j % LANES]
    times(rows, 0, 0, order, P, seat, squared, 0, 0)
    for i in range(order):
        for j in range(order):
            P[seat, j // LANES, i, j % LANES] = fma(-part, squared[0, i, j], growth * rows[0, i, j])
    for m in range(space.weights.shape[1]):
        for i in range(size):
            total = 0.0
            for j in range(size):
                total = fma(P[seat, j // LANES, i, j % LANES], space.weights[arm, m, j], total)
            squared[0, 0, i] = total
        for i in range(size):
            space.weights[arm, m, i] -= (1.0 - 1.0 / growth) / learner.prior * squared[0, 0, i]


@restart.register(Newton)
def _restart(learner: Any, space: Any, arm: int, seat: int) -> None:
    diagonal(learner.P, seat, learner.prior)
    learner.waiting[seat], learner.faded[seat], learner.blank[seat] = 0, 0, 1
    clear(space, arm)
