"""The losses, one file each. A file in this folder with a class that says all that contract.py asks for is a loss.

In compiled code our losses are whole numbers, so that one compiled loop serves all of them; a loss from outside the
package is passed as the named tuple that it is, and has a loop of its own.
"""

from functools import cache
from typing import Any

import numpy as np

from kernelpick.core import messages
from kernelpick.core.losses import contract
from kernelpick.core.losses.contract import OPERATIONS, is_declared, parabola, reach, slope, value
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import compiled, switch, takes_in
from kernelpick.core.parts import classes_beside, tell_apart

__all__ = ["LOSSES", "Loss", "add_loss", "check_loss", "parabola", "reach", "slope", "value"]

Loss = Any  # a named tuple with the facts and operations of contract.py


def _found() -> dict[str, Loss]:
    """The losses of this folder, by name."""
    classes: list[Any] = classes_beside(__file__, __name__)
    return {cls.name: cls() for cls in classes}


OURS = _found()
LOSSES = dict(OURS)  # and those that are added
_NUMBERS = {name: number for number, name in enumerate(OURS)}


def _of_numbers(name: str) -> Any:
    """An operation for the numbers that stand for our losses; they have no parameters, so the number will do."""
    arguments, otherwise = ("f, y, v", "nan, nan") if name == "parabola" else ("f, y", "nan")
    functions = {f"part == {number}": getattr(type(OURS[loss]), name, None) for loss, number in _NUMBERS.items()}
    return switch({n: function for n, function in functions.items() if function is not None}, arguments, otherwise)


for _name in OPERATIONS:
    getattr(contract, _name).of_numbers = _of_numbers(_name)


def check_loss(given: Any) -> None:
    """Refuse what is neither the name of a loss nor a loss."""
    if isinstance(given, str):
        messages.choice("loss", given, LOSSES)
    elif isinstance(given, type):
        raise TypeError(f"The loss {given.__name__} is a class: give one of its values, such as {given.__name__}().")
    elif not (isinstance(given, tuple) and is_declared(type(given))):
        raise ValueError(f"{given!r} is no loss: give a name, or a loss declared by @loss(name, ...).")


def key(loss: Loss) -> Any:
    """What stands for the loss in compiled code."""
    if type(loss) in map(type, OURS.values()):
        return _NUMBERS[loss.name]
    cls: Any = type(loss)
    _take_in(cls)
    return loss


@cache
def _take_in(cls: Any) -> None:
    """Check a loss from outside the package, registered or not, before it is compiled into the loop."""
    if not is_declared(cls):
        raise TypeError(f"{cls.__name__} is no loss: declare it by @loss(name, ...), see docs/extend.md.")
    tell_apart(cls)
    takes_in(cls.__module__)


def add_loss(loss: Loss) -> Loss:
    """Take a loss from outside the package, by its name."""
    cls: Any = type(loss)
    _take_in(cls)
    if loss.name in OURS:
        raise ValueError(f"There is a loss {loss.name!r} in kernelpick: choose another name.")
    LOSSES[loss.name] = loss
    return loss


@compiled
def values(loss: Any, F: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """The loss of every entry."""
    out = empty(len(F))
    for i in range(len(F)):
        out[i] = value(loss, F[i], Y[i])
    return out
