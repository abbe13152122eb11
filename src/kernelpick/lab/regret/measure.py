"""What came out: regrets with their errors, slopes in log-log with their intervals, and bounds."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from kernelpick.core.losses import LOSSES
from kernelpick.lab.regret.book import RegretBook
from kernelpick.lab.regret.entrants import PROVED, Entrant
from kernelpick.lab.regret.plan import StreamPlan, balls_of, boxes_of
from kernelpick.lab.regret.plays import Case, Play, Played, mean_error
from kernelpick.lab.regret.rivals import Solved
from kernelpick.lab.regret.theory import THEOREMS, Conditions, theorem_1
from kernelpick.lab.running.curves import checkpoints

RESAMPLES = 400
EXPLODED = 1e6  # a regret that is no regret any more


class Slope(NamedTuple):
    """The power of T that regrets grow with, and its 95 % interval; NaN where one is not positive, or explodes."""

    value: float
    low: float
    high: float


class Finding(NamedTuple):
    """An entrant in a case."""

    case: Case
    entrant: Entrant
    regrets: np.ndarray  # (seeds,) against the best kernel's ball
    boxed: np.ndarray | None  # against the best box of the features, for those that have such
    loss: float  # mean over the seeds, summed over the rounds
    best: float  # L_T(f*) of the best kernel
    gap: float  # of its certificate
    bound: float  # of the entrant's theorem; NaN where it has none
    seconds: float  # a round, of the fastest seed: what a first run in a process adds is not the algorithm's
    wrong: float  # squared error or share of wrong labels, mean over rounds and seeds

    @property
    def mean(self) -> float:
        return float(self.regrets.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return standard_error(self.regrets)

    @property
    def ratio(self) -> float:
        return self.mean / self.bound


class Inequality(NamedTuple):
    """Theorem 1, both sides: E sum q c <= bound."""

    case: Case
    left: float
    error: float
    right: float
    zero: float  # the loss of always predicting 0
    zero_right: float  # and the right side with its own G and lmax

    @property
    def holds(self) -> bool:
        return self.left - 2 * self.error <= self.right


def standard_error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


@cache
def finding(case: Case, entrant: Entrant, plan: StreamPlan, book: RegretBook) -> Finding:
    """One entrant in one case, from a book that is complete: tables, pictures and sheets all ask for it."""
    plays, balls = _plays(case, entrant, plan, book), _balls(case, entrant, book)
    best = min(balls, key=lambda solved: solved.total)
    totals = np.array([played.total for played in plays])
    boxes = boxes_of(case, entrant) if case in plan.horizons else []
    boxed = totals - min(book.solved(rival).total for rival in boxes) if boxes else None
    theorem, loss = THEOREMS.get(entrant.algorithm), LOSSES[case.loss]
    every = [solved.total for solved in balls]
    conditions = Conditions(loss, case.radius_of(entrant), case.horizon, best.total, every, case.features)
    return Finding(
        case, entrant, totals - best.total, boxed, float(totals.mean()), best.total, best.total - best.lower_bound,
        theorem.bound(conditions) if theorem else math.nan, min(played.seconds for played in plays),
        float(np.mean([played.error for played in plays])),
    )  # fmt: skip


def inequality(case: Case, plan: StreamPlan, book: RegretBook) -> Inequality | None:
    """Theorem 1 for OKS with s = 1, which was played; the comparator is the one with the smallest right side."""
    entrant = next((one for one in plan.entrants if one.name == PROVED), None)
    if entrant is None:
        return None
    plays = _plays(case, entrant, plan, book)
    weighted = np.array([played.weighted for played in plays])
    balls = _balls(case, entrant, book)

    def right(slope: float, largest: float) -> float:
        return min(theorem_1(one.total, one.norm, case.kernels, case.horizon, slope, largest) for one in balls)

    zero = zeros(case)
    own = right(max(played.slope for played in plays), max(played.largest for played in plays))
    left = float(weighted.mean())
    return Inequality(case, left, standard_error(weighted), own, zero.total, right(zero.slope, zero.largest))


def zeros(case: Case) -> Played:
    """What an algorithm would have that always predicts 0."""
    from kernelpick.hindsight.curves import summed_loss

    _, y = case.stream.rows(case.horizon)
    summed, F = summed_loss(LOSSES[case.loss], y), np.zeros(case.horizon)
    losses, slopes = summed.curve.value(F if summed.classifies else F - y, 0.0), summed.slopes(F, 0.0)
    total, largest = float(losses.sum()), (float(np.abs(slopes).max()), float(losses.max()))
    return Played(total, total, *largest, mean_error(summed, F), 0.0, [])


def slope(findings: list[Finding]) -> Slope:
    """Over the horizons, by least squares; seeds are drawn anew for the interval."""
    rounds = np.log([one.case.horizon for one in findings])
    seeds = np.array([one.regrets for one in findings])
    draws = np.random.default_rng(0).integers(0, seeds.shape[1], (RESAMPLES, *seeds.shape))
    means = np.take_along_axis(np.broadcast_to(seeds, draws.shape), draws, axis=2).mean(2)
    if len(findings) < 2 or not 0 < seeds.mean(1).min() <= seeds.mean(1).max() < EXPLODED:
        return Slope(math.nan, math.nan, math.nan)
    centred = (rounds - rounds.mean()) / ((rounds - rounds.mean()) ** 2).sum()
    drawn = np.log(np.maximum(means, 1e-12)) @ centred
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Slope(float(np.log(seeds.mean(1)) @ centred), float(low), float(high))


def cumulative(
    case: Case, entrant: Entrant, plan: StreamPlan, book: RegretBook
) -> list[tuple[int, float, float, float]]:
    """Round, and mean, least and largest regret up to it: against the best of the whole run, all along."""
    best = min(_balls(case, entrant, book), key=lambda solved: solved.total)
    curves = [played.curve for played in _plays(case, entrant, plan, book) if played.curve]
    differences = np.array(curves).reshape(len(curves), -1) - np.array(best.curve) if curves else np.empty((0, 0))
    steps = checkpoints(case.horizon)
    return [
        (step, float(column.mean()), float(column.min()), float(column.max()))
        for step, column in zip(steps, differences.T, strict=False)
    ]


def _plays(case: Case, entrant: Entrant, plan: StreamPlan, book: RegretBook) -> list[Played]:
    return [book.played(Play(case, entrant, seed)) for seed in range(plan.seeds(case))]


def _balls(case: Case, entrant: Entrant, book: RegretBook) -> list[Solved]:
    return [book.solved(rival) for rival in balls_of(case, entrant)]
