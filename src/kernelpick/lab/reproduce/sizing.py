"""The size at which an algorithm takes as long a round as a reference does, from measured times.

The time of a round is nearly linear in the number of features (1/β of Assumption 3 in the paper) and in the budget: a
line through a few measured sizes tells where to look, and a measurement there tells whether it is so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import linear_regression
from typing import NamedTuple

CLOSE = 0.05  # share of the reference's time by which a size may be off; less is noise
CORRECTIONS = 3


class SideBySide(NamedTuple):
    """Seconds a round, measured side by side."""

    reference: float
    sizes: list[float]  # of each size that was asked for


Clock = Callable[[Sequence[int]], SideBySide]


class Sizing(NamedTuple):
    """A size, and the times a round that were measured with it at the end."""

    size: int
    seconds: float
    reference: float
    points: list[tuple[int, float]]  # all that was measured: sizes, and their share of the reference's time

    @property
    def ratio(self) -> float:
        """The share of the reference's time."""
        return self.seconds / self.reference

    @property
    def late(self) -> bool:
        """Whether it takes longer than the reference by more than what a good size may."""
        return self.ratio > 1 + 2 * CLOSE


def sized(clock: Clock, first: Sequence[int], step: int = 1) -> Sizing:
    """The size with the reference's time a round, found from a line through the first sizes and then corrected.

    Sizes are multiples of `step`; where the least still takes longer, it is that one.

    >>> found = sized(lambda sizes: SideBySide(5e-6, [1e-6 + 1e-8 * size for size in sizes]), (100, 200))
    >>> found.size, round(found.ratio, 3)
    (400, 1.0)
    """
    begun = clock(first)
    points = [(size, seconds / begun.reference) for size, seconds in zip(first, begun.sizes, strict=True)]
    slope, level = linear_regression(*zip(*points, strict=True))
    if slope <= 0:
        raise ValueError(
            f"Rounds did not take longer with sizes from {min(first)} to {max(first)}, so no size can be chosen: "
            "this machine is too busy; start again when it is not."
        )
    size = _multiple((1 - level) / slope, step)
    checked: dict[int, Sizing] = {}
    while size not in checked and len(checked) <= CORRECTIONS:
        now = clock([size])
        checked[size] = found = Sizing(size, now.sizes[0], now.reference, points)
        points.append((size, found.ratio))
        if abs(found.ratio - 1) <= CLOSE:
            break
        size = _multiple(_corrected(list(checked.values()), slope), step)
    return min(checked.values(), key=lambda one: abs(one.ratio - 1))


def _multiple(size: float, step: int) -> int:
    return step * max(1, round(size / step))


def _corrected(checked: Sequence[Sizing], slope: float) -> float:
    """Where to look next: between sizes that take too short and too long, else from the last one along the line.

    The slope stays until then: that between two close points would be mostly noise.
    """
    below = max((one for one in checked if one.ratio < 1), key=lambda one: one.ratio, default=None)
    above = min((one for one in checked if one.ratio >= 1), key=lambda one: one.ratio, default=None)
    if below is None or above is None:
        return checked[-1].size + (1 - checked[-1].ratio) / slope
    return below.size + (1 - below.ratio) * (above.size - below.size) / (above.ratio - below.ratio)
