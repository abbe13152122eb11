"""Newton whose rounds all cost the same: nothing waits for a flush (letters as in newton.py).

With P the inverse of (the ridge plus all curvatures so far), a row z takes one pass over half of P, which takes in the
row before it and multiplies:

    P <- P - a a',   K = P z,   v = z'K,   c = h/(1 + h v),   w <- w - slope/(1 + h v) K,   a = sqrt(c) K.

It is the recursion of newton.py with batches of one row. A block of rows goes through newton.py at the speed of matrix
products, a single row goes through here at that of memory, of which a half takes half as much.

Forgetting: after each row all weights fade, and one weight gets its ridge back, by a row that is zero but for one
feature j, with the target 0 (see flush.py). Both are taken in by the same pass: with f = 1/forgetting

    k = f (P - a a') e_j,   c_j = r/(1 + r k_j),   w <- w - c_j w_j k,   P <- f P - f a a' - c_j k k'.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import always, learner
from kernelpick.core.learners.adding import add_newton, weaken_newton
from kernelpick.core.learners.flush import SMALLEST
from kernelpick.core.learners.newton import bounded, parabolas
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.halves import element, half_diagonal, sweep, sweep_fading, whole
from kernelpick.core.numerics.memory import zeros
from kernelpick.core.numerics.panels import in_panels, padded
from kernelpick.core.numerics.products import dot
from kernelpick.core.numerics.vectors import LANES
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Lesson
from kernelpick.core.spaces import coordinates


class Notes(NamedTuple):
    Z: np.ndarray  # (1, S, n) features of the row that is played
    f: np.ndarray  # (S, M) predictions before they are bounded
    slopes: np.ndarray  # (M,)
    K: np.ndarray  # (2, n) P z, and the column of a ridge
    sums: np.ndarray  # (8 n,)


@learner("steady", axis="newton", needs_smooth=True, linear=True, wide=True)
@always
class Steady(NamedTuple):
    """Order n = the weights of an output, rounded up to a multiple of 8."""

    prior: float  # P = prior * I at the start: ridge 1/prior
    regression: bool  # predictions are bounded by the targets seen, not by MARGIN_BOUND
    forgetting: Annotated[np.ndarray, Axes("seats", given=True)]  # what a row leaves of the weight of those before it
    P: Annotated[np.ndarray, Axes("seats", "panels", "order", LANES)]  # see halves.py
    waits: Annotated[np.ndarray, Axes("seats", 2, "order")]  # a of the row before, and that of a ridge
    turn: Annotated[np.ndarray, Axes("seats")]  # the weight that is looked at next: its ridge comes back
    blank: Annotated[np.ndarray, Axes("seats", fresh=1)]  # 1 before the first row: P is still to become prior * I
    seen: Annotated[np.ndarray, Axes(2, "outputs", adds="own")]  # smallest and largest target

    @classmethod
    def build(cls, problem: Problem) -> Self:
        seats, order = problem.seats, padded(problem.weights)
        forgetting, seen = np.empty(seats), np.empty((2, problem.outputs))
        forgetting[:], seen[0], seen[1] = problem.forgetting, np.inf, -np.inf
        P, waits = zeros((seats, order // LANES, order, LANES)), np.zeros((seats, 2, order))
        counts = np.zeros(seats, dtype=np.int64), np.ones(seats, dtype=np.int64)
        return cls(problem.step_scale, not problem.loss.classifies, forgetting, P, waits, *counts, seen)

    def begin(self, seat: int) -> None:
        """P as the first row would make it, where memory is zero still."""
        j = np.arange(self.P.shape[2])
        self.P[seat, j // LANES, j, j % LANES] = self.prior * self.forgetting[seat]
        self.blank[seat] = 0

    def checked(self) -> None:
        """Refuse arrays that do not fit together."""
        if not ((self.turn >= 0) & (self.turn < self.P.shape[2])).all():
            raise ValueError("the weight whose ridge comes back next is none")

    def hypothesis(self, space: Any, arm: int, seat: int) -> np.ndarray:
        """(M, weights) what it answers with, before that is bounded."""
        return np.asarray(space.weights[arm])

    def taken_in(self, space: Any, arm: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """P as an ordinary matrix, and w (M, order), with all rows. A space that has more weights by now is cut."""
        a, left = self.waits[seat], float(self.forgetting[seat])
        weights = space.weights[arm][:, : a.shape[1]]
        w = np.zeros((len(weights), a.shape[1]))
        w[:, : weights.shape[1]] = weights
        return whole(self.P[seat]) / left - a.T @ a, w

    def knows(self, seat: int) -> bool:
        """Whether it has learned anything there."""
        return not self.blank[seat]

    def with_matrices(self, matrices: dict[int, np.ndarray]) -> Self:
        """Nothing waits, and seats have these matrices; others are blank."""
        own = self._replace(
            P=np.zeros_like(self.P),
            waits=np.zeros_like(self.waits),
            turn=np.zeros_like(self.turn),
            blank=np.ones_like(self.blank),
            seen=self.seen.copy(),
        )
        for seat, matrix in matrices.items():
            own.P[seat], own.blank[seat] = in_panels(self.forgetting[seat] * matrix), 0  # the next row fades it
        return own

    def added(self, states: Any, whole: Any) -> Self:
        """What all shards know, see adding.py."""
        return add_newton(self, states, whole)

    def weakened(self, state: Any, factor: float, whole: Any) -> Self:
        """What the learner of a state knows, at a part of its weight."""
        return weaken_newton(self, state, factor, whole)

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        seats, order = learner.waits.shape[0], learner.waits.shape[2]
        small = empty((1, seats, order)), empty((seats, outputs)), empty(outputs)
        return Notes(small[0], small[1], small[2], empty((2, order)), empty(LANES * order))

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        seat = at.seat
        coordinates(space, work, at, notes.Z, 0, seat)
        for m in range(values.shape[1]):
            notes.f[seat, m] = dot(space.weights, at.arm, m, notes.Z[0], seat)
            values[at.arm, m] = bounded(learner, m, notes.f[seat, m])

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        seat, K, forgetting, waits = at.seat, notes.K, learner.forgetting[at.seat], learner.waits
        order, size, turn = K.shape[1], space.weights.shape[2], learner.turn[seat]
        factor = 1.0 / forgetting
        if learner.blank[seat]:
            half_diagonal(learner.P, seat, learner.prior * forgetting)
            learner.blank[seat] = 0
        if forgetting < 1.0:
            sweep_fading(learner.P, seat, factor, waits, notes.Z, seat, notes.sums, K)
        else:
            sweep(learner.P, seat, 1.0, waits, notes.Z, seat, notes.sums, K)
        v = max(dot(notes.Z, 0, seat, K, 0), 0.0)  # what it is, but for rounding
        h = parabolas(learner, lesson, lesson.weight, notes.f, seat, v, notes.slopes)
        shrink = 1.0 / (1.0 + h * v)
        for m in range(len(lesson.truth)):
            g = -notes.slopes[m] * shrink
            for j in range(size):
                space.weights[at.arm, m, j] = fma(g, K[0, j], space.weights[at.arm, m, j])
        root = math.sqrt(h * shrink)
        for j in range(order):
            waits[seat, 0, j] = root * K[0, j]
        floor = SMALLEST * learner.prior
        at_turn = turn // LANES
        learner.P[seat, at_turn, turn, turn % LANES] = max(learner.P[seat, at_turn, turn, turn % LANES], floor)
        if forgetting < 1.0:
            _restore(learner, notes, space, at.arm, seat, factor)
        learner.turn[seat] = turn + 1 if turn + 1 < order else 0


@inner
def _restore(learner: Any, notes: Any, space: Any, arm: int, seat: int, factor: float) -> None:
    """Rows fade, and the weight whose turn it is gets its ridge back; the ridge falls from above its value to below it,
    whose product is what it should be."""
    waits, k, order, j = learner.waits, notes.K, learner.waits.shape[2], learner.turn[seat]
    size, root = space.weights.shape[2], math.sqrt(factor)
    own = waits[seat, 0, j]
    for i in range(order):
        k[1, i] = factor * fma(-waits[seat, 0, i], own, element(learner.P, seat, i, j))
        waits[seat, 0, i] *= root
    weight = 2.0 * math.sinh(0.5 * order * math.log(factor)) / learner.prior
    c = weight / (1.0 + weight * max(k[1, j], 0.0))
    for m in range(space.weights.shape[1]):
        g = -c * space.weights[arm, m, j] if j < size else 0.0
        for i in range(size):
            space.weights[arm, m, i] = fma(g, k[1, i], space.weights[arm, m, i])
    root = math.sqrt(c)
    for i in range(order):
        waits[seat, 1, i] = root * k[1, i]
