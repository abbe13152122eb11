"""The table: an algorithm is a space x a learner x a selector; docs/algorithms.md has the formulas.

To add one, write its parts, or reuse those that are there, and a row: here, or outside by :func:`register`.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.kernels import Kernel, Stationary, add_kernel
from kernelpick.core.learners.adagrad import Adagrad
from kernelpick.core.learners.constant import Constant
from kernelpick.core.learners.diagonal import Diagonal
from kernelpick.core.learners.newton import Newton
from kernelpick.core.learners.normalised import Normalised
from kernelpick.core.learners.optimistic import Optimistic
from kernelpick.core.learners.optimistic_exact import OptimisticExact
from kernelpick.core.learners.reservoir import Reservoir
from kernelpick.core.learners.ridge import Ridge
from kernelpick.core.learners.smooth import Smooth
from kernelpick.core.learners.steady import Steady
from kernelpick.core.losses import LOSSES, Loss, add_loss, check_loss
from kernelpick.core.losses.contract import is_declared
from kernelpick.core.parts import PARTS
from kernelpick.core.rounds import BLOCK
from kernelpick.core.selectors.adaptive import Adaptive
from kernelpick.core.selectors.discounted import Discounted
from kernelpick.core.selectors.exp3 import Exp3
from kernelpick.core.selectors.green import Green
from kernelpick.core.selectors.hedge import Hedge
from kernelpick.core.selectors.leader import Leader
from kernelpick.core.selectors.linear_hedge import LinearHedge
from kernelpick.core.selectors.tsallis import Tsallis
from kernelpick.core.spaces.augmented import Augmented
from kernelpick.core.spaces.exact import Examples, Shared
from kernelpick.core.spaces.features import Features
from kernelpick.core.spaces.roomy import Roomy
from kernelpick.core.spaces.structured import StructuredFeatures  # noqa: F401

USUAL_FEATURES = 400
MOST_INPUTS = 1000  # "auto" with more inputs takes the learner that has no matrix


class Size(NamedTuple):
    """How large a model of an algorithm with fits may become."""

    order: int = 336  # of its matrices: what fits the time of a round; D is such that 2D + 1 + d is no more than that,
    fewest: int = 64  # within these bounds
    most: int = 256
    batch: int = BLOCK  # rows that newton takes in at a time
    widths: int = 5
    kept: int = 512  # rows
    entries: int = 256  # of the history
    beside: bool = True  # what others say is joined with its kernels: memories and companions, if nobody wants others
    compact: bool = False  # rows are kept in single precision, and files have half of a symmetric matrix


@dataclass(frozen=True)
class Algorithm:
    """A space, a learner and a selector: classes of parts, or their names.

    >>> import kernelpick
    >>> kernelpick.Algorithm(space="features", learner="adagrad", selector="tsallis")
    Algorithm(space='features', learner='adagrad', selector='tsallis')
    """

    space: Any
    learner: Any  # for many inputs another one may take its place, see `beyond`
    selector: Any
    beyond: Any = None  # the learner where there are more than MOST_INPUTS inputs
    fits: tuple[int, ...] = ()  # rows with which scales and widths are found again, and all of them are learned anew
    size: Size = Size()  # noqa: RUF009

    def __post_init__(self) -> None:
        for kind in ("space", "learner", "selector"):
            object.__setattr__(self, kind, _part(kind, getattr(self, kind)))
        if self.beyond is not None:
            object.__setattr__(self, "beyond", _part("learner", self.beyond))
        space, learner, selector = self.space, self.learner, self.selector
        if learner.linear and not space.linear:
            raise ValueError(
                f"The learner {learner.name!r} works on features, and the space {space.name!r} has none: "
                "take the space 'features' or 'augmented', or a gradient learner."
            )
        if learner.works_on and space.name not in learner.works_on:
            raise ValueError(
                f"The learner {learner.name!r} works on the space {' or '.join(map(repr, learner.works_on))}, not on "
                f"{space.name!r}: take that one, or another learner."
            )
        if selector.restarts and not space.restarts:
            raise ValueError(
                f"The selector {selector.name!r} lets hypotheses start afresh, and the space {space.name!r} can't: "
                "take the space 'features' or 'augmented', or another selector."
            )
        if selector.restarts and not learner.restarts:
            raise ValueError(
                f"The selector {selector.name!r} lets hypotheses start afresh, and the learner {learner.name!r} can't: "
                "take another learner, or another selector."
            )
        if space.common and not selector.first_learns:
            raise ValueError(
                f"The space {space.name!r} lets the first player of a round alone learn, which {selector.name!r} "
                "forbids, so that nothing would be learned: take another space, or another selector."
            )

    def __repr__(self) -> str:
        return f"Algorithm(space={self.space.name!r}, learner={self.learner.name!r}, selector={self.selector.name!r})"

    def learner_for(self, n_inputs: int, steady: bool = False) -> Any:
        """steady: one whose rounds all cost the same."""
        if self.beyond is not None and n_inputs > MOST_INPUTS:
            return self.beyond
        return Steady if steady and self.learner is Newton else self.learner

    def features_for(self, n_inputs: int) -> int:
        """D where nobody has chosen one: for an algorithm that has fits, as many as keep matrices small."""
        size = self.size
        return max(size.fewest, min(size.most, (size.order - 1 - n_inputs) // 16 * 8)) if self.fits else USUAL_FEATURES

    @property
    def projects(self) -> bool:
        """Whether hypotheses are kept in a ball."""
        return bool(self.learner.projects and self.space.projects)

    @property
    def needs_smooth(self) -> bool:
        return bool(self.learner.needs_smooth or self.selector.needs_smooth)

    @property
    def uses_horizon(self) -> bool:
        return bool(self.learner.uses_horizon or self.selector.uses_horizon)

    @property
    def numbers(self) -> int:
        """Random numbers that decide a round: those of the selector, then those of the learner."""
        return int(self.selector.numbers + self.learner.numbers)

    def check_loss(self, loss: Loss, name: str) -> None:
        only = self.learner.only_loss
        if only is not None and loss.name != only:
            why = f"loss={only!r} is what it takes" if loss.classifies else "take another algorithm for regression"
            raise ValueError(f"{name} learns labels by the {only} loss alone, and {loss.name} is another: {why}.")
        if self.needs_smooth and loss.smooth is None:
            smooth = [other for other in LOSSES.values() if other.smooth is not None]
            kin = ", ".join(other.name for other in smooth if other.classifies == loss.classifies)
            raise ValueError(
                f"{name} needs a smooth loss and {loss.name} is not: take one of {kin}, or another algorithm."
            )

    def kernels_in_effect(self, kernels: tuple[Kernel, ...], published: bool) -> tuple[Kernel, ...]:
        """The published Raker divides by the first width, then by the second on top of that, and so on."""
        if not (published and self.selector.compounds_widths):
            return kernels
        stationary = [kernel for kernel in kernels if isinstance(kernel, Stationary)]
        if len(stationary) < len(kernels):
            others = ", ".join(repr(kernel) for kernel in kernels if not isinstance(kernel, Stationary))
            raise ValueError(
                f"settings='published' multiplies the widths of the kernels of {self.selector.name!r}, and there are "
                f"kernels without a width: {others}. Leave them out, or take settings='paper'."
            )
        widths = np.cumprod([kernel.width for kernel in stationary])
        return tuple(replace(kernel, width=float(width)) for kernel, width in zip(stationary, widths, strict=True))


def _part(kind: str, given: Any) -> Any:
    known = PARTS[kind]
    if isinstance(given, str) and given in known:
        return known[given]
    if isinstance(given, type) and getattr(given, "name", None) in known:
        return given
    names = ", ".join(map(repr, known))
    raise ValueError(f"{given!r} is no {kind}: it can be {names}, or a class declared as @{kind}(name).")


PAPER = {
    "oks": Algorithm(Examples, Constant, Exp3),
    "oks++": Algorithm(Examples, Smooth, Adaptive),
    "ioks": Algorithm(Examples, Normalised, Tsallis),
    "rf-oks": Algorithm(Features, Constant, Exp3),
    "rf-oks++": Algorithm(Features, Smooth, Adaptive),
    "rf-ioks": Algorithm(Features, Normalised, Tsallis),
    "raker": Algorithm(Features, Ridge, Hedge),
    "lkmbooks": Algorithm(Shared, Reservoir, LinearHedge),
}
LEADER = Algorithm(Augmented, Normalised, Leader)
TWO_A_ROUND = {  # not of the paper, which names it
    "bao2ks": Algorithm(Roomy, OptimisticExact, Green),
    "rf-bao2ks": Algorithm(Features, Optimistic, Green),
}
MEMORIES = Algorithm(Augmented, Newton, Discounted)  # of "auto", beside its leader (online/memories.py)
OTHER_LEARNERS = {"adagrad": Adagrad, "newton": Newton}
WITH_LEARNERS = {name: row for name, row in PAPER.items() if row.space is Features} | {"leader": LEADER}
OURS = {
    **PAPER,
    **TWO_A_ROUND,
    "leader": LEADER,
    **{
        f"{name}-{called}": replace(row, learner=learner)
        for called, learner in OTHER_LEARNERS.items()
        for name, row in WITH_LEARNERS.items()
    },
    "auto": Algorithm(Augmented, Newton, Leader, beyond=Diagonal, fits=(8, 64, 512)),
}
SMALL = Size(order=96, fewest=16, most=64, batch=16, widths=3, kept=128, entries=8, beside=False, compact=True)
TINY = Size(order=88, fewest=16, most=64, widths=3, kept=32, entries=4, beside=False, compact=True)
SIZED = {  # "auto" where models are many: see size= of the estimators
    "auto-small": replace(OURS["auto"], fits=(8, 64, 256), size=SMALL),
    "auto-tiny": Algorithm(Augmented, Adagrad, Leader, fits=(8, 48), size=TINY),
}
OURS |= SIZED
ALGORITHMS = dict(OURS)  # and those that are registered


def register(name: str, part: Any) -> Any:
    """Give a name to an algorithm, a loss or a kernel of your own, for estimators, commands and model files.

    Parameters
    ----------
    name : a name that kernelpick itself does not use
    part : an :class:`Algorithm`, a loss (a named tuple, see docs/extend.md) or a class of kernels

    >>> import kernelpick
    >>> mine = kernelpick.Algorithm(space="features", learner="adagrad", selector="tsallis")
    >>> kernelpick.register("rf-ioks-ada", mine)
    Algorithm(space='features', learner='adagrad', selector='tsallis')
    """
    if not (isinstance(name, str) and name.strip()):
        raise ValueError(f"A name is a word, not {name!r}.")
    if isinstance(part, Algorithm):
        if name in OURS:
            raise ValueError(f"There is an algorithm {name!r} in kernelpick: choose another name.")
        ALGORITHMS[name] = part
        return part
    if isinstance(part, type):
        if is_declared(part):
            check_loss(part)  # which says that a value of it is wanted
        return add_kernel(name, part)
    if getattr(part, "name", name) != name:
        raise ValueError(f"The loss calls itself {part.name!r}: register it by that name, not as {name!r}.")
    return add_loss(part)
