"""Rows that a model keeps, in its file: written down by name, put back, and checked."""

from typing import TypeVar

import numpy as np

from kernelpick.files.checks import check_shapes
from kernelpick.online.kept_rows import KeptRows

FIELDS = ("X", "Y", "weights", "numbers")
K = TypeVar("K", bound=KeptRows)


def arrays(kept: KeptRows, name: str) -> dict[str, np.ndarray]:
    return {f"{name}.{field}": getattr(kept, field) for field in FIELDS}


def put_back(kept: K, name: str, arrays: dict[str, np.ndarray], count: int) -> K:
    """So many rows, into what has room for them. Another version may have had room for fewer, or for more."""
    own = {field: arrays[f"{name}.{field}"] for field in FIELDS}
    length, most = len(own["X"]), len(kept.X)
    check_shapes({field: (length, *getattr(kept, field).shape[1:]) for field in FIELDS}, own)
    for field, array in own.items():
        getattr(kept, field)[:length] = array[:most]
    kept.count = count
    _check(kept)
    return kept


def _check(kept: KeptRows) -> None:
    """Refuse numbers that no row has. A row that is missing weighs nothing, as none does."""
    there = slice(min(kept.count, len(kept.X)))
    X, Y, weights, numbers = (getattr(kept, field)[there] for field in FIELDS)
    if np.isinf(X).any() or not (np.isfinite(Y).all() and ((numbers >= 0) & (numbers < 1)).all()):
        raise ValueError("the rows that are kept are not finite")
    if not ((weights > 0) & (weights < np.inf)).all():
        raise ValueError("the weights of rows that are kept are wrong")
