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


def counter(value: Any, largest: int = LATEST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= largest:
        raise ValueError(f"{value!r} is no count")
    return value
