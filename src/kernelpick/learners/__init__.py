"""How a hypothesis learns from one example. A learner is a named tuple; these are the operations asked of it."""

from typing import Any

from ..compilation import dispatch


@dispatch
def accepts(learner: Any, t: int, u: float) -> bool:
    """Whether anything is learned in round t = 1, 2, ..., whose random number is u."""


@dispatch
def rate(learner: Any, ledger: Any, arm: int, m: int, t: int, gradient: float, margin: float) -> float:
    """The step size for output m of the arm.

    gradient is the norm of the importance-weighted gradient; for margin see :func:`kernelpick.selectors.select`.
    """


@dispatch
def shrinkage(learner: Any) -> float:
    """What the hypothesis is multiplied by in each update."""


@dispatch
def penalty(learner: Any) -> float:
    """What the squared norm of a hypothesis adds to its loss, as a factor."""


def plain(cls: type, *, always: bool = True, unregularised: bool = True) -> None:
    """Register the common case: learn in every round, neither shrinking nor a penalty."""
    if always:

        @accepts.register(cls)
        def _accepts(learner: Any, t: int, u: float) -> bool:
            return True

    if unregularised:

        @shrinkage.register(cls)
        def _shrinkage(learner: Any) -> float:
            return 1.0

        @penalty.register(cls)
        def _penalty(learner: Any) -> float:
            return 0.0
