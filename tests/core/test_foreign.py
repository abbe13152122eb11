"""A learner from outside the package, in processes of its own: it changes what compiled code is kept by."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kernelpick

PROGRAM = """
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
"""


def run(folder: Path, program: str) -> None:
    path = os.pathsep.join([str(Path(kernelpick.__file__).parents[1]), str(folder)])
    environment = os.environ | {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(folder / "cache")}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.programs
def test_a_learner_that_always_says_42_does_so_wherever_it_is_asked(tmp_path):
    """Fault 2: one without its own row in a list of names predicted with the gradient learner's answer, 0.

    And a process that knows the same file by another name, as one with --plugin does, can read the compiled cache.
    """
    (tmp_path / "always_42.py").write_text(PROGRAM)
    run(tmp_path, "import always_42; always_42.main()")
    (tmp_path / "room").mkdir()
    (tmp_path / "always_42.py").rename(tmp_path / "room" / "always_42.py")
    run(tmp_path, "from room import always_42; always_42.main()")
