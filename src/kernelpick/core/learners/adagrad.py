"""Gradient steps with a rate of its own for every feature, that falls with the squared slopes it has seen (AdaGrad).

Between gradient and newton: as cheap as the one, and features of different size or frequency are no trouble. Slopes
are importance-weighted, as in the paper's algorithms: the analysis of the steps is one of unbiased gradients.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import always, learner
from kernelpick.core.losses import reach, slope
from kernelpick.core.numerics.compilation import fma
from kernelpick.core.numerics.products import dot
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Lesson
from kernelpick.core.spaces import coordinates


class Notes(NamedTuple):
    z: np.ndarray  # (1, K, size) features of the row that is played
    moves: np.ndarray  # (size,)


@learner("adagrad", axis="adagrad", linear=True)
@always
class Adagrad(NamedTuple):
    step: float
    squares: Annotated[np.ndarray, Axes("arms", "outputs", "weights", even=True, adds="sum")]  # of slopes, summed

    @classmethod
    def build(cls, problem: Problem) -> Self:
        """A first step moves every weight by s/(5 sqrt(D)), and with that a prediction by about s/5."""
        step = problem.step_scale / 5 / math.sqrt(problem.n_features)
        return cls(step, np.zeros((problem.arms, problem.outputs, problem.weights)))

    def hypothesis(self, space: Any, arm: int, seat: int) -> np.ndarray:
        """(M, weights) what it answers with."""
        return space.weights[arm]  # type: ignore[no-any-return]

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        arms, _, size = learner.squares.shape
        return Notes(np.empty((1, arms, size)), np.empty(size))

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        coordinates(space, work, at, notes.z, 0, at.arm)
        for m in range(values.shape[1]):
            values[at.arm, m] = dot(space.weights, at.arm, m, notes.z[0], at.arm)

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        z, squares, weights, moves, arm = notes.z[0], learner.squares, space.weights, notes.moves, at.arm
        for m in range(len(lesson.at)):
            f, y = lesson.at[m], lesson.truth[m]
            g = lesson.weight * slope(lesson.loss, f, y) / at.chance
            if g == 0.0:
                continue
            change = 0.0
            for j in range(len(moves)):
                gradient = g * z[arm, j]
                squares[arm, m, j] = fma(gradient, gradient, squares[arm, m, j])
                moves[j] = learner.step * gradient / math.sqrt(squares[arm, m, j]) if squares[arm, m, j] > 0.0 else 0.0
                change = fma(moves[j], z[arm, j], change)
            part, furthest = 1.0, reach(lesson.loss, f, y)
            if lesson.capped and abs(change) > furthest:
                part = furthest / abs(change)
            for j in range(len(moves)):
                weights[arm, m, j] = fma(-part, moves[j], weights[arm, m, j])
