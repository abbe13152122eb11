"""Zeros that take no time to make: pages of memory that the system hands out as they are first written to.

NumPy's own are such pages as long as no large array was freed. After that it writes zeros to memory that was in use
before, which for the matrices of a model takes longer than many rounds.
"""

import math
import mmap

import numpy as np

DOUBLE = np.dtype(np.float64)
LARGE = 2**16  # bytes; writing fewer zeros takes less time than asking for pages
OWN = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)  # a process that is forked has its own copy


def zeros(shape: tuple[int, ...]) -> np.ndarray:
    size = math.prod(shape) * DOUBLE.itemsize
    if size < LARGE or not OWN:
        return np.zeros(shape)
    return np.frombuffer(mmap.mmap(-1, size, flags=OWN), DOUBLE).reshape(shape)
