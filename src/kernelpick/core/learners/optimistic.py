"""B(AO)2KS with random features: g is the weights of the space, and the hint is weights, too (see hints.py)."""

from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import learner
from kernelpick.core.learners.adding import add_optimistic
from kernelpick.core.learners.hints import GG, GM, MM, SLOTS, B, check_reservoir, optimistic, products, rates, reservoir
from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import fma, inner
from kernelpick.core.numerics.precision import held
from kernelpick.core.numerics.products import dot
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Trial
from kernelpick.core.spaces import coordinates, look_ahead


class Notes(NamedTuple):
    looked: np.ndarray  # (K,) the last row that each arm has looked at
    own: np.ndarray  # (K, M) g(x)
    hint: np.ndarray  # (K, M) mu(x)
    steps: np.ndarray  # (M,)
    labels: np.ndarray  # (M,) of the row, times its weight
    clock: np.ndarray  # (1,) the round, 0 where nobody has learned in it
    z: np.ndarray  # (1, K, size) features of the row


@learner("optimistic", linear=True)
@optimistic
class Optimistic(NamedTuple):
    step: float  # lambda
    radius: float  # U
    size: int  # M
    a: Annotated[np.ndarray, Axes("arms", "outputs", fresh=1.0, even=True)]  # f' = a g + b mu
    held: Annotated[np.ndarray, Axes("arms", "outputs", 4, even=True)]  # b, <g, g>, <g, mu>, <mu, mu>
    rows: Annotated[np.ndarray, Axes(SLOTS, "inputs")]  # v
    labels: Annotated[np.ndarray, Axes(SLOTS, "outputs")]  # r
    filled: Annotated[np.ndarray, Axes(1)]  # |V|
    mu: Annotated[np.ndarray, Axes("arms", "outputs", "weights")]  # times |V|

    @classmethod
    def build(cls, problem: Problem) -> Self:
        mu = np.zeros((problem.arms, problem.outputs, problem.weights), problem.dtype)
        return cls._make([*rates(problem), *products(problem), *reservoir(problem), mu])

    def checked(self) -> None:
        """Refuse arrays that do not fit together."""
        check_reservoir(self.filled)

    def added(self, states: Any, whole: Any) -> Self:
        """The mean of all f' by rounds, with the reservoir of the shard that has played the most rounds."""
        return add_optimistic(self, states, whole)

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        arms, _, size = learner.mu.shape
        looked, own, hint = np.full(arms, -1), empty((arms, outputs)), empty((arms, outputs))
        z = empty((1, arms, size), learner.mu.dtype)
        return Notes(looked, own, hint, empty(outputs), empty(outputs), zeroed(1), z)

    @staticmethod
    def look(learner: Any, notes: Any, space: Any, work: Any, at: At) -> None:
        coordinates(space, work, at, notes.z, 0, at.arm)
        count = max(1, learner.filled[0])
        for m in range(learner.mu.shape[1]):
            notes.own[at.arm, m] = dot(space.weights, at.arm, m, notes.z[0], at.arm)
            notes.hint[at.arm, m] = dot(learner.mu, at.arm, m, notes.z[0], at.arm) / count

    @staticmethod
    def shift(learner: Any, notes: Any, space: Any, at: At) -> None:
        for m in range(learner.mu.shape[1]):
            if notes.steps[m] != 0.0:
                _add(space.weights, at.arm, m, -notes.steps[m], notes.z)

    @staticmethod
    def absorb(learner: Any, notes: Any, space: Any, arm: int) -> None:
        weights, count = space.weights, max(1, learner.filled[0])
        for m in range(learner.mu.shape[1]):
            a, b = held(weights, learner.a[arm, m]), held(weights, learner.held[arm, m, B] / count)
            for j in range(learner.mu.shape[2]):
                weights[arm, m, j] = fma(b, learner.mu[arm, m, j], a * weights[arm, m, j])

    @staticmethod
    def exchange(learner: Any, notes: Any, space: Any, work: Any, trial: Trial, slot: int) -> None:
        arms, outputs, _ = learner.mu.shape
        if slot < learner.filled[0]:
            start, stop = work.block[0], work.block[1]
            look_ahead(space, work, learner.rows, slot, slot + 1)
            for arm in range(arms):
                coordinates(space, work, At(learner.rows, slot, 0, arm, arm, 0, -1.0), notes.z, 0, arm)
                for m in range(outputs):
                    _add(learner.mu, arm, m, learner.labels[slot, m], notes.z)
            look_ahead(space, work, trial.X, start, stop)  # the rows that were looked at are looked at again
        for k in range(learner.rows.shape[1]):
            learner.rows[slot, k] = trial.X[trial.row, k]
        for m in range(outputs):
            learner.labels[slot, m] = notes.labels[m]
        learner.filled[0] = count = max(learner.filled[0], slot + 1)
        for arm in range(arms):
            coordinates(space, work, At(trial.X, trial.row, trial.slot, arm, arm, 0, -1.0), notes.z, 0, arm)
            for m in range(outputs):
                _add(learner.mu, arm, m, -notes.labels[m], notes.z)
                learner.held[arm, m, GG] = dot(space.weights, arm, m, space.weights[arm], m)
                learner.held[arm, m, GM] = dot(space.weights, arm, m, learner.mu[arm], m) / count
                learner.held[arm, m, MM] = dot(learner.mu, arm, m, learner.mu[arm], m) / (count * count)


@inner
def _add(A: np.ndarray, arm: int, m: int, factor: float, z: np.ndarray) -> None:
    """A[arm, m] += factor * z[0, arm]."""
    size = held(A, factor)
    for j in range(A.shape[2]):
        A[arm, m, j] = fma(size, z[0, arm, j], A[arm, m, j])
