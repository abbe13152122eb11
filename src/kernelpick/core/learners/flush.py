"""newton takes the rows that wait into its matrix, and lets old rows lose weight.

A_r = K_r - sum_{s<r} N_rs A_s,   w += sum g_r A_r,   P -= sum c_r A_r A_r'   (letters as in newton.py)
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import fma, inner, making
from kernelpick.core.numerics.panels import diagonal, downdate, eliminate, times
from kernelpick.core.numerics.registers import LANES

FADES = 1.5  # forgetting: old rows lose weight whenever they have to lose this factor
NOTHING_LEFT = 27.0  # forgetting: the logarithm of a factor, 5e11, that leaves old rows no weight
SMALLEST = 1e-15  # floor of the diagonal of P, as a part of what it started from


@inner
def flush(learner: Any, space: Any, arm: int, seat: int) -> None:
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
            _start_over(learner, space, arm, seat)
        elif growth >= math.log(FADES):
            steps = math.ceil(growth / math.log(FADES))
            for _ in range(steps):
                _fade(learner, space, arm, seat, math.exp(growth / steps))
            learner.faded[seat] = 0


@inner
def _start_over(learner: Any, space: Any, arm: int, seat: int) -> None:
    diagonal(learner.P, seat, learner.prior)
    learner.waiting[seat], learner.faded[seat], learner.blank[seat] = 0, 0, 1
    for m in range(space.weights.shape[1]):
        for j in range(space.weights.shape[2]):
            space.weights[arm, m, j] = 0.0


@making
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
