"""B(AO)2KS with exact hypotheses: g is a chain of stored examples, and coefficients at those in the reservoir.

All arms have coefficients at the examples of the reservoir, which they gain from the hint; these are held here, and go
into the chain of every arm when the example leaves. To keep <g, mu> there is also the value of every g at each example
of the reservoir, which follows the steps of g.
"""

from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.learners import learner
from kernelpick.core.learners.hints import (
    GM,
    MM,
    SLOTS,
    TINY,
    B,
    check_reservoir,
    look,
    optimistic,
    products,
    rates,
    reservoir,
)
from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import inner
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem
from kernelpick.core.rounds import At, Trial
from kernelpick.core.spaces import evaluate
from kernelpick.core.spaces.chains import append, fold_scale
from kernelpick.core.spaces.exact import PRODUCT_LIMIT
from kernelpick.core.spaces.pairs import kernel_values
from kernelpick.core.spaces.tiles import largest_input


class Notes(NamedTuple):
    looked: np.ndarray  # (K,) the last row that each arm has looked at
    own: np.ndarray  # (K, M) g(x)
    hint: np.ndarray  # (K, M) mu(x)
    steps: np.ndarray  # (M,)
    labels: np.ndarray  # (M,) of the row, times its weight
    clock: np.ndarray  # (1,) the round, 0 where nobody has learned in it
    k: np.ndarray  # (K, 1, SLOTS) kernel values of the row with the reservoir
    within: np.ndarray  # (1, SLOTS) of one example of the reservoir with all


@learner("optimistic-exact", works_on=("roomy",))
@optimistic
class OptimisticExact(NamedTuple):
    step: float  # lambda
    radius: float  # U
    size: int  # M
    a: Annotated[np.ndarray, Axes("arms", "outputs", fresh=1.0, even=True)]  # f' = a g + b mu
    held: Annotated[np.ndarray, Axes("arms", "outputs", 4, even=True)]  # b, <g, g>, <g, mu>, <mu, mu>
    rows: Annotated[np.ndarray, Axes(SLOTS, "inputs")]  # v
    labels: Annotated[np.ndarray, Axes(SLOTS, "outputs")]  # r
    filled: Annotated[np.ndarray, Axes(1)]  # |V|
    coefficients: Annotated[np.ndarray, Axes("arms", "outputs", SLOTS)]  # of g at v
    values: Annotated[np.ndarray, Axes("arms", "outputs", SLOTS)]  # g(v)

    @classmethod
    def build(cls, problem: Problem) -> Self:
        at_rows = [np.zeros((problem.arms, problem.outputs, SLOTS)) for _ in range(2)]
        return cls._make([*rates(problem), *products(problem), *reservoir(problem), *at_rows])

    def checked(self) -> None:
        """Refuse arrays that do not fit together."""
        check_reservoir(self.filled)

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        arms = len(learner.a)
        looked, own, hint = np.full(arms, -1), empty((arms, outputs)), empty((arms, outputs))
        k, within = empty((arms, 1, SLOTS)), empty((1, SLOTS))
        return Notes(looked, own, hint, empty(outputs), empty(outputs), zeroed(1), k, within)

    @staticmethod
    def look(learner: Any, notes: Any, space: Any, work: Any, at: At) -> None:
        arm, k, count = at.arm, notes.k[at.arm], learner.filled[0]
        evaluate(space, work, at, notes.own)
        kernel_values(space, arm, learner.rows, count, at.X, at.row, k)
        for m in range(notes.own.shape[1]):
            for s in range(count):
                notes.own[arm, m] += learner.coefficients[arm, m, s] * k[0, s]
            notes.hint[arm, m] = _hint(learner, m, k)

    @staticmethod
    def shift(learner: Any, notes: Any, space: Any, at: At) -> None:
        moves = False
        for m in range(len(notes.steps)):
            moves = moves or notes.steps[m] != 0.0
        if moves:
            tile, column = _stored(space, at)
            for m in range(len(notes.steps)):
                space.coefficients[tile, m, column] = -notes.steps[m] / space.scales[at.arm, m]
                for s in range(learner.filled[0]):
                    learner.values[at.arm, m, s] -= notes.steps[m] * notes.k[at.arm, 0, s]

    @staticmethod
    def absorb(learner: Any, notes: Any, space: Any, arm: int) -> None:
        count = learner.filled[0]
        for m in range(len(notes.steps)):
            a, b = learner.a[arm, m], learner.held[arm, m, B]
            space.scales[arm, m] *= a
            if space.scales[arm, m] < TINY:
                fold_scale(space, arm, m)
            for s in range(count):
                c = learner.coefficients[arm, m, s]
                learner.coefficients[arm, m, s] = a * c - b * learner.labels[s, m] / count
        for s in range(count):
            kernel_values(space, arm, learner.rows, count, learner.rows, s, notes.within)
            for m in range(len(notes.steps)):
                hint = learner.held[arm, m, B] * _hint(learner, m, notes.within)
                learner.values[arm, m, s] = learner.a[arm, m] * learner.values[arm, m, s] + hint

    @staticmethod
    def exchange(learner: Any, notes: Any, space: Any, work: Any, trial: Trial, slot: int) -> None:
        arms, outputs, _ = learner.values.shape
        if slot < learner.filled[0]:
            for arm in range(arms):
                tile, column = _stored(space, At(learner.rows, slot, 0, arm, arm, 0, -1.0))
                for m in range(outputs):
                    space.coefficients[tile, m, column] = learner.coefficients[arm, m, slot] / space.scales[arm, m]
                    learner.coefficients[arm, m, slot] = 0.0
        for k in range(learner.rows.shape[1]):
            learner.rows[slot, k] = trial.X[trial.row, k]
        for m in range(outputs):
            learner.labels[slot, m] = notes.labels[m]
        learner.filled[0] = count = max(learner.filled[0], slot + 1)
        for arm in range(arms):
            look(learner, notes, space, work, At(trial.X, trial.row, trial.slot, arm, arm, 0, -1.0))
            for m in range(outputs):
                learner.values[arm, m, slot] = notes.own[arm, m]
                learner.held[arm, m, GM], learner.held[arm, m, MM] = 0.0, 0.0
            for s in range(count):
                kernel_values(space, arm, learner.rows, count, learner.rows, s, notes.within)
                for m in range(outputs):
                    r = learner.labels[s, m] / count
                    learner.held[arm, m, GM] -= r * learner.values[arm, m, s]
                    learner.held[arm, m, MM] -= r * _hint(learner, m, notes.within)


@inner
def _hint(learner: Any, m: int, k: np.ndarray) -> float:
    """mu at a point whose kernel values with the reservoir are k."""
    total, count = 0.0, learner.filled[0]
    for s in range(count):
        total -= learner.labels[s, m] * k[0, s]
    return total / max(1, count)


@inner
def _stored(space: Any, at: Any) -> tuple[int, int]:
    """The tile and the column of a row that is new in the chain of an arm."""
    tile, column = append(space, at.arm, at)
    square = 0.0
    for k in range(at.X.shape[1]):
        square += at.X[at.row, k] ** 2
    space.squares[tile, column] = square
    if largest_input(at.X, at.row) > PRODUCT_LIMIT:
        space.large[tile] = 1
    return tile, column
