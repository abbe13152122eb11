"""The normalised linear kernel."""

from dataclasses import dataclass
from typing import ClassVar

from kernelpick.core.kernels.contract import PRODUCT
from kernelpick.core.kernels.polynomial import Polynomial


@dataclass(frozen=True)
class Linear(Polynomial):
    """The polynomial kernel of degree one."""

    degree: int = 1
    metric: ClassVar[int] = PRODUCT
    value = staticmethod(Polynomial.value)
