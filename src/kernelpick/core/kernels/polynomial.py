"""The normalised polynomial kernel."""

import math
from dataclasses import dataclass
from typing import ClassVar

from kernelpick.core.kernels.contract import PRODUCT, Kernel


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(x.v + offset)^degree, divided by the square roots of its values at (x, x) and (v, v)."""

    degree: int = 2
    offset: float = 1.0
    metric: ClassVar[int] = PRODUCT

    def __post_init__(self) -> None:
        if not (isinstance(self.degree, int) and self.degree >= 1):
            raise ValueError(f"The degree of a polynomial kernel must be a whole number from 1 up, not {self.degree}.")
        if not (self.offset >= 0 and math.isfinite(self.offset)):
            raise ValueError(f"The offset of a polynomial kernel must be a number from 0 up, not {self.offset}.")

    @property
    def scale(self) -> float:
        return self.offset

    @property
    def shape(self) -> tuple[float, ...]:
        return (float(self.degree),)

    @staticmethod
    def value(s: float, degree: float) -> float:
        power = s
        for _ in range(int(degree) - 1):
            power *= s
        return power
