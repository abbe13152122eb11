"""max(0, 1 - y f)^2."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss


@loss(
    "squared_hinge",
    classifies=True,
    smooth=4.0,
    lipschitz=lambda radius: 2 * (radius + 1),
    largest=lambda radius: (radius + 1) ** 2,
)
class SquaredHinge(NamedTuple):
    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        margin = max(0.0, 1.0 - y * f)
        return margin * margin

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return -2.0 * y * max(0.0, 1.0 - y * f)

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """To the margin."""
        return max(0.0, 1.0 - y * f)

    @staticmethod
    def parabola(loss: Any, f: float, y: float, v: float) -> tuple[float, float]:
        """That of half the loss, so that h = 1."""
        margin = y * f
        return (-y * (1.0 - margin), 1.0) if margin < 1.0 else (0.0, 0.0)
