"""The choices behind a model, checked."""

from dataclasses import dataclass

from kernelpick.core import Specification, messages
from kernelpick.online.statistics import SCALES


@dataclass(frozen=True)
class Plan:
    specification: Specification
    auto_kernels: bool  # the kernels are those that the first rows ask for
    scale: str | None
    scale_target: bool
    target_way: str | None = None  # "linear" or "log", where that is asked for
    auto_features: bool = False  # and so is the number of frequencies, where that depends on the columns
    balanced: bool = False  # a row counts the less, the more often its class has come
    memories: bool = False  # hypotheses that forget play beside the leader
    companions: tuple[str, ...] = ()  # the names of what predicts beside the kernels
    spread: bool = False  # fits run beside the rounds
    features: int = 0  # frequencies from the last fit on, where there are fewer before; 0: it is one number
    columns: int = 0  # that these are for: they become fewer where there are more; 0: they do not

    def __post_init__(self) -> None:
        if self.scale is not None:
            messages.choice("scale", self.scale, SCALES)

    @property
    def has_several_targets(self) -> bool:
        """Whether outputs are targets with units of their own, and not classes."""
        return self.specification.n_outputs > 1 and not self.specification.loss_row.classifies
