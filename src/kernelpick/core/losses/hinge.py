"""max(0, 1 - y f)."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss


@loss("hinge", classifies=True, smooth=None, lipschitz=lambda radius: 1.0, largest=lambda radius: radius + 1)
class Hinge(NamedTuple):
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
