"""One run: an algorithm over one permutation of one dataset. A pure function of its description."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import inf
from time import thread_time
from typing import NamedTuple

import numpy as np

from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.specification import Specification
from kernelpick.core.stream import advance_in_place, start
from kernelpick.files.text import Floats
from kernelpick.lab.datasets.permutations import order
from kernelpick.lab.datasets.prepared import dataset as prepared
from kernelpick.lab.datasets.registry import Range
from kernelpick.lab.reproduce.cells import Cell
from kernelpick.lab.running.curves import checkpoints


class Run(NamedTuple):
    """What is to be computed."""

    cell: Cell
    settings: str
    permutation: int
    step_scale: float | None
    inputs: Range | None = None  # to which they are scaled; None: as the dataset is prepared otherwise


class RunResult(NamedTuple):
    """What came out, with the curves over the rounds named by `checkpoints`."""

    value: float  # of the cell's metric; infinite where the run diverged
    seconds: float  # of processor time, which does not depend on what else the machine does
    losses: list[float]  # (points,) the mean loss up to each checkpoint
    probabilities: list[list[float]]  # (points, K) of each kernel after each checkpoint


def perform(run: Run, data_dir: str | None = None) -> RunResult:
    """Read the data (once a process), permute them, and run over them."""
    return run_over(run, *permuted(run, data_dir))


def run_over(run: Run, X: Floats, y: Floats) -> RunResult:
    """What comes out over the rows as they are given."""
    spec, Y = specification(run, *X.shape), y[:, None]
    advance_in_place(spec, start(spec), X[:1], Y[:1])  # the first call in a process compiles, which is not to be timed
    begin = thread_time()
    state = start(spec)
    total, mistakes = 0.0, 0
    curve: list[float] = []
    probabilities: list[list[float]] = []
    for first, last in pairwise([0, *checkpoints(len(X))]):
        state, outcome = advance_in_place(spec, state, X[first:last], Y[first:last])
        if outcome.diverged is not None:
            return RunResult(inf, thread_time() - begin, curve, probabilities)
        total += float(outcome.losses.sum())
        mistakes += int(np.count_nonzero((outcome.predictions >= 0) != (Y[first:last] > 0)))
        curve.append(total / last)
        probabilities.append(state.probabilities.tolist())
    metrics = {"mistake_rate": mistakes / len(X), "mean_loss": total / len(X)}
    return RunResult(metrics[run.cell.metric], thread_time() - begin, curve, probabilities)


def specification(run: Run, rounds: int, inputs: int) -> Specification:
    """The paper's parameters; all that is not named here is a default of the library."""
    # The exact algorithms have neither features nor a budget; a guest beside them has what is usual.
    size = run.cell.size or ALGORITHMS[run.cell.algorithm].features_for(inputs)
    return Specification(
        algorithm=run.cell.algorithm,
        loss=run.cell.loss,
        n_inputs=inputs,
        n_features=size,
        budget=size,
        step_scale=run.step_scale,
        settings=run.settings,
        horizon=rounds,
        random_state=run.permutation,
    )


def permuted(run: Run, data_dir: str | None = None) -> tuple[Floats, Floats]:
    """The rows of a run in their order."""
    return _permuted(run.cell.dataset, run.permutation, data_dir, run.inputs)


@lru_cache(maxsize=2)
def _permuted(dataset: str, permutation: int, data_dir: str | None, inputs: Range | None) -> tuple[Floats, Floats]:
    data = prepared(dataset, data_dir, inputs=inputs)
    rows = order(dataset, permutation, len(data.y))
    return data.X[rows], data.y[rows]
