"""(f - y)^2."""

from typing import Any, NamedTuple

from kernelpick.core.losses.contract import loss


@loss(
    "square",
    classifies=False,
    smooth=4.0,
    unit=2,
    lipschitz=lambda radius: 2 * (radius + 1),
    largest=lambda radius: (radius + 1) ** 2,
)
class Square(NamedTuple):
    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        return (f - y) ** 2

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return 2.0 * (f - y)

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        """To the label."""
        return abs(f - y)

    @staticmethod
    def parabola(loss: Any, f: float, y: float, v: float) -> tuple[float, float]:
        """That of half the loss, so that h = 1."""
        return f - y, 1.0
