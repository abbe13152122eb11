"""Huber's loss: the square of the error up to BEND, and straight beyond."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss

BEND = 0.5


@loss(
    "huber",
    classifies=False,
    smooth=4.0,
    unit=2,
    lipschitz=lambda radius: 2 * BEND,
    largest=lambda radius: BEND * (2 * (radius + 1) - BEND),
)
class Huber(NamedTuple):
    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        error = abs(f - y)
        return error * error if error <= BEND else BEND * (2.0 * error - BEND)

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return 2.0 * min(max(f - y, -BEND), BEND)

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """To the label."""
        return abs(f - y)

    @staticmethod
    def parabola(loss: Any, f: float, y: float, v: float) -> tuple[float, float]:
        """That of half the loss which touches it at the error and lies above it elsewhere."""
        error = f - y
        h = 1.0 if abs(error) <= BEND else BEND / abs(error)
        return h * error, h
