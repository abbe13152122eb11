"""max(0, 1 - y f)."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss


@loss("hinge", classifies=True, smooth=None, unit=1, radius=1.0)
class Hinge(NamedTuple):
    @staticmethod
    def lipschitz(radius: float) -> float:
        return 1.0

    @staticmethod
    def largest(radius: float) -> float:
        return radius + 1

    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        return max(0.0, 1.0 - y * f)

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return -y if 1.0 - y * f > 0.0 else 0.0

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """To the margin."""
        return max(0.0, 1.0 - y * f)
