"""Passive-aggressive learning, PA-I (Crammer and others, "Online passive-aggressive algorithms", 2006), in one file.

A hypothesis that pays nothing stays as it is. One that pays moves as little as possible to where the example would
cost nothing, but no further than the aggressiveness C allows: with slope +-1, as hinge and absolute loss have it,

    f <- f - tau * slope * k(x, .),   tau = min(C, loss / k(x, x)).

A second learner calms down: its C falls with the updates that a hypothesis has had. It keeps count of them in an array,
and by the axes of that array everything else is known: what starts afresh, grows with classes, or is saved.

    python examples/passive_aggressive.py      runs them beside the plain version at the end of this file
"""

import math
import sys
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

import kernelpick
from kernelpick.extend import (
    At,
    Axes,
    Cast,
    Ledger,
    Lesson,
    Problem,
    Trial,
    always,
    evaluate,
    learner,
    plays_one,
    selector,
    self_kernel,
    slope,
    step,
    value,
)

WIDTHS, ROUNDS, PERIOD = [0.5, 2.0], 450, 100


@learner("passive-aggressive", axis="passive-aggressive", plain=True)  # it answers with what the space evaluates
@always  # it learns in every round, moves nobody else, adds nothing to the losses
class PassiveAggressive(NamedTuple):
    aggressiveness: float  # C
    fall: float  # C / n^fall in update n
    updates: Annotated[np.ndarray, Axes("arms", "outputs", even=True, adds="sum")]

    falls = 0.0

    @staticmethod
    def scale(loss: Any) -> float:
        """step_scale where nobody has chosen one."""
        return 0.2

    @classmethod
    def build(cls, problem: Problem) -> Self:
        return cls(problem.step_scale, cls.falls, np.zeros((problem.arms, problem.outputs)))

    @staticmethod
    def notes(learner: Any, space: Any, rows: int, outputs: int) -> Any:
        """Scratch: operations can't make arrays, this is the place to."""
        return np.empty(outputs)

    @staticmethod
    def answer(learner: Any, notes: Any, space: Any, work: Any, at: At, values: np.ndarray) -> None:
        evaluate(space, work, at, values)

    @staticmethod
    def improve(learner: Any, notes: Any, space: Any, work: Any, at: At, lesson: Lesson) -> None:
        itself = self_kernel(space, at)
        for m in range(len(lesson.at)):
            f, y = lesson.at[m], lesson.truth[m]
            cost, notes[m] = value(lesson.loss, f, y), 0.0
            if cost > 0.0 and itself > 0.0:
                learner.updates[at.arm, m] += 1.0
                most = lesson.weight * learner.aggressiveness / learner.updates[at.arm, m] ** learner.fall
                notes[m] = min(most, cost / itself) * slope(lesson.loss, f, y)
        step(space, work, at, lesson.values, notes, 1.0)


@learner("calming")
class Calming(PassiveAggressive):
    __slots__ = ()
    falls = 0.5


@selector("renewing", restarts=True)
@plays_one
class Renewing(NamedTuple):
    """Any arm, by chance; all hypotheses start afresh every PERIOD rounds. To see that they do."""

    p: Annotated[np.ndarray, Axes("arms", adds="same")]
    fresh: Annotated[np.ndarray, Axes("arms")]  # 1 for those that start afresh with the next round

    @classmethod
    def build(cls, problem: Problem) -> Self:
        return cls(problem.uniform(), np.zeros(problem.arms, dtype=np.int64))

    @staticmethod
    def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
        if int(ledger.clock[0]) % PERIOD > 0:
            return False
        for i in range(len(selector.fresh)):
            selector.fresh[i] = 1
        return True


# ---- the same once more, plainly


def plain(
    X: np.ndarray, y: np.ndarray, uniforms: np.ndarray, frequencies: np.ndarray, hinge: bool, fall: float
) -> tuple[list, list]:
    """Arms and predictions; of two kernels one is drawn by a fair coin, and all start afresh every PERIOD rounds."""
    C, D, arms, predictions = 0.2, len(frequencies), [], []
    for t, (x, target, u) in enumerate(zip(X, y, uniforms, strict=True)):
        if t % PERIOD == 0:
            w, updates = np.zeros((2, 2 * D)), [0, 0]
        arm = 0 if u < 0.5 else 1
        angles = frequencies @ x / WIDTHS[arm]
        z = np.concatenate([np.cos(angles), np.sin(angles)]) / math.sqrt(D)
        f = float(w[arm] @ z)
        arms.append(arm)
        predictions.append(f)
        cost = max(0.0, 1 - target * f) if hinge else abs(f - target)
        if cost > 0:
            updates[arm] += 1
            tau = min(C / updates[arm] ** fall, cost / float(z @ z))
            w[arm] += tau * (target if hinge else np.sign(target - f)) * z
    return arms, predictions


# ---- both, side by side


def main() -> str:
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (ROUNDS, 2))
    y = np.sin(3 * X[:, 0]) + 0.1 * rng.normal(size=ROUNDS)
    uniforms, frequencies, problem = rng.random(ROUNDS), rng.normal(size=(30, 2)), ""
    common = {"widths": WIDTHS, "uniforms": uniforms, "frequencies": frequencies}
    for part, fall in ((PassiveAggressive, 0.0), (Calming, 0.5)):
        renewed = kernelpick.Algorithm(space="features", learner=part, selector=Renewing)
        for loss, labels in (("absolute", y), ("hinge", np.sign(y))):
            run = kernelpick.trace(renewed, X, labels, loss=loss, **common)
            problem = problem or run.parts_from(*plain(X, labels, uniforms, frequencies, loss == "hinge", fall))
            print(f"{part.name}, {loss} loss: {run}, afresh every {PERIOD} rounds")

    # the leader starts hypotheses afresh when it becomes worse: here, when the target changes its sign
    X = rng.uniform(-2, 2, (6000, 2))
    y = np.sin(3 * X[:, 0]) * np.where(np.arange(6000) < 3000, 1, -1)
    leading = kernelpick.Algorithm(space="augmented", learner=Calming, selector="leader")
    run = kernelpick.trace(leading, X, y, loss="absolute", widths=WIDTHS)
    before, after, late = run.losses[2000:3000].mean(), run.losses[3000:3200].mean(), run.losses[5000:].mean()
    print(f"calming with a leader: mean loss {before:.3f}, {after:.3f} after a change, then {late:.3f}")
    if not late < 1.5 * before < after:
        problem = problem or "The leader has not found back after the change."
    return problem


if __name__ == "__main__":
    sys.exit(main() or 0)
