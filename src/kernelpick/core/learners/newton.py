"""Second-order learners: recursive least squares, and online Newton for the other losses, that look ahead.

With P the inverse of (the ridge plus all curvatures so far), the recursion for a row z is

    v = z'Pz,   c = h/(1 + h v),   w <- w - slope/(1 + h v) Pz,   P <- P - c Pz z'P.

P is that of the last flush; what a batch of rows has taught since is kept in small arrays, for rows r, s of the batch
    K_r = P z_r,   L_rs = z_r'P_s z_s (P_s: as it is before row s) = K_s.z_r - sum_{q<s} N_sq L_rq,   N_rs = c_s L_rs,
    g_s = -slope_s/(1 + h_s L_ss),   f_r = w.z_r + sum_{s<r} g_s L_rs.
A flush (flush.py) takes them in. It is the same recursion, at the speed of matrix products. The K_r of coming rows are
found together where it is known that the arm will play them.

Importance weights: a hypothesis learns from the rows it is given with weight 1, not 1/p. Least squares on any subset of
the rows that was not chosen by their labels estimates the same thing, and rows that count 1/p times would only add
variance. The selector's loss estimates are weighted, as its analysis asks.

With several outputs there is one P, whose curvature is the largest of theirs: a round costs the same for any number of
classes, and no output takes a step that is too long.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import always, learner
from kernelpick.core.learners.adding import add_newton, flushed, waiting_rows, weaken_newton
from kernelpick.core.learners.asked import forget, note_down, recalled
from kernelpick.core.learners.flush import flush, growth, most_waiting
from kernelpick.core.losses import parabola
from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.panels import dense, in_panels, padded, products_with
from kernelpick.core.numerics.products import dot
from kernelpick.core.numerics.symmetric import times_symmetric
from kernelpick.core.numerics.triangles import solve
from kernelpick.core.numerics.vectors import LANES
from kernelpick.core.parts import Axes, changed, restart
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Lesson
from kernelpick.core.spaces import coordinates

MARGIN_BOUND = 30.0  # classification: no prediction is more certain than that
LARGE = 20.0  # a prior with which products stay double
ROOM = 0.1  # regression: predictions stay in the range of the targets seen, widened by this part of it


class Notes(NamedTuple):
    Z: np.ndarray  # (S, rows, n) features of rows looked at
    ahead: np.ndarray  # (S, 2) the first and the last row of them
    L: np.ndarray  # (S, batch) of the row that is played
    f: np.ndarray  # (S, M) predictions before they are bounded
    slopes: np.ndarray  # (M,)


@learner("newton", axis="newton", needs_smooth=True, linear=True, wide=True)
@always
class Newton(NamedTuple):
    """Order n = the weights of an output, rounded up to a multiple of 8."""

    prior: float  # P = prior * I at the start: ridge 1/prior
    regression: bool  # predictions are bounded by the targets seen, not by MARGIN_BOUND
    forgetting: Annotated[np.ndarray, Axes("seats", given=True)]  # what a row leaves of the weight of those before it
    P: Annotated[np.ndarray, Axes("seats", "panels", "order", LANES)]  # see panels.py
    K: Annotated[np.ndarray, Axes("seats", "batch", "order")]
    N: Annotated[np.ndarray, Axes("seats", "batch", "batch")]  # N_rs is at [s, r]
    c: Annotated[np.ndarray, Axes("seats", "batch")]
    g: Annotated[np.ndarray, Axes("seats", "outputs", "batch")]
    waiting: Annotated[np.ndarray, Axes("seats")]  # rows since the last flush
    turn: Annotated[np.ndarray, Axes("seats")]  # forgetting: the weight whose ridge comes back next
    blank: Annotated[np.ndarray, Axes("seats", fresh=1)]  # 1 before the first flush: P is prior * I, products are free
    seen: Annotated[np.ndarray, Axes(2, "outputs", adds="own")]  # smallest and largest target

    @classmethod
    def build(cls, problem: Problem) -> Self:
        seats, outputs, order, batch = problem.seats, problem.outputs, padded(problem.weights), problem.batch
        P = np.zeros((seats, order // LANES, order, LANES))
        places = np.arange(order)
        P[:, places // LANES, places, places % LANES] = problem.step_scale
        seen = np.empty((2, outputs))
        seen[0], seen[1] = np.inf, -np.inf
        K = np.zeros((seats, batch, order), _precision(problem))
        rows = K, np.zeros((seats, batch, batch)), np.zeros((seats, batch))
        counts = [np.zeros(seats, dtype=np.int64), np.zeros(seats, dtype=np.int64), np.ones(seats, dtype=np.int64)]
        regression = not problem.loss.classifies
        forgetting = np.empty(seats)
        forgetting[:] = problem.forgetting
        rates = problem.step_scale, regression, forgetting
        return cls._make([*rates, P, *rows, np.zeros((seats, outputs, batch)), *counts, seen])

    def restarted(self, arm: int, seat: int) -> None:
        """As parts.restart, and P is prior * I again."""
        restart(self, arm, seat)
        order = self.K.shape[2]
        for j in range(order):
            self.P[seat, j // LANES, j, j % LANES] = self.prior

    def checked(self) -> None:
        """Refuse arrays that do not fit together. Matrices that are symmetric but for rounding, as merged ones of early
        versions were, become so to the last bit: products read one half or both."""
        if not ((self.waiting >= 0) & (self.waiting < self.K.shape[1])).all():
            raise ValueError("the rows that wait are too many")
        if not ((self.turn >= 0) & (self.turn < self.K.shape[2])).all():
            raise ValueError("the weight whose ridge comes back next is none")
        for seat, matrix in enumerate(map(dense, self.P)):
            if not np.array_equal(matrix, matrix.T):
                self.P[seat] = in_panels(np.triu(matrix) + np.triu(matrix, 1).T)

    def hypothesis(self, space: Any, arm: int, seat: int) -> np.ndarray:
        """(M, weights) what it answers with, before that is bounded: as if there were a flush now."""
        A = waiting_rows(self, seat)
        return np.asarray(space.weights[arm] + self.g[seat, :, : len(A)] @ A[:, : space.weights.shape[2]])

    def taken_in(self, space: Any, arm: int, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """P as an ordinary matrix, and w (M, order), as if there were a flush now."""
        return flushed(self, space, arm, seat)

    def knows(self, seat: int) -> bool:
        """Whether it has learned anything there."""
        return not self.blank[seat] or bool(self.waiting[seat])

    def with_matrices(self, matrices: dict[int, np.ndarray]) -> Self:
        """Nothing waits, and seats have these matrices; others are blank."""
        own = changed(self, lambda array, axes: array.copy())
        for seat in range(len(own.P)):
            own.restarted(-1, seat)
        for seat, matrix in matrices.items():
            own.P[seat], own.blank[seat] = in_panels(0.5 * (matrix + matrix.T)), 0  # symmetric to the last bit
        return own

    def added(self, states: Any, whole: Any) -> Self:
        """What all shards know, see adding.py."""
        return add_newton(self, states, whole)

    def weakened(self, state: Any, factor: float, whole: Any) -> Self:
        """What the learner of a state knows, at a part of its weight."""
        return weaken_newton(self, state, factor, whole)

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        seats, batch, order = learner.K.shape
        Z, ahead = empty((seats, min(rows, batch), order), learner.K.dtype), zeroed((seats, 2), np.int64)
        return Notes(Z, ahead, empty((seats, batch)), empty((seats, outputs)), empty(outputs))

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        seat, known = at.seat, False
        if not notes.ahead[seat, 0] <= at.row < notes.ahead[seat, 1]:
            known = recalled(learner, notes, at)
            _look(learner, notes, space, work, at, known)
        if not known:
            _work_out(learner, notes, space, at)
            if at.chance < 0.0:
                note_down(learner, notes, at)
        for m in range(values.shape[1]):
            values[at.arm, m] = bounded(learner, m, notes.f[seat, m])

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        seat, L, N = at.seat, notes.L, learner.N
        waiting = learner.waiting[seat]
        v = dot(learner.K, seat, waiting, notes.Z[seat], at.row - notes.ahead[seat, 0])
        for s in range(waiting):
            N[seat, s, waiting] = learner.c[seat, s] * L[seat, s]
            v = fma(-N[seat, s, waiting], L[seat, s], v)
        v = max(v, 0.0)  # what it is, but for rounding
        weight = lesson.weight * growth(learner.forgetting[seat], waiting)  # beside rows that will have lost theirs
        h = parabolas(learner, lesson, weight, notes.f, seat, v, notes.slopes)
        shrink = 1.0 / (1.0 + h * v)
        learner.c[seat, waiting] = h * shrink
        for m in range(len(lesson.truth)):
            learner.g[seat, m, waiting] = -notes.slopes[m] * shrink
        learner.waiting[seat] += 1
        forget(learner, seat)
        if learner.waiting[seat] == most_waiting(learner.forgetting[seat], learner.K.shape[1]):
            flush(learner, space, at.arm, seat)
            notes.ahead[seat, 1] = 0  # what was looked at belongs to the P before


def _precision(problem: Problem) -> Any:
    """Of K. What forgets lets P grow by LARGEST_GROWTH where no row has been, beside which single precision sees no
    other number; so does a prior that is as large."""
    tame = np.min(problem.forgetting) >= 1.0 and problem.step_scale <= LARGE
    return problem.dtype if tame else np.float64


@inner
def _work_out(learner: Any, notes: Any, space: Any, at: Any) -> None:
    """L and f of a row that was looked at."""
    seat, L = at.seat, notes.L
    z, waiting = at.row - notes.ahead[seat, 0], learner.waiting[seat]
    products_with(learner.K, seat, waiting, notes.Z, seat, z, L, seat)
    solve(learner.N, L, seat, waiting)
    for m in range(notes.f.shape[1]):
        f = dot(space.weights, at.arm, m, notes.Z[seat], z)
        for s in range(waiting):
            f = fma(learner.g[seat, m, s], L[seat, s], f)
        notes.f[seat, m] = f


@inner
def _look(learner: Any, notes: Any, space: Any, work: Any, at: Any, known: bool) -> None:
    """Features, unless they are known, and P times them, of this row and of those that the arm will play after it."""
    seat, rows, waiting = at.seat, 1, learner.waiting[at.seat]
    if at.chance >= 1.0:
        rows = min(work.block[1] - at.row, most_waiting(learner.forgetting[seat], learner.K.shape[1]) - waiting)
    for i in range(0 if known else rows):
        coming = At(at.X, at.row + i, at.slot + i, at.arm, seat, at.place, at.chance)
        coordinates(space, work, coming, notes.Z, seat, i)
    if at.chance >= 0.0 and learner.blank[seat]:
        for i in range(rows):
            for j in range(learner.K.shape[2]):
                learner.K[seat, waiting + i, j] = learner.prior * notes.Z[seat, i, j]
    elif at.chance >= 0.0:
        times_symmetric(notes.Z, seat, 0, rows, learner.P, seat, learner.K, seat, waiting)
    notes.ahead[seat, 0], notes.ahead[seat, 1] = at.row, at.row + rows


@inner
def parabolas(learner: Any, lesson: Any, weight: float, f: np.ndarray, at: int, v: float, slopes: np.ndarray) -> float:
    """The slopes of all outputs at f[at], whose variance is v, for a row of that weight, and the largest curvature;
    targets have been seen."""
    h = 0.0
    for m in range(len(lesson.truth)):
        y = lesson.truth[m]
        learner.seen[0, m], learner.seen[1, m] = min(learner.seen[0, m], y), max(learner.seen[1, m], y)
        slope, curvature = parabola(lesson.loss, f[at, m], y, v * weight)
        slopes[m] = slope * weight
        h = max(h, curvature * weight)
    return h


@inner
def bounded(learner: Any, m: int, f: float) -> float:
    """A prediction within MARGIN_BOUND, or near the range of the targets seen."""
    low, high = -MARGIN_BOUND, MARGIN_BOUND
    if learner.regression:
        low, high = learner.seen[0, m], learner.seen[1, m]
        if low > high:
            low, high = -math.inf, math.inf
        else:
            room = ROOM * (high - low)
            low, high = low - room, high + room
    return min(max(f, low), high)
