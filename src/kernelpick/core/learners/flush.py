"""newton takes the rows that wait into its matrix (letters as in newton.py):

A_r = K_r - sum_{s<r} N_rs A_s,   w += sum g_r A_r,   P -= sum c_r A_r A_r'

Forgetting: between two flushes a row weighs 1/phi times as much as the one before it, which is the same as if those
before it lost weight. A flush divides all weights by what they have grown to, so that P grows, along what rows have
visited and along what they have not. The ridge is not to fade, so the weights take turns in getting theirs back: a row
that is zero but for one feature, with the target 0. These are at most as many as rows came, and the cost is known.
"""

import math
from typing import Any

from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.panels import diagonal, downdate, eliminate
from kernelpick.core.numerics.vectors import LANES

LARGEST_GROWTH = 13.8  # logarithm of the factor, 1e6, that weights may grow by, and a ridge may lose until it is mended
NOTHING_LEFT = 27.0  # logarithm of a factor, 5e11, that leaves old rows no weight
RIDGES_A_PASS = 32  # ridges that come back in one pass over P: more of them cost more among themselves
SMALLEST = 1e-15  # floor of the diagonal of P, as a part of what it started from


@inner
def growth(forgetting: float, rows: int) -> float:
    """The weight of a row beside one that came so many rows before it."""
    return math.exp(-rows * math.log(forgetting)) if forgetting < 1.0 else 1.0


@inner
def most_waiting(forgetting: float, batch: int) -> int:
    """How many rows wait until they are taken in: a batch, or fewer where the first of them is soon forgotten."""
    if forgetting >= 1.0 or -batch * math.log(forgetting) <= LARGEST_GROWTH:
        return batch
    return max(1, int(-LARGEST_GROWTH / math.log(forgetting)))


@inner
def flush(learner: Any, space: Any, arm: int, seat: int) -> None:
    """P and w take in the rows that wait."""
    rows, forgetting = learner.waiting[seat], learner.forgetting[seat]
    _take_in(learner, space, arm, seat, rows)
    learner.waiting[seat], learner.blank[seat] = 0, 0
    if forgetting < 1.0:
        if -rows * math.log(forgetting) > NOTHING_LEFT:
            _start_over(learner, space, arm, seat)
        else:
            _forget(learner, space, arm, seat, rows)


@inner
def _take_in(learner: Any, space: Any, arm: int, seat: int, rows: int) -> None:
    P, K = learner.P, learner.K
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


@inner
def _start_over(learner: Any, space: Any, arm: int, seat: int) -> None:
    diagonal(learner.P, seat, learner.prior)
    learner.waiting[seat], learner.blank[seat] = 0, 1
    for m in range(space.weights.shape[1]):
        for j in range(space.weights.shape[2]):
            space.weights[arm, m, j] = 0.0


@inner
def _forget(learner: Any, space: Any, arm: int, seat: int, rows: int) -> None:
    """All rows so far lose weight, and some weights get their ridge back.

    Each has its turn after so many rows that half is forgotten, or if that would be more turns than rows came, after as
    many as it takes; then the ridge falls from above its value to below it, whose product is what it should be.
    """
    P, order, rate = learner.P, learner.K.shape[2], -math.log(learner.forgetting[seat])
    factor = growth(learner.forgetting[seat], rows)
    for J in range(P.shape[1]):
        for k in range(order):
            for lane in range(LANES):
                P[seat, J, k, lane] *= factor
    turns = min(math.ceil(order * rows * rate / math.log(2.0)), rows)
    turns = min(max(turns, math.ceil(order * rows * rate / LARGEST_GROWTH)), order)
    lost = 0.5 * order * rows / turns * rate  # the logarithm of what a ridge loses between its turns, half of it
    weight = 2.0 * math.sinh(lost) / learner.prior
    while turns > 0:
        some = min(turns, min(RIDGES_A_PASS, learner.K.shape[1]))
        _restore(learner, space, arm, seat, some, weight)
        turns -= some


@inner
def _restore(learner: Any, space: Any, arm: int, seat: int, count: int, weight: float) -> None:
    """The next so many weights learn a row of that weight, the unit vector with the target 0, one after the other.

    L_rs is an element of A_s, as rows are unit vectors; N[s, r] holds it until c_s is known.
    """
    P, K, N, c, order = learner.P, learner.K, learner.N, learner.c, learner.K.shape[2]
    first, size = learner.turn[seat], space.weights.shape[2]
    for s in range(count):
        at = (first + s) % order
        for i in range(order):
            K[seat, s, i] = P[seat, i // LANES, at, i % LANES]
        for r in range(s, count):
            N[seat, s, r] = K[seat, s, (first + r) % order]
        for q in range(s):
            part = N[seat, q, s] / c[seat, q]
            for r in range(s, count):
                N[seat, s, r] = fma(-part, N[seat, q, r], N[seat, s, r])
        c[seat, s] = weight / (1.0 + weight * max(N[seat, s, s], 0.0))
        for m in range(space.weights.shape[1]):
            f = space.weights[arm, m, at] if at < size else 0.0
            for q in range(s):
                f = fma(learner.g[seat, m, q], N[seat, q, s] / c[seat, q], f)
            learner.g[seat, m, s] = -c[seat, s] * f
        for r in range(s, count):
            N[seat, s, r] *= c[seat, s]
    _take_in(learner, space, arm, seat, count)
    learner.turn[seat] = (first + count) % order
