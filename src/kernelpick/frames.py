"""Frames of pandas and polars, without importing either before it is there."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from kernelpick.core.messages import real
from kernelpick.targets import as_given


def columns_of(X: Any) -> list[Hashable]:
    return list(X.columns)


def matrix(X: Any) -> np.ndarray:
    """The numbers of a frame, all finite."""
    given = X.to_numpy()
    real("X", given)
    if given.dtype.kind not in "biuf":  # texts that look like numbers are texts
        for column, values in zip(columns_of(X), given.T, strict=True):
            text = next((value for value in values.tolist() if isinstance(value, str | bytes)), None)
            if text is not None:
                raise ValueError(f"The columns of a frame must be numbers, but {column!r} holds {text!r}; encode it.")
    try:
        values = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"The columns of a frame must be numbers ({error}).") from None
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0]
        raise ValueError(
            f"Column {columns_of(X)[column]!r} holds {values[row, column]} in row {row}; replace or drop it first."
        )
    return values


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
