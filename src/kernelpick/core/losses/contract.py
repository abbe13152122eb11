"""What a loss is: a named tuple of its parameters, with its facts and operations in its class.

Facts, class attributes:
    name        what it is called
    classifies  whether labels are -1 and +1, not numbers
    smooth      C0 of a smooth loss, slope^2 <= C0 * loss; None where there is no such bound
    unit        the loss is in units of the target to this power
    radius      U that the ball of hypotheses has by default
    lipschitz(radius)   G1: the largest slope on the ball
    largest(radius)     lmax: the largest loss on the ball
Operations, static methods that are compiled; ``loss`` is the named tuple itself:
    value, slope, reach, parabola, as stated below; parabola is None where a loss is not smooth.
"""

from typing import Any

from kernelpick.core.numerics.compilation import operation

FACTS = ("name", "classifies", "smooth", "unit", "radius", "lipschitz", "largest")
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


def complete(loss: type) -> None:
    """Refuse a loss that does not say all of this."""
    missing = [name for name in (*FACTS, *OPERATIONS) if not hasattr(loss, name)]
    if getattr(loss, "_fields", None) is None:
        raise TypeError(f"The loss {loss.__name__} must be a NamedTuple of its parameters, which may be none.")
    if missing:
        raise TypeError(
            f"The loss {loss.__name__} does not say {', '.join(missing)}; see kernelpick.core.losses.contract."
        )
    if (loss.parabola is None) != (loss.smooth is None):  # type: ignore[attr-defined]
        raise TypeError(f"The loss {loss.__name__} must have both a parabola and a bound `smooth`, or neither (None).")
