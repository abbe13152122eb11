"""Rows and targets as the core wants them, from arrays, frames and sparse matrices."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_array, column_or_1d

from kernelpick import parameters
from kernelpick.columns.frames import is_frame
from kernelpick.columns.stream import Columns
from kernelpick.columns.tables import Matrix, Table, of_frame
from kernelpick.core import NO_WEIGHTS
from kernelpick.core.messages import MOST_WEIGHT, real, weight
from kernelpick.sklearn.names import named
from kernelpick.targets import absent, as_given

NONE_MISSING = np.zeros(0, dtype=bool)
FEW = 1000  # numbers
PART_ENTRIES = 2**20  # numbers that are scaled, or made dense, at a time


def is_plain(X: Any, width: int) -> bool:
    """A matrix that needs no conversion, only a look whether all is finite: scikit-learn's checks take far longer."""
    return (
        type(X) is np.ndarray
        and X.dtype == np.float64
        and X.ndim == 2
        and X.shape[1] == width
        and X.shape[0] > 0
        and X.flags.c_contiguous
        and all_finite(X)
    )


def all_finite(array: np.ndarray) -> bool:
    """Whether all numbers are finite: if the sum of their squares is, they are."""
    if array.size < FEW and math.isfinite(np.vdot(array, array)):  # which takes half of the time for a single row
        return True
    return bool(np.isfinite(array).all())


def rows(estimator: Any, X: Any, fresh: bool) -> Any:
    """X as a table, a C-contiguous float64 matrix or in CSR form; width and names are checked unless all is fresh.

    A model that began with a frame has columns, and so has one that replaces what is missing from a matrix by means.
    All other models know matrices only.
    """
    columns = None if fresh else estimator._columns
    nameless = not fresh and columns is None and not hasattr(estimator, "feature_names_in_")
    if nameless and is_plain(X, estimator.n_features_in_):
        return X
    real("X", X)
    missing = parameters.missing(estimator.missing)
    if is_frame(X):
        return _of_frame(estimator, X, fresh, columns)
    if isinstance(X, np.ndarray) and X.dtype.kind in "mM":
        raise ValueError(f"X holds {X.dtype}, which is no number; give a data frame, whose columns may be dates.")
    allowed = "allow-nan" if missing in ("zero", "mean") else True
    try:
        if fresh:  # names and width are remembered when everything else has been accepted too
            told: dict[str, Any] = {"estimator": estimator, "input_name": "X"}
            checked = check_array(
                X, accept_sparse="csr", dtype=np.float64, order="C", ensure_all_finite=allowed, **told
            )
        else:
            checked = named(estimator, X, ensure_all_finite=allowed)
    except ValueError as error:
        raise ValueError(_advice(str(error))) from None
    if missing == "zero":
        checked = _without_missing(checked)
    if columns is None and not (fresh and missing == "mean"):
        return checked
    return Matrix(list(columns.numbers) if columns else range(checked.shape[1]), checked)


def _advice(told: str) -> str:
    """What scikit-learn says of an array, and what to do here."""
    if "could not convert string" in told:
        return f"{told}: give columns of texts and dates in a data frame, a single row as frame[i : i + 1]."
    if "contains NaN" in told:
        return f"{told.splitlines()[0]} Set missing='mean' or 'zero', give a data frame, or replace them first."
    return told


def _of_frame(estimator: Any, X: Any, fresh: bool, columns: Columns | None) -> Any:
    """A frame as a table; as a matrix for a model that knows no other."""
    if not len(X) or not len(X.columns):
        raise ValueError(f"X is empty: it has {len(X)} rows and {len(X.columns)} columns; at least one is needed.")
    if not fresh:
        named(estimator, X, skip_check_array=True)
    table = of_frame(X)
    if fresh:
        return table
    if columns is not None:
        return Table(list(columns.numbers), table.columns, len(table))
    numbers = []
    for name, column in zip(table.names, table.columns, strict=True):
        if column.numbers is None or np.isnan(column.numbers).any():
            raise ValueError(f"{name!r} must be numbers, none of them missing: this model began with an array.")
        numbers.append(column.numbers)
    return np.column_stack(numbers)


def _without_missing(X: Any) -> Any:
    """Zeros in the place of NaN; what was given stays as it is."""
    if not issparse(X):
        return np.where(np.isnan(X), 0.0, X)
    X = X.copy()
    X.data[np.isnan(X.data)] = 0.0
    return X


