"""The choices behind a model, checked."""

from dataclasses import dataclass

from kernelpick.core import Specification, messages
from kernelpick.online.scaling import SCALES


@dataclass(frozen=True)
class Plan:
    specification: Specification
    auto_kernels: bool  # the kernels are those that the first rows ask for
    scale: str | None
    scale_target: bool
    auto_features: bool = False  # and so is the number of frequencies, where that depends on the columns

    def __post_init__(self) -> None:
        if self.scale is not None:
            messages.choice("scale", self.scale, SCALES)
