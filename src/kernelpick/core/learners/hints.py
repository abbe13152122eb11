"""Optimistic mirror descent with the average gradient of past examples as a hint (B(AO)2KS), in whichever space.

A reservoir, common to all arms, holds M examples (v, r), uniform over the past. The hint of arm i is the mean of their
gradients for the hinge loss, mu_i = -(1/|V|) sum of r k_i(v, .). With P the projection on the ball of radius U,

    f = P(f' - step mu) plays;  f' <- P(f' - step ((gradient - mu)/chance + mu)) if it learns, else P(f' - step mu).

So all hypotheses move in every round, but f' = a g + b mu, where g changes only when the arm learns and mu only when
the reservoir does, which becomes rare. All else is arithmetic with a, b and the products <g, g>, <g, mu>, <mu, mu>. A
learner says how g and mu are held: the four operations below; `optimistic` makes the others of them.
"""

import math
from typing import Any

import numpy as np

from kernelpick.core.learners import always
from kernelpick.core.losses import slope
from kernelpick.core.numerics.compilation import inner, operation, woven_operation
from kernelpick.core.parts import with_operations
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Cast, Lesson, Trial
from kernelpick.core.spaces import self_kernel

SLOTS = 32  # room in the reservoir: enough for e^32 rounds
B, GG, GM, MM = range(4)  # what is held of an arm beside a, in one array: each one that is handed over costs time
TINY = 1e-100  # a smaller a is multiplied into g


@woven_operation
def look(learner: Any, notes: Any, space: Any, work: Any, at: At) -> None:
    """notes.own[arm, m] = g(x), notes.hint[arm, m] = mu(x)."""


@woven_operation
def shift(learner: Any, notes: Any, space: Any, at: At) -> None:
    """g <- g - notes.steps[m] k(x, .), at a row that was looked at."""


@operation
def absorb(learner: Any, notes: Any, space: Any, arm: int) -> None:
    """g <- a g + b mu, wherever g is held; a, b and the products are left to `fold`."""


@operation
def exchange(learner: Any, notes: Any, space: Any, work: Any, trial: Trial, slot: int) -> None:
    """The row and notes.labels take a slot of the reservoir; mu and its products are those of the new one."""


def rates(problem: Problem) -> tuple[float, float, int]:
    """lambda = s/sqrt(T), U, and M = round(ln T)."""
    size = min(SLOTS, max(1, round(math.log(problem.horizon))))
    return problem.step_scale / math.sqrt(problem.horizon), problem.radius, size


def products(problem: Problem) -> list[np.ndarray]:
    """a, and what is held beside it, before the first round."""
    return [np.ones((problem.arms, problem.outputs)), np.zeros((problem.arms, problem.outputs, 4))]


def reservoir(problem: Problem) -> list[np.ndarray]:
    """Rows, labels and their number."""
    return [np.zeros((SLOTS, problem.inputs)), np.zeros((SLOTS, problem.outputs)), np.zeros(1, np.int64)]


def check_reservoir(filled: np.ndarray) -> None:
    if not 0 <= filled[0] <= SLOTS:
        raise ValueError(f"a reservoir of {SLOTS} examples can't hold {filled[0]}")


@inner
def squared_length(a: float, b: float, held: np.ndarray) -> float:
    """|a g + b mu|^2."""
    return max(0.0, a * (a * held[GG] + 2.0 * b * held[GM]) + b * b * held[MM])


@inner
def shrinking(square: float, radius: float) -> float:
    """What the projection multiplies a function by whose squared length is known."""
    return radius / math.sqrt(square) if square > radius * radius else 1.0


@inner
def fold(learner: Any, notes: Any, space: Any, arm: int) -> None:
    """g <- a g + b mu, and with that a = 1 and b = 0."""
    absorb(learner, notes, space, arm)
    for m in range(learner.a.shape[1]):
        a, held = learner.a[arm, m], learner.held[arm, m]
        held[GG] = squared_length(a, held[B], held)
        held[GM] = a * held[GM] + held[B] * held[MM]
        learner.a[arm, m], held[B] = 1.0, 0.0


@inner
def free_slot(learner: Any, t: float, coin: float, place: float) -> int:
    """Where the example of round t goes: while there is room to the end, then with probability M/t anywhere; or -1."""
    if learner.filled[0] < learner.size:
        return learner.filled[0]
    return min(int(place * learner.size), learner.size - 1) if coin < learner.size / t else -1


def optimistic(cls: Any) -> Any:
    """Add the operations of an optimistic learner to a class that says how g and mu are held."""

    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        arm = at.arm
        if notes.looked[arm] != at.row:  # who predicts may be the one that learns
            look(learner, notes, space, work, at)
            notes.looked[arm] = at.row
        for m in range(values.shape[1]):
            a, b = learner.a[arm, m], learner.held[arm, m, B] - learner.step
            factor = shrinking(squared_length(a, b, learner.held[arm, m]), learner.radius)
            values[arm, m] = (a * notes.own[arm, m] + b * notes.hint[arm, m]) * factor

    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        arm, itself = at.arm, self_kernel(space, at)
        for m in range(len(lesson.at)):
            gradient = lesson.weight * slope(lesson.loss, lesson.at[m], lesson.truth[m]) / at.chance
            size = learner.step * gradient / learner.a[arm, m]
            # |g - size k(x,.)|^2 = |g|^2 - 2 size g(x) + size^2 k(x,x)
            held = learner.held[arm, m]
            held[GG] = max(0.0, held[GG] + size * (size * itself - 2.0 * notes.own[arm, m]))
            held[GM] -= size * notes.hint[arm, m]
            held[B] += learner.step / at.chance  # and one step back, as all others, in `move`
            notes.steps[m], notes.labels[m] = size, lesson.weight * lesson.truth[m]
        shift(learner, notes, space, at)
        notes.clock[0] = lesson.ledger.clock[0]

    def move(learner: Any, notes: Any, space: Any, work: Any, cast: Cast, trial: Trial) -> None:
        for arm in range(learner.a.shape[0]):
            smallest = 1.0
            for m in range(learner.a.shape[1]):
                a, b = learner.a[arm, m], learner.held[arm, m, B] - learner.step
                factor = shrinking(squared_length(a, b, learner.held[arm, m]), learner.radius)
                learner.a[arm, m], learner.held[arm, m, B] = a * factor, b * factor
                smallest = min(smallest, a * factor)
            if smallest < TINY:
                fold(learner, notes, space, arm)
        last, t = len(trial.numbers) - 1, notes.clock[0]
        slot = free_slot(learner, t, trial.numbers[last - 1], trial.numbers[last]) if t > 0.0 else -1
        notes.clock[0] = 0.0
        if slot >= 0:
            for arm in range(learner.a.shape[0]):
                fold(learner, notes, space, arm)
            exchange(learner, notes, space, work, trial, slot)

    cls.axis, cls.projects, cls.uses_horizon, cls.restarts = "optimistic", True, True, False
    cls.numbers, cls.only_loss, cls.usual_radius = 2, "hinge", 20.0
    return with_operations(always(with_operations(cls, move)), answer, improve)
