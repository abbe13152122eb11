"""What a loss is: a named tuple of its parameters, with its facts and operations in its class.

Facts, told when it is declared by @loss(name, ...):
    classifies  whether labels are -1 and +1, not numbers
    smooth      C0 of a smooth loss, slope^2 <= C0 * loss; None where there is no such bound
    unit        the loss is in units of the target to this power
    lipschitz   a function of the radius: G1, the largest slope on the ball
    largest     a function of the radius: lmax, the largest loss on the ball
    radius      U that the ball of hypotheses has by default, 1 where nothing is said
Operations, static methods that are compiled; ``loss`` is the named tuple itself:
    value, slope, reach, parabola, as stated below; only a smooth loss has a parabola.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from kernelpick.core.numerics.compilation import operation

C = TypeVar("C", bound=type)

FACTS = ("name", "classifies", "smooth", "lipschitz", "largest", "unit", "radius")
OPERATIONS = ("value", "slope", "reach", "parabola")


@operation
def value(loss: Any, f: float, y: float) -> float:
    """The loss of predicting f where y was true."""


@operation
def slope(loss: Any, f: float, y: float) -> float:
    """The derivative in f."""


@operation
def reach(loss: Any, f: float, y: float) -> float:
    """How far a prediction may move in one update without overshooting the label."""


@operation
def parabola(loss: Any, f: float, y: float, v: float) -> tuple[float, float]:
    """Slope at f and curvature h of the parabola that a second-order learner puts in the place of the loss.

    v is the variance of f.
    """


def loss(
    name: str,
    *,
    classifies: bool,
    smooth: float | None,
    lipschitz: Callable[[float], float],
    largest: Callable[[float], float],
    unit: int = 1,
    radius: float = 1.0,
) -> Callable[[C], C]:
    """Declare a loss by its name and facts; one that says too little is refused."""

    def declared(cls: C) -> C:
        who = f"The loss {name!r} ({cls.__name__})"
        if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
            raise TypeError(f"{who} must be a NamedTuple of its parameters, or of none.")
        needed = OPERATIONS if smooth is not None else OPERATIONS[:-1]
        missing = [operation for operation in needed if not hasattr(cls, operation)]
        if missing:
            raise TypeError(f"{who} lacks the operations {', '.join(missing)}; see docs/extend.md.")
        if smooth is None and hasattr(cls, "parabola"):
            raise TypeError(f"{who} has a parabola, so it must say how smooth it is.")
        for fact, bound in (("lipschitz", lipschitz), ("largest", largest)):
            if not callable(bound):
                raise TypeError(f"{who}: {fact} must be a function of the radius, such as lambda radius: {bound!r}.")
        said = name, classifies, smooth, staticmethod(lipschitz), staticmethod(largest), unit, radius
        for fact, value in zip(FACTS, said, strict=True):
            setattr(cls, fact, value)
        return cls

    return declared


def is_declared(cls: Any) -> bool:
    """Whether a class is one of losses."""
    return all(hasattr(cls, fact) for fact in FACTS)
