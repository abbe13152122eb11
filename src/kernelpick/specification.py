"""What to run: the algorithm and all its parameters, checked, as one value that never changes."""

from dataclasses import dataclass
from functools import cached_property

from . import messages
from .algorithms import ALGORITHMS, SPECTRAL, Algorithm, Problem, follows_margin
from .kernels import Gaussian, Kernel
from .losses import LOSSES, Loss

DEFAULT_WIDTHS = tuple(2.0**n for n in range(-2, 4))  # the paper's six


@dataclass(frozen=True)
class Specification:
    """One algorithm with its parameters. Without a horizon, the rates are set for epochs that double.

    >>> from kernelpick.specification import Specification
    >>> Specification("oks++", "square", n_inputs=3).radius_in_effect
    1.0
    """

    algorithm: str
    loss: str
    n_inputs: int
    kernels: tuple[Kernel, ...] = tuple(Gaussian(width) for width in DEFAULT_WIDTHS)
    n_outputs: int = 1
    n_features: int = 400
    budget: int = 200
    radius: float | None = None
    step_scale: float | None = None
    settings: str = "paper"
    horizon: int | None = None
    orthogonal: bool | None = None
    random_state: int = 0
    hypotheses: float = 1.3
    forgetting: float = 1.0

    def __post_init__(self) -> None:
        messages.choice("algorithm", self.algorithm, ALGORITHMS)
        messages.choice("loss", self.loss, LOSSES)
        messages.choice("settings", self.settings, ("paper", "published"))
        for name in ("n_inputs", "n_outputs", "n_features", "budget"):
            messages.whole(name, getattr(self, name), 1)
        messages.whole("random_state", self.random_state, 0)
        if self.horizon is not None:
            messages.whole("horizon", self.horizon, 1)
        for name in ("radius", "step_scale"):
            if getattr(self, name) is not None:
                messages.positive(name, getattr(self, name))
        if not 0 < self.forgetting <= 1:
            raise ValueError(f"forgetting must be above 0 and at most 1 (no forgetting), not {self.forgetting!r}.")
        if not 1 <= self.hypotheses < float("inf"):
            raise ValueError(f"hypotheses must be a number of hypotheses a round from 1 up, not {self.hypotheses!r}.")
        if self.row.needs_smooth and self.loss_row.smooth is None:
            kind = self.loss_row.classifies
            smooth = ", ".join(n for n, loss in LOSSES.items() if loss.smooth is not None and loss.classifies == kind)
            raise ValueError(
                f"{self.algorithm} needs a smooth loss and {self.loss} is not: "
                f"take one of {smooth}, or another algorithm."
            )
        _check_kernels(self.kernels, self.algorithm)

    @cached_property
    def row(self) -> Algorithm:
        return ALGORITHMS[self.algorithm]

    @cached_property
    def loss_row(self) -> Loss:
        return LOSSES[self.loss]

    @cached_property
    def rules(self) -> tuple[int, bool, bool]:
        """What the engine has to know: the loss, whether b follows the margin, whether steps are capped.

        Without a horizon an algorithm that does not project takes no step beyond the label, so that none diverges.
        """
        follows = follows_margin(self.row, self.loss_row, self.published)
        return self.loss_row.code, follows, self.horizon is None and not self.row.projects

    @cached_property
    def has_epochs(self) -> bool:
        """Whether the rates depend on a horizon that nobody knows."""
        return self.horizon is None and self.row.uses_horizon

    @property
    def published(self) -> bool:
        return self.settings == "published"

    @property
    def has_orthogonal(self) -> bool:
        return self.row.orthogonal if self.orthogonal is None else self.orthogonal

    @property
    def radius_in_effect(self) -> float:
        return float(self.radius or (15.0 if self.loss == "logistic" else 1.0))

    def problem(self, horizon: int) -> Problem:
        """The numbers behind the rates, for a horizon."""
        default = 25.0 if self.loss in self.row.large_step_losses else 5.0
        return Problem(
            arms=len(self.kernels),
            outputs=self.n_outputs,
            horizon=horizon,
            radius=self.radius_in_effect,
            loss=self.loss_row,
            published=self.published,
            step_scale=float(self.step_scale or default),
            budget=self.budget,
            inputs=self.n_inputs,
            n_features=self.n_features,
            hypotheses=self.hypotheses if self.row.leads else 0.0,
            forgetting=self.forgetting,
            space=self.row.space,
        )


def _check_kernels(kernels: tuple[Kernel, ...], algorithm: str) -> None:
    if not kernels:
        raise ValueError("There are no kernels to choose from: give at least one.")
    for position, kernel in enumerate(kernels):
        if not isinstance(kernel, Kernel) or type(kernel) is Kernel:
            raise ValueError(
                f"kernels[{position}] is {kernel!r}; it must be a kernel such as kernelpick.Gaussian(0.5)."
            )
        if ALGORITHMS[algorithm].space in SPECTRAL and not kernel.spectral:
            raise ValueError(
                f"kernels[{position}], {kernel!r}, has no random features, which {algorithm} works with: "
                "leave it out, or take an algorithm with exact kernels (oks, oks++, ioks, lkmbooks)."
            )
