"""Kernels in compiled code: arms have kernels of several families, told apart by a number at run time.

Ours have fixed numbers, and what stands for all of them is 0, so that one compiled loop serves any mix. Where kernels
from outside the package take part, a class is made for just these: they get the next numbers, and a loop of their own.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.kernels.contract import Kernel, complete
from kernelpick.core.numerics.compilation import compiled, inlined, operation, switch, takes_in
from kernelpick.core.parts import tell_apart

OURS: dict[type[Kernel], int] = {}  # filled when the folder is read, see __init__.py


@operation
def fill(families: Any, number: int, parameters: np.ndarray, arm: int, values: np.ndarray) -> None:
    """values[0, j] = the kernel of that number at s = values[0, j]; parameters[arm, 1:] is its shape."""


def loop_over(kernel: type[Kernel]) -> Callable[..., None]:
    """The kernel for a whole tile. Its shape has as many numbers as ``value`` takes beside s."""
    plain = getattr(kernel.value, "py_func", kernel.value)
    shapes, value = plain.__code__.co_argcount - 1, inlined(plain)

    def without(number: int, parameters: np.ndarray, arm: int, values: np.ndarray) -> None:
        for j in range(values.shape[1]):
            values[0, j] = value(values[0, j])

    def with_one(number: int, parameters: np.ndarray, arm: int, values: np.ndarray) -> None:
        a = parameters[arm, 1]
        for j in range(values.shape[1]):
            values[0, j] = value(values[0, j], a)

    def with_two(number: int, parameters: np.ndarray, arm: int, values: np.ndarray) -> None:
        a, b = parameters[arm, 1], parameters[arm, 2]
        for j in range(values.shape[1]):
            values[0, j] = value(values[0, j], a, b)

    return (without, with_one, with_two)[shapes]


def _fill_of(numbers: dict[type[Kernel], int]) -> Callable[..., None]:
    loops = {f"part == {n}": loop_over(kernel) for kernel, n in numbers.items()}
    chosen = inlined(switch(loops, "parameters, arm, values", "None"))

    def fill(families: Any, number: int, parameters: np.ndarray, arm: int, values: np.ndarray) -> None:
        chosen(number, parameters, arm, values)

    return fill


def take_in_ours(kernels: Sequence[type[Kernel]]) -> None:
    """Give our kernels their numbers."""
    OURS.update({kernel: number for number, kernel in enumerate(kernels)})
    fill.of_numbers = _fill_of(OURS)


def foreign(kernels: Sequence[Kernel]) -> tuple[type[Kernel], ...]:
    """The classes among these that are not ours, each once."""
    return tuple(dict.fromkeys(type(kernel) for kernel in kernels if type(kernel) not in OURS))


def families_of(kernels: Sequence[Kernel]) -> Any:
    """What stands for the families of these kernels in compiled code."""
    others = foreign(kernels)
    return _class_for(others)(0) if others else 0


def numbers_of(kernels: Sequence[Kernel]) -> np.ndarray:
    """(K,) the number of each kernel's family."""
    known = OURS | {kernel: len(OURS) + i for i, kernel in enumerate(foreign(kernels))}
    return np.array([known[type(kernel)] for kernel in kernels], dtype=np.int64)


class Foreign(NamedTuple):
    """What the classes have in common that are made for kernels from outside."""

    nothing: int


def values_at(kernel: Kernel, s: np.ndarray) -> np.ndarray:
    """The kernel at every entry of s; compiled, since ``value`` may be made of what only compiled code can call."""
    return filled(families_of([kernel]), int(numbers_of([kernel])[0]), np.array([kernel.scale, *kernel.shape]), s)


def filled(families: Any, number: int, parameters: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The same for the kernel of that number, whose scale and shape are the parameters."""
    values = s.reshape(1, -1).copy()
    _fill_row(families, number, parameters[None, :].copy(), values)
    return values.reshape(s.shape)


@compiled
def _fill_row(families: Any, number: int, parameters: np.ndarray, values: np.ndarray) -> None:
    fill(families, number, parameters, 0, values)


@lru_cache
def _class_for(others: tuple[type[Kernel], ...]) -> Any:
    for kernel in others:
        complete(kernel)
        takes_in(kernel.__module__)
    told = (f"{kernel.__module__}:{kernel.__qualname__}".replace(".", ":") for kernel in others)
    name = f"Families({', '.join(told)})"
    made = globals().get(name)
    if made is None or hasattr(made, "fill"):
        made = _known_as(name)
    made.fill = staticmethod(_fill_of(OURS | {kernel: len(OURS) + i for i, kernel in enumerate(others)}))
    return made


def _known_as(name: str) -> Any:
    """A class that Numba's cache finds again by its name."""
    made: Any = type(name, (Foreign,), {"__slots__": (), "__module__": __name__, "from_outside": True})
    tell_apart(made)
    made.__qualname__ = made.__name__
    globals()[made.__name__] = made
    return made


def __getattr__(name: str) -> Any:
    """The cache of another process may speak of kernels that this one has not used yet: their class, still empty."""
    if not name.startswith("Families("):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _known_as(name)
