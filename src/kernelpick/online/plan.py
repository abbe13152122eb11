"""The choices behind a model, checked."""

from dataclasses import dataclass
from typing import Any

from kernelpick import messages
from kernelpick.online.scaling import SCALES
from kernelpick.specification import Specification

FRACTIONS = ("hypotheses", "forgetting")  # numbers of a specification that may be fractions


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


def specified(values: dict[str, Any]) -> Specification:
    """A specification whose numbers have one type each: compiled code is made anew for 5 where it was made for 5.0."""
    return Specification(
        **values | {name: messages.positive(name, values[name]) for name in FRACTIONS if name in values}
    )
