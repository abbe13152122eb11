"""|f - y|."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss


@loss("absolute", classifies=False, smooth=None, unit=1, radius=1.0)
class Absolute(NamedTuple):
    @staticmethod
    def lipschitz(radius: float) -> float:
        return 1.0

    @staticmethod
    def largest(radius: float) -> float:
        return radius + 1

    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        return abs(f - y)

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return 1.0 if f > y else (-1.0 if f < y else 0.0)

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """To the label."""
        return abs(f - y)