def vector(y: Any, n_rows: int) -> np.ndarray:
    """y as one value a row."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    real("y", y)
    if type(y) is not np.ndarray or y.ndim != 1:
        y = column_or_1d(as_given(y), warn=True)
    if len(y) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, y has {len(y)}."
        )
    return y


def numbers(y: Any, n_rows: int, missing_label: str) -> tuple[np.ndarray, np.ndarray]:
    """y as one finite number a row, or several of them, and which rows are missing some: they are 0 instead."""
    if type(y) is np.ndarray and y.dtype == np.float64 and y.shape == (n_rows,) and all_finite(y):
        return own(y), NONE_MISSING  # the usual case, without all that follows
    if _n_columns(y) > 1:
        columns = [numbers(column, n_rows, missing_label) for column in np.asarray(y).T]
        missing = np.zeros(n_rows, dtype=bool)
        for _, gaps in columns:
            missing |= gaps if len(gaps) else False
        return np.stack([column for column, _ in columns], axis=1), missing
    y = vector(y, n_rows)
    missing = absent(y, missing_label)
    if missing.any():
        y = y.copy()
        y[missing] = 0
    if y.dtype != np.float64:
        try:
            y = y.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"y must be numbers ({error}).") from None
    y = own(y)
    if not np.isfinite(y).all():
        row = int(np.argmin(np.isfinite(y)))
        raise ValueError(f"Input y contains NaN or infinity: y[{row}] is {y[row]}; replace or drop it first.")
    return y, missing


def _n_columns(y: Any) -> int:
    shape = np.shape(y) if isinstance(y, np.ndarray | list | tuple) else getattr(y, "shape", (0,))
    return shape[1] if len(shape) == 2 else 1


def single(y: Any, n_targets: int = 1) -> np.ndarray:
    """(1,) the target of a ticket, or (1, M) where it has several."""
    real("y", y)
    values = np.asarray([y]).ravel()
    if len(values) != n_targets:
        has = "one target" if n_targets == 1 else f"{n_targets} targets"
        raise ValueError(f"A ticket has {has}, not {len(values)}: y is {y!r}.")
    return values if n_targets == 1 else values[None, :]


def as_row(X: Any) -> Any:
    """One row may come without its outer brackets."""
    return np.asarray(X)[None, :] if not is_frame(X) and np.ndim(X) == 1 else X


def one_row(X: Any) -> Any:
    if X.shape[0] != 1:
        raise ValueError(f"ask takes one row at a time, not {X.shape[0]}; ask for each of them.")
    return X


def weights(sample_weight: Any, X: Any, missing: np.ndarray, some: bool = False) -> np.ndarray:
    """One weight a row, none negative, and 0 where the label is missing; where there must be some, not all zero."""
    if sample_weight is None and missing is NONE_MISSING:
        return NO_WEIGHTS
    given = _given_weights(sample_weight, X)
    if some and len(given) and not given.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    if missing.any():
        given = np.where(missing, 0.0, given if len(given) else 1.0)
        if some and not given.any():
            raise ValueError("There is nothing to learn: no row that has some weight has a label; give one at least.")
    return given


def _given_weights(sample_weight: Any, X: Any) -> np.ndarray:
    if sample_weight is None:
        return NO_WEIGHTS
    real("sample_weight", sample_weight)
    if isinstance(sample_weight, int | float):
        sample_weight = np.full(X.shape[0], float(sample_weight))
    sample_weight = check_array(sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
    if sample_weight.shape != (X.shape[0],):
        raise ValueError(f"sample_weight has shape {sample_weight.shape} where ({X.shape[0]},) is expected.")
    if (sample_weight < 0).any():
        raise ValueError(f"Negative values in sample_weight: row {int(np.argmax(sample_weight < 0))} has one.")
    if (sample_weight > MOST_WEIGHT).any():
        row = int(np.argmax(sample_weight > MOST_WEIGHT))
        weight(f"sample_weight[{row}]", float(sample_weight[row]))
    return own(sample_weight)


def own(array: np.ndarray) -> np.ndarray:
    """As the compiled code knows arrays: it would be compiled anew for one that is strided or read-only."""
    return array if array.flags.c_contiguous and array.flags.writeable else np.array(array, order="C")


def parts(X: Any) -> Iterator[tuple[slice, np.ndarray]]:
    """The rows in dense pieces; cutting does not change the results, and bounds the memory."""
    sparse = issparse(X)
    if not sparse and X.size <= PART_ENTRIES:
        yield slice(None), own(X)
        return
    step = max(1, PART_ENTRIES // X.shape[1])
    for start in range(0, X.shape[0], step):
        part = slice(start, start + step)
        yield part, X[part].toarray() if sparse else own(X[part])
