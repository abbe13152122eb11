"""What a kernel is: a frozen dataclass of its parameters that says how it is computed and, if it can, its spectrum.

Every kernel is normalised, k(x, x) <= 1, as the paper asks. Class attributes:
    metric      SQUARED: a function of s = |x - v|^2 * scale; ABSOLUTE: of s = |x - v|_1 * scale;
                PRODUCT: of the normalised product s = (x.v + scale)/sqrt((x.x + scale)(v.v + scale))
    spectrum    the distribution of single coordinates of its frequencies (see frequencies.py); None: no random features
Properties and methods:
    scale       the number above
    shape       further numbers, at most two, that ``value`` takes
    value(s, *shape)    static and compiled: the kernel
    radial(n, seed)     what n frequencies of width 1 are multiplied by to follow its spectrum
A kernel from outside the package needs a ``value`` of its own: nothing is computed as if it were another one.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

SQUARED, ABSOLUTE, PRODUCT = range(3)
MOST_SHAPES = 2


@dataclass(frozen=True)
class Kernel:
    """What all families share; use one of the subclasses."""

    metric: ClassVar[int]
    spectrum: ClassVar[Any] = None
    value: ClassVar[Any]

    @property
    def scale(self) -> float:
        raise TypeError("Kernel is the common part; use Gaussian, Laplacian, Matern32 and so on.")

    @property
    def shape(self) -> tuple[float, ...]:
        return ()

    def __call__(self, X: Any, V: Any) -> np.ndarray:
        """The matrix of k(x, v) for the rows x of X and v of V, by direct differences."""
        from kernelpick.core.kernels.families import values_at

        X, V = np.atleast_2d(np.asarray(X, float)), np.atleast_2d(np.asarray(V, float))
        return values_at(self, self._measured(X, V))

    def _measured(self, X: np.ndarray, V: np.ndarray) -> np.ndarray:
        """s for every pair."""
        if self.metric == PRODUCT:
            size = np.sqrt(np.outer((X**2).sum(1) + self.scale, (V**2).sum(1) + self.scale))
            return (X @ V.T + self.scale) / np.where(size > 0, size, 1.0)
        difference = X[:, None, :] - V[None, :, :]
        distance = np.abs(difference).sum(-1) if self.metric == ABSOLUTE else (difference**2).sum(-1)
        return distance * self.scale


@dataclass(frozen=True)
class Stationary(Kernel):
    """A kernel with a width, of which random features are made if it says its spectrum."""

    width: float = 1.0
    factor: ClassVar[float] = 1.0  # s = factor * (distance / width)^2, or without the square for ABSOLUTE
    metric: ClassVar[int] = SQUARED

    def __post_init__(self) -> None:
        if not (isinstance(self.width, int | float | np.number) and 0 < self.width < np.inf):
            raise ValueError(
                f"The width of a {type(self).__name__} kernel must be a positive number, not {self.width}."
            )

    @property
    def scale(self) -> float:
        return self.factor / self.width**2 if self.metric == SQUARED else self.factor / self.width

    def radial(self, n_features: int, seed: int) -> np.ndarray:
        raise NotImplementedError(f"{type(self).__name__} has a spectrum, so it must say its radial part.")


def complete(cls: type) -> None:
    """Refuse a kernel that does not say how it is computed."""
    if not (isinstance(cls, type) and issubclass(cls, Kernel)):
        raise TypeError(f"{cls!r} is no kernel: derive it from kernelpick.Stationary or kernelpick.Kernel.")
    if getattr(cls, "value", None) is None:
        raise ValueError(f"The kernel {cls.__name__} has no value(s, ...): write how it is computed.")
    if "value" not in vars(cls):
        raise ValueError(
            f"The kernel {cls.__name__} has no value(s, ...) of its own, so it would be computed as if it were "
            f"{cls.__mro__[1].__name__}; write one, or use {cls.__mro__[1].__name__}."
        )
    if "__annotations__" in vars(cls) and "__dataclass_fields__" not in vars(cls):
        raise ValueError(
            f"The kernel {cls.__name__} must be decorated with @dataclass(frozen=True), as its parents are."
        )
    if cls.spectrum is not None and "radial" not in vars(cls):
        raise ValueError(
            f"The kernel {cls.__name__} has a spectrum and so needs radial(n, seed) of its own, or spectrum = None."
        )


@lru_cache(maxsize=1024)
def sound(kernel: Kernel) -> None:
    """Refuse a kernel whose parts do not fit together: its shape, its value, and that at a point itself, which is 1."""
    cls, plain = type(kernel), getattr(kernel.value, "py_func", kernel.value)
    taken, shape = plain.__code__.co_argcount - 1, kernel.shape
    if taken != len(shape) or taken > MOST_SHAPES:
        raise ValueError(
            f"The kernel {cls.__name__} has a value(s, ...) that takes {taken} numbers beside s, and a shape of "
            f"{len(shape)}; both must be the same, and {MOST_SHAPES} at most."
        )
    itself = float(kernel(np.ones(1), np.ones(1))[0, 0])
    if not abs(itself - 1) < 1e-9:
        raise ValueError(f"{kernel!r} is {itself:g} for a point and itself; it must be normalised, so that this is 1.")
