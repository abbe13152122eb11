"""One play: an entrant over the first rows of a stream, with the draws of one seed. A function of its description."""

from __future__ import annotations

import math
import warnings
from functools import lru_cache
from time import thread_time
from typing import NamedTuple

import numpy as np

from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.kernels.frequencies import draw_frequencies
from kernelpick.core.losses import LOSSES
from kernelpick.hindsight.curves import SummedLoss, summed_loss
from kernelpick.lab.regret.entrants import Entrant
from kernelpick.lab.regret.streams import NamedStream
from kernelpick.lab.regret.theory import rates_of_oks
from kernelpick.lab.running.curves import checkpoints
from kernelpick.tracing import Trace, trace


class Case(NamedTuple):
    """A problem: so many rows, kernels and, for those that have them, features."""

    stream: NamedStream
    loss: str
    horizon: int
    kernels: int
    features: int
    radius: float | None = None  # U; None: each entrant has its own

    def radius_of(self, entrant: Entrant) -> float:
        """That of the ball an entrant is compared with, and kept in if it projects."""
        return self.radius or entrant.usual_radius(self.loss)


class Play(NamedTuple):
    """What is to be played."""

    case: Case
    entrant: Entrant
    seed: int


class Played(NamedTuple):
    """What came out."""

    total: float  # loss, summed over the rounds; infinite where it diverged
    weighted: float  # sum of q_I c / p_I, the left side of Theorem 1; NaN where there is no such q
    slope: float  # the largest that occurred
    largest: float  # loss that occurred
    error: float  # mean squared error, or the share of wrong labels
    seconds: float  # of processor time a round
    curve: list[float]  # the summed loss up to each of `checkpoints`


def play_out(one: Play) -> Played:
    """Play. The frequencies are those of seed 0, whatever the seed: the theorems speak of draws of arms."""
    case = one.case
    _begun(case, one.entrant)
    begin = thread_time()
    run = _run(one, case.horizon)
    seconds = thread_time() - begin
    sums = np.cumsum(run.losses)
    if not np.isfinite(sums[-1]):
        return Played(math.inf, math.nan, math.inf, math.inf, math.inf, seconds / case.horizon, [])
    summed = summed_loss(LOSSES[case.loss], case.stream.rows(case.horizon)[1])
    slopes = summed.slopes(run.predictions, 0.0)
    curve = [float(sums[step - 1]) for step in checkpoints(case.horizon)]
    largest = float(np.abs(slopes).max()), float(run.losses.max())
    error = mean_error(summed, run.predictions)
    return Played(curve[-1], _weighted(one, run), *largest, error, seconds / case.horizon, curve)


@lru_cache(maxsize=64)
def _begun(case: Case, entrant: Entrant) -> None:
    """Play one row, once for all seeds: a first call compiles or loads, which is not to be timed."""
    _run(Play(case, entrant, 0), 1)


def _run(one: Play, rounds: int) -> Trace:
    """The first rounds of a play."""
    case, entrant = one.case, one.entrant
    X, y = case.stream.rows(case.horizon)
    row, options = ALGORITHMS[entrant.algorithm], dict(entrant.options(case.kernels))
    if row.fits:
        options["n_features"] = case.features
    elif row.space.spectral:
        options["frequencies"] = draw_frequencies(case.features, X.shape[1])
    options |= {"loss": case.loss, "kernels": case.stream.kernels(case.kernels), "random_state": one.seed}
    options["radius"] = case.radius_of(entrant)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of losses that explode, which the result tells
        return trace(entrant.algorithm, X[:rounds], y[:rounds], **options)


def mean_error(summed: SummedLoss, F: np.ndarray) -> float:
    """What users count: squared differences, or wrong labels, where 0 is none."""
    return float((summed.y * F <= 0).mean() if summed.classifies else ((F - summed.y) ** 2).mean())


def _weighted(one: Play, run: Trace) -> float:
    """sum q_I c / p_I, with q from p = (1 - delta) q + delta/K."""
    if ALGORITHMS[one.entrant.algorithm].selector.name != "exp3":
        return math.nan
    delta = rates_of_oks(one.case.kernels, one.case.horizon)[0]
    q = (run.probabilities - delta / one.case.kernels) / max(1 - delta, 1e-300)
    return float((q / run.probabilities * run.losses).sum())
