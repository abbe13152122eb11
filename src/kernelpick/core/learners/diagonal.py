"""Newton's steps with the diagonal of its matrix alone, for more weights than a matrix can have.

    P_j = 1/(1/prior + C_j),   v = sum_j P_j z_j^2,   w_j <- w_j - slope/(1 + h v) P_j z_j,   C_j <- C_j + h z_j^2.

A weight that has been used seldom moves far, one that has been used often hardly. Features that are zero cost nothing.
Importance weights and several outputs are as in newton.py.
"""

from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import always, learner
from kernelpick.core.learners.adding import add_diagonal
from kernelpick.core.learners.newton import bounded, parabolas
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import fma
from kernelpick.core.numerics.products import dot
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Lesson
from kernelpick.core.spaces import coordinates

OF_SCALE = 0.1  # the prior, as a part of the step scale: inputs are many, and of size 1


class Notes(NamedTuple):
    z: np.ndarray  # (1, K, size) features of the row that is played
    f: np.ndarray  # (K, M) predictions before they are bounded
    slopes: np.ndarray  # (M,)


@learner("diagonal", axis="diagonal", needs_smooth=True, linear=True, wide=True)
@always
class Diagonal(NamedTuple):
    prior: float
    regression: bool  # predictions are bounded by the targets seen
    curvatures: Annotated[np.ndarray, Axes("arms", "weights", adds="sum")]  # C
    seen: Annotated[np.ndarray, Axes(2, "outputs", adds="own")]  # smallest and largest target

    @classmethod
    def build(cls, problem: Problem) -> Self:
        seen = np.empty((2, problem.outputs))
        seen[0], seen[1] = np.inf, -np.inf
        C = np.zeros((problem.arms, problem.weights))
        return cls(OF_SCALE * problem.step_scale, not problem.loss.classifies, C, seen)

    def hypothesis(self, space: Any, arm: int, seat: int) -> np.ndarray:
        """(M, weights) what it answers with."""
        return space.weights[arm]  # type: ignore[no-any-return]

    def added(self, states: Any, whole: Any) -> Self:
        """What all shards know, see adding.py."""
        return add_diagonal(self, states, whole)

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        arms, size = learner.curvatures.shape
        z = empty((1, arms, size), space.radial.dtype)
        return Notes(z, empty((arms, outputs)), empty(outputs))

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        coordinates(space, work, at, notes.z, 0, at.arm)
        for m in range(values.shape[1]):
            notes.f[at.arm, m] = dot(space.weights, at.arm, m, notes.z[0], at.arm)
            values[at.arm, m] = bounded(learner, m, notes.f[at.arm, m])

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        z, C, arm, ridge = notes.z[0], learner.curvatures, at.arm, 1.0 / learner.prior
        v = 0.0
        for j in range(C.shape[1]):
            if z[arm, j] != 0.0:
                v = fma(z[arm, j], z[arm, j] / (ridge + C[arm, j]), v)
        h = parabolas(learner, lesson, lesson.weight, notes.f, arm, v, notes.slopes)
        for m in range(len(lesson.truth)):
            step = notes.slopes[m] / (1.0 + h * v)
            for j in range(C.shape[1]):
                if z[arm, j] != 0.0:
                    move = z[arm, j] / (ridge + C[arm, j])
                    space.weights[arm, m, j] = fma(-step, move, space.weights[arm, m, j])
        for j in range(C.shape[1]):
            C[arm, j] = fma(h * z[arm, j], z[arm, j], C[arm, j])
