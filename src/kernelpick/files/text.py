"""What is written in files: numbers, and how errors quote what is none."""

from __future__ import annotations

import math
import os

import numpy as np
import numpy.typing as npt

Source = str | os.PathLike[str]
Floats = npt.NDArray[np.float64]

GZIP = b"\x1f\x8b"
NUMERIC = frozenset("0123456789+-.eE \t\r\n")


def number(text: str) -> float:
    """The number a text stands for, NaN if none. Python alone would take 1_0, and Unicode digits and blanks."""
    try:
        return float(text) if NUMERIC.issuperset(text) else math.nan
    except ValueError:
        return math.nan


def short(text: str) -> str:
    """A value as an error quotes it: the long ones that damage makes are cut."""
    text = text.strip(" \t\r\n")
    return repr(text if len(text) <= 30 else text[:30] + "...")
