"""|f - y|."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss


@loss("absolute", classifies=False, smooth=None, lipschitz=lambda radius: 1.0, largest=lambda radius: radius + 1)
class Absolute(NamedTuple):
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
