"""What is asked of every array and count of a file, before compiled code follows them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

LATEST = 2**62  # counters stay below


def check_shapes(
    shapes: dict[str, tuple[int, ...]], arrays: dict[str, np.ndarray], integers: Iterable[str] = ()
) -> None:
    for name, shape in shapes.items():
        dtype = np.dtype(np.int64 if name in integers else np.float64)
        if arrays[name].shape != shape or arrays[name].dtype != dtype:
            raise ValueError(f"{name} is {arrays[name].dtype}{arrays[name].shape}, not {dtype}{shape}")


def fill(kept: Any, own: dict[str, np.ndarray]) -> None:
    """Put arrays with rows into those that keep rows, by name. Another version may have had room for fewer, or more."""
    most, length = len(kept.X), len(own["X"])
    check_shapes({name: (length, *getattr(kept, name).shape[1:]) for name in own}, own)
    for name, array in own.items():
        getattr(kept, name)[:length] = array[:most]


def counter(value: Any, largest: int = LATEST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= largest:
        raise ValueError(f"{value!r} is no count")
    return value
