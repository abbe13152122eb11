"""How far to reach so as to cover a share of what comes: quantiles of a score, followed online.

For each of the LEVELS there is a bound of the score's logarithm. A score beyond it moves it up, one within it moves it
down, by step (miss - (1 - level)): what a window of rows misses differs from 1 - level by no more than the bound has
moved over the step and the length of the window, whatever the stream does (adaptive conformal inference; Gibbs and
Candes, 2021). Steps become shorter, down to SHORTEST. They are long again where misses are more frequent than they can
be by chance, or where there has been none for too long.
"""

import math
from statistics import NormalDist

import numpy as np

from kernelpick.core.numerics.compilation import inner

LEVELS = np.array([0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995])
USUAL = 5  # the place of 0.9
SHORTEST, LONGEST = 0.02, 0.2
STEADY = 1.0 / SHORTEST**2  # rows after which steps are no longer than that
MISSES, GAP = 0, 1  # what the pace is set by: the recent share of misses at the usual level, and rows since the last
RECENT = 1.0 / 32.0
TOO_MANY = 0.12  # more misses than that above their share,
TOO_LONG, FASTER = 5.0, 0.05  # or so many times the usual time without one
LEAST_SCORE = 1e-300  # of which there is a logarithm


@inner
def pace(signs: np.ndarray, missed: bool, row: float) -> float:
    """The length of the steps for that row (from 1), which was missed at the usual level or not."""
    share = 1.0 - LEVELS[USUAL]
    signs[MISSES] += RECENT * ((1.0 if missed else 0.0) - signs[MISSES])
    signs[GAP] = 0.0 if missed else signs[GAP] + 1.0
    urgent = max(signs[MISSES] - share - TOO_MANY, FASTER * (share * signs[GAP] - TOO_LONG))
    shortest = 1.0 / math.sqrt(row) if row < STEADY else SHORTEST
    return max(shortest, min(LONGEST, urgent))


@inner
def follow(bounds: np.ndarray, score: float, step: float) -> None:
    """Move the bounds (levels,) by the logarithm of a score."""
    for i in range(len(bounds)):
        bounds[i] += step * (LEVELS[i] - (1.0 if score <= bounds[i] else 0.0))


@inner
def count(tally: np.ndarray, bounds: np.ndarray, score: float) -> None:
    """How many scores have been within the bounds (levels,)."""
    for i in range(len(bounds)):
        tally[i] += 1.0 if score <= bounds[i] else 0.0


@inner
def logarithm(score: float) -> float:
    return math.log(max(score, LEAST_SCORE))


def merged_bounds(bounds: list[np.ndarray], rows: list[float]) -> np.ndarray:
    """Of several models: their means by the rows behind them."""
    return np.average(bounds, axis=0, weights=rows if any(rows) else None)


def checked_confidence(confidence: float) -> float:
    number = confidence if isinstance(confidence, int | float | np.number) else math.nan
    if not 0.0 < number < 1.0:
        raise ValueError(f"confidence must be a number between 0 and 1, as 0.9, not {confidence!r}.")
    return float(number)


def bound_at(bounds: np.ndarray, confidence: float) -> float:
    """The bound for any confidence: between the LEVELS, and beyond them, on a straight line over the logarithm of where
    a normal distribution has these quantiles."""
    places = np.array([_reach(level) for level in LEVELS])
    sound = np.maximum.accumulate(bounds)  # each level is followed by itself; they may cross
    x = _reach(confidence)
    if x < places[0]:
        return float(sound[0] + (x - places[0]))  # as if it were normal
    if x > places[-1]:
        slope = (sound[-1] - sound[USUAL]) / (places[-1] - places[USUAL])
        return float(sound[-1] + slope * (x - places[-1]))
    return float(np.interp(x, places, sound))


def _reach(level: float) -> float:
    return math.log(NormalDist().inv_cdf(0.5 + 0.5 * level))
