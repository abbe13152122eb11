"""What to run: the algorithm and all its parameters, checked, as one value that never changes."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kernelpick.core import loop, messages
from kernelpick.core.algorithms import ALGORITHMS, Algorithm
from kernelpick.core.kernels import Kernel, check_kernel
from kernelpick.core.kernels.frequencies import NORMAL, STRUCTURED
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.learners.flush import NOTHING_LEFT
from kernelpick.core.losses import LOSSES, Loss, check_loss, key
from kernelpick.core.parts import PARTS
from kernelpick.core.problem import DOUBLE, PRECISIONS, Problem
from kernelpick.core.record import SAID, n_player_columns

DEFAULT_WIDTHS = tuple(2.0**n for n in range(-2, 4))  # the paper's six


def algorithm_of(given: Any) -> Algorithm:
    """An algorithm, or what a name stands for."""
    return given if isinstance(given, Algorithm) else ALGORITHMS[messages.choice("algorithm", given, ALGORITHMS)]


@dataclass(frozen=True)
class Specification:
    """One algorithm with its parameters. Without a horizon, the rates are set for epochs that double.

    algorithm and loss are names, or what names stand for.

    >>> from kernelpick.core.specification import Specification
    >>> Specification("oks++", "square", n_inputs=3).radius_in_effect
    1.0
    """

    algorithm: str | Algorithm
    loss: Any
    n_inputs: int
    kernels: tuple[Kernel, ...] = tuple(Gaussian(width) for width in DEFAULT_WIDTHS)
    n_outputs: int = 1
    n_features: int = 400
    budget: int = 200
    radius: float | None = None
    step_scale: float | None = None
    settings: str = "paper"
    horizon: int | None = None
    orthogonal: bool | str | None = None
    random_state: int = 0
    hypotheses: float = 1.3
    forgetting: float | tuple[float, ...] = 1.0  # or that of every arm, where all of them are seated
    precision: str = DOUBLE
    steady: bool = False  # no round does more than its share: none takes in what many rows have left
    even: bool = False  # nor has any more players than others; steady ones are even

    def __post_init__(self) -> None:
        algorithm_of(self.algorithm)
        check_loss(self.loss)
        messages.choice("settings", self.settings, ("paper", "published"))
        for name in ("n_inputs", "n_outputs", "n_features", "budget"):
            messages.whole(name, getattr(self, name), 1)
        messages.whole("random_state", self.random_state, 0)
        if self.horizon is not None:
            messages.whole("horizon", self.horizon, 1)
        for name in ("radius", "step_scale"):
            if getattr(self, name) is not None:
                messages.positive(name, getattr(self, name))
        each = self.forgetting if isinstance(self.forgetting, tuple) else (self.forgetting,)
        if not all(messages.is_number(one) and 0 < one <= 1 for one in each):
            raise ValueError(f"forgetting must be above 0 and at most 1 (no forgetting), not {self.forgetting!r}.")
        if not (messages.is_number(self.hypotheses) and 1 <= self.hypotheses < float("inf")):
            raise ValueError(f"hypotheses must be a number of hypotheses a round from 1 up, not {self.hypotheses!r}.")
        self.row.check_loss(self.loss_row, self.name)
        if messages.choice("precision", self.precision, PRECISIONS) != DOUBLE and not self.row.space.single:
            raise ValueError(
                f"precision={self.precision!r} is for random features, and {self.name} has none: take an algorithm "
                f"that works with them, as rf-oks++, leader or auto do, or precision={DOUBLE!r}."
            )
        if self.row.selector.needs_forgetting and min(each) == 1:
            raise ValueError(
                f"{self.name} takes arms that forget nothing for somebody else's predictions, so that none would "
                "learn: set forgetting below 1, such as 0.99, or take another selector."
            )
        _check_kernels(self.kernels, self.row, self.name)
        self.row.kernels_in_effect(self.kernels, self.published)  # refuses those that would have no effect
        if isinstance(self.orthogonal, str):
            self._check_structured()

    @property
    def name(self) -> str:
        """The algorithm as it is called in sentences."""
        return self.algorithm if isinstance(self.algorithm, str) else str(self.algorithm)

    @cached_property
    def row(self) -> Algorithm:
        """The algorithm; of structured frequencies with the space that has them."""
        row = algorithm_of(self.algorithm)
        if self.orthogonal == STRUCTURED and row.space.structured is not None:
            return replace(row, space=PARTS["space"][row.space.structured])
        return row

    @property
    def is_steady(self) -> bool:
        """Where nearly all is forgotten before every ridge has come back, several of them do in a round."""
        each = self.forgetting if isinstance(self.forgetting, tuple) else (self.forgetting,)
        return self.steady and -math.log(min(each)) * (2 * self.n_features + 1 + self.n_inputs) <= NOTHING_LEFT

    @cached_property
    def learner(self) -> Any:
        """The class of the learner, by the number of inputs."""
        return self.row.learner_for(self.n_inputs, self.is_steady)

    @cached_property
    def loss_row(self) -> Loss:
        return LOSSES[self.loss] if isinstance(self.loss, str) else self.loss

    @cached_property
    def loss_key(self) -> Any:
        """What stands for the loss in the loop."""
        return key(self.loss_row)

    @cached_property
    def mode(self) -> int:
        """What else the loop has to know.

        Without a horizon an algorithm that does not project takes no step beyond the label, so that none diverges.
        """
        follows = self.published and self.row.selector.follows_margin(self.loss_row)
        capped = self.horizon is None and not self.row.projects
        return (loop.FOLLOWS_MARGIN if follows else 0) | (loop.CAPPED if capped else 0)

    @cached_property
    def n_drawn(self) -> int:
        """The players that the record has of a round, at most: none where who plays follows from the state."""
        own = self.row.selector
        if own.drawn is not None:
            return int(own.drawn)
        return 0 if own.plays_all or own.speaker is not None else len(self.kernels)

    @cached_property
    def n_columns(self) -> int:
        """The numbers that the record keeps of a round."""
        return SAID + self.n_outputs + n_player_columns(self)

    @cached_property
    def has_epochs(self) -> bool:
        """Whether the rates depend on a horizon that nobody knows."""
        return self.horizon is None and self.row.uses_horizon

    @property
    def published(self) -> bool:
        return self.settings == "published"

    @property
    def has_orthogonal(self) -> bool:
        return bool(self.row.space.orthogonal if self.orthogonal is None else self.orthogonal)

    @property
    def radius_in_effect(self) -> float:
        return float(self.radius or self.row.learner.usual_radius or self.loss_row.radius)

    def _check_structured(self) -> None:
        messages.choice("orthogonal (True, False, None, or one of these)", self.orthogonal, [STRUCTURED])
        if self.row.space.structured is None:
            raise ValueError(
                f"orthogonal={STRUCTURED!r} is for gradient steps on random features, as rf-oks++ takes them, and "
                f"{self.name} is none of those: take orthogonal=True or None."
            )
        for position, kernel in enumerate(self.kernels):
            if kernel.spectrum is not NORMAL:
                raise ValueError(
                    f"kernels[{position}], {kernel!r}, has no structured frequencies, as they are not normal: "
                    "leave it out, or take orthogonal=False."
                )

    def problem(self, horizon: int, frequencies: Any = None) -> Problem:
        """What the parts are built from, for a horizon; frequencies replace those of the seed."""
        row, learner = self.row, self.learner
        problem = Problem(
            kernels=row.kernels_in_effect(self.kernels, self.published),
            outputs=self.n_outputs,
            inputs=self.n_inputs,
            horizon=horizon,
            radius=self.radius_in_effect,
            projects=row.projects,
            loss=self.loss_row,
            published=self.published,
            step_scale=float(self.step_scale or learner.scale(self.loss_row)),
            budget=self.budget,
            n_features=self.n_features if frequencies is None else len(frequencies),
            orthogonal=self.has_orthogonal,
            seed=self.random_state,
            hypotheses=float(self.hypotheses),
            forgetting=self.forgetting if isinstance(self.forgetting, tuple) else float(self.forgetting),
            batch=row.size.batch,
            steady=self.is_steady,
            even=self.is_steady or self.even,
            frequencies=frequencies,
            precision=self.precision,
            wide=learner.wide,
        )
        return replace(problem, weights=row.space.count(problem), seats=row.selector.count_seats(problem))


def _check_kernels(kernels: tuple[Kernel, ...], algorithm: Algorithm, name: str) -> None:
    if not kernels:
        raise ValueError("There are no kernels to choose from: give at least one.")
    for position, kernel in enumerate(kernels):
        check_kernel(kernel, f"kernels[{position}]")
        if algorithm.space.spectral and kernel.spectrum is None:
            raise ValueError(
                f"kernels[{position}], {kernel!r}, has no random features, which {name} works with: "
                "leave it out, or take an algorithm with exact kernels (oks, oks++, ioks, lkmbooks)."
            )
