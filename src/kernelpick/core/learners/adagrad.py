"""Gradient steps with a rate of its own for every feature, that falls with the squared slopes it has seen (AdaGrad).

Between gradient and newton: as cheap as the one, and features of different size or frequency are no trouble. Slopes
are importance-weighted, as in the paper's algorithms: the analysis of the steps is one of unbiased gradients.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import always, learner
from kernelpick.core.losses import reach, slope
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import fma
from kernelpick.core.numerics.precision import by_precision, held
from kernelpick.core.numerics.products import dot
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Lesson
from kernelpick.core.spaces import coordinates


class Notes(NamedTuple):
    z: np.ndarray  # (1, K, size) features of the row that is played
    moves: np.ndarray  # (1, 1, size)


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
        return Notes(empty((1, arms, size), space.weights.dtype), empty((1, 1, size), space.weights.dtype))

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        coordinates(space, work, at, notes.z, 0, at.arm)
        for m in range(values.shape[1]):
            values[at.arm, m] = dot(space.weights, at.arm, m, notes.z[0], at.arm)

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        z, squares, weights, moves, arm = notes.z[0], learner.squares, space.weights, notes.moves[0, 0], at.arm
        for m in range(len(lesson.at)):
            f, y = lesson.at[m], lesson.truth[m]
            g = lesson.weight * slope(lesson.loss, f, y) / at.chance
            if g == 0.0:
                continue
            change = move_along(notes.moves, learner.step, g, squares, arm, m, z)
            part, furthest = 1.0, reach(lesson.loss, f, y)
            if lesson.capped and abs(change) > furthest:
                part = furthest / abs(change)
            size = held(weights, part)
            for j in range(len(moves)):
                weights[arm, m, j] = fma(-size, moves[j], weights[arm, m, j])


def _in_double(moves: np.ndarray, step: float, g: float, squares: np.ndarray, arm: int, m: int, z: np.ndarray) -> float:
    """The moves of all weights for a slope g, whose squares are added up, and what they change the prediction by."""
    change = 0.0
    for j in range(moves.shape[2]):
        gradient = g * z[arm, j]
        squares[arm, m, j] = fma(gradient, gradient, squares[arm, m, j])
        moves[0, 0, j] = step * gradient / math.sqrt(squares[arm, m, j]) if squares[arm, m, j] > 0.0 else 0.0
        change = fma(moves[0, 0, j], z[arm, j], change)
    return change


def _in_single(moves: np.ndarray, step: float, g: float, squares: np.ndarray, arm: int, m: int, z: np.ndarray) -> float:
    """The sums of squares are double all the same, or they would stop growing; roots and sums over weights are not."""
    size, times, nothing = held(moves, step), held(moves, g), held(moves, 0.0)
    for j in range(moves.shape[2]):
        gradient = times * z[arm, j]
        wide = float(gradient)
        squares[arm, m, j] = fma(wide, wide, squares[arm, m, j])
        square = held(moves, squares[arm, m, j])
        moves[0, 0, j] = size * gradient / np.sqrt(square) if square > nothing else nothing
    return dot(moves, 0, 0, z, arm)


move_along = by_precision(single=_in_single, double=_in_double)
