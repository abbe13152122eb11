"""The columns of a frame of pandas or polars, read without importing either before it is there."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from kernelpick.columns import values
from kernelpick.columns.values import Values


def is_frame(X: Any) -> bool:
    return hasattr(X, "columns")


def values_of(X: Any) -> list[Values]:
    """The values of each column, checked."""
    library = type(X).__module__.partition(".")[0]
    if library == "pandas":
        return [_pandas(name, X.iloc[:, i]) for i, name in enumerate(X.columns)]
    read = _polars if library == "polars" else _other
    return [read(name, X[name]) for name in X.columns]


def _numbers(name: Hashable, array: np.ndarray) -> Values:
    return values.of_numbers(name, np.array(array, dtype=np.float64))


def _spans(name: Hashable, array: np.ndarray) -> Values:
    """Durations, in seconds."""
    return values.of_numbers(name, array.astype("m8[us]") / np.timedelta64(1, "s"))


BY_KIND: dict[str, Callable[[Hashable, np.ndarray], Values]] = {
    **dict.fromkeys("biuf", _numbers),
    "M": lambda name, array: values.of_times(array),
    "m": _spans,
}


def _array(name: Hashable, array: np.ndarray) -> Values:
    """By the type of its entries; what is no number or time of NumPy's is looked at one by one."""
    read = BY_KIND.get(array.dtype.kind)
    return read(name, array) if read else values.of_objects(name, array.tolist())


def _other(name: Hashable, column: Any) -> Values:
    return _array(name, np.asarray(column))


def _pandas(name: Hashable, series: Any) -> Values:
    kind = getattr(series.dtype, "kind", "O")
    if hasattr(series, "cat"):  # a category is a text, whatever it is made of
        return values.of_words(series.cat.codes.to_numpy().astype(np.intp), list(map(str, series.cat.categories)))
    if kind in "biuf":
        return _numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    if kind == "M" and getattr(series.dt, "tz", None) is not None:
        instants, clocks = series.dt.tz_convert(None), series.dt.tz_localize(None)
        return values.of_times(instants.to_numpy(dtype="M8[us]"), clocks.to_numpy(dtype="M8[us]"))
    if kind in "mM":
        return _array(name, series.to_numpy(dtype=f"{kind}8[us]"))
    return values.of_objects(name, series.tolist())


def _polars(name: Hashable, series: Any) -> Values:
    import polars

    kind = series.dtype
    if kind.is_numeric() or kind in (polars.Boolean, polars.Null):
        return _numbers(name, series.cast(polars.Float64).to_numpy())
    if kind == polars.Datetime and kind.time_zone is not None:
        instants = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return values.of_times(instants.to_numpy(), series.dt.replace_time_zone(None).to_numpy())
    if kind in (polars.Datetime, polars.Date, polars.Duration):
        return _array(name, series.to_numpy())
    return values.of_objects(name, series.to_list())
