"""What is made of the losses of a contest: their mean by windows, and what they gain on no change."""

from __future__ import annotations

import math

import numpy as np

WINDOWS = 20  # of a stream; the cumulative error of a long stream hardly shows what happens late


def window(rounds: int) -> int:
    """How many rows a window has; the last one has those that are left.

    >>> window(20_000), window(90), window(7)
    (1000, 5, 1)
    """
    return math.ceil(rounds / WINDOWS)


def windowed(losses: np.ndarray) -> list[float]:
    """The mean loss in each window, one after the other."""
    size = window(len(losses))
    return [float(losses[start : start + size].mean()) for start in range(0, len(losses), size)]


def ends(rounds: int) -> list[int]:
    """The last round of each window.

    >>> ends(7), ends(50)[-2:]
    ([1, 2, 3, 4, 5, 6, 7], [48, 50])
    """
    size = window(rounds)
    return [min(start + size, rounds) for start in range(0, rounds, size)]


def kappa(error: float, still: float) -> float:
    """The share of the error of no change that is gone: 1 is perfect, 0 no better than repeating the last label.

    With labels this is the kappa of Zliobaite, Bifet, Read, Pfahringer and Holmes, "Evaluation methods and decision
    theory for classification of streaming data with temporal dependence" (2015): (p - p') / (1 - p'), where p and p'
    are the shares of right labels. NaN where no change is never wrong.

    >>> kappa(0.05, 0.2)
    0.75
    """
    return float(1 - error / still) if still > 0 else math.nan
