"""Targets and answers beside a frame of pandas or polars, without importing either before it is there."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from kernelpick.core.messages import real
from kernelpick.targets import as_given


def columns_of(X: Any) -> list[Hashable]:
    return list(X.columns)


def rows_of(y: Any, n_rows: int) -> list[dict[Hashable, Any]]:
    """The rows of a frame of targets."""
    if len(y) != n_rows:
        raise ValueError(f"y must have one row for each of X, {n_rows} in all, but it has {len(y)}.")
    values, names = y.to_numpy(), columns_of(y)
    return [dict(zip(names, row, strict=True)) for row in values.tolist()]


def rows_where(X: Any, there: np.ndarray) -> Any:
    """The rows of a frame for which there (T,) holds."""
    return X.filter(there) if type(X).__module__.startswith("polars") else X[there]


def labels_of(y: Any, n_rows: int) -> np.ndarray:
    """The targets of a series or a list."""
    real("y", y)
    values = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else as_given(y))
    if values.shape != (n_rows,):
        raise ValueError(f"y must be one value per row of X, {n_rows} in all, but its shape is {values.shape}.")
    return values


def like(X: Any, values: Any) -> Any:
    """A series, or a frame of the columns in a mapping, of the library of X and with its index."""
    kind = "DataFrame" if isinstance(values, Mapping) else "Series"
    if type(X).__module__.startswith("polars"):
        import polars

        named = {str(name): column for name, column in values.items()} if kind == "DataFrame" else values
        return getattr(polars, kind)(named)
    import pandas

    return getattr(pandas, kind)(values, index=X.index)
