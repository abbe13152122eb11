"""Columns brought to a common range."""

from __future__ import annotations

import numpy as np

from kernelpick.files.text import Floats


def to_range(X: Floats, lo: float, hi: float) -> Floats:
    """A copy in which every column (or the vector) runs from `lo` to `hi` exactly; a constant one becomes 0.

    >>> to_range(np.array([[1.0, 5.0], [3.0, 5.0], [2.0, 5.0]]), -1, 1).tolist()
    [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    """
    if not lo < hi:
        raise ValueError(f"The range [{lo}, {hi}] is empty; give a lower end below the upper one.")
    if len(X) == 0 or not np.isfinite(X).all():
        raise ValueError("Only finite numbers can be scaled, and at least one row; remove missing values first.")
    low, high = X.min(axis=0), X.max(axis=0)
    # Halves, because the difference of two large numbers of opposite sign overflows.
    span = np.asarray(high / 2 - low / 2)
    share = (X / 2 - low / 2) / np.where(span > 0, span, 1.0)
    scaled = np.where(share < 1, lo + share * (hi - lo), hi)
    return np.where(span > 0, scaled, np.clip(0.0, lo, hi))
