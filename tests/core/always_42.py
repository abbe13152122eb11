"""A learner from outside the package; run by test_foreign.py in a process of its own, whose cache it is in the key of.

Fault 2: a learner without its own row in a list of names predicted with the gradient learner's answer, 0.
"""

from typing import Any, NamedTuple

import numpy as np

import kernelpick
from kernelpick import core
from kernelpick.extend import Algorithm, always, learner


@learner("always-42")
@always
class Always42(NamedTuple):
    answer_of_all: float

    @classmethod
    def build(cls, problem: Any) -> "Always42":
        return cls(42.0)

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        return 0

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: Any, values: np.ndarray) -> None:
        for m in range(values.shape[1]):
            values[at.arm, m] = learner.answer_of_all

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: Any, lesson: Any) -> None:
        return None


def main() -> None:
    X, y = np.random.default_rng(0).normal(size=(50, 2)), np.ones(50)
    algorithm = Algorithm("features", "always-42", "exp3")
    spec = core.Specification(algorithm, "square", 2, n_features=4)
    state, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert (outcome.predictions == 42).all(), "in the loop"
    assert (core.values(spec, state, X) == 42).all(), "of all arms"
    for u in (None, 0.3):
        assert (core.predict(spec, state, X, u)[0] == 42).all(), "by the leader, or drawn"
    assert (kernelpick.trace(algorithm, X, y, loss="square", n_features=4).predictions == 42).all(), "in a trace"
    model = kernelpick.KernelRegressor(algorithm, n_features=4, scale=None, scale_target=False, kernels=[1.0, 2.0])
    assert (model.fit(X, y).predict(X) == 42).all(), "of an estimator"
    assert model.ask(X[0]).prediction == 42, "to a ticket"
