"""Sentences for what can be wrong with the arguments: what, where, and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np


def choice(kind: str, given: Any, allowed: Iterable[str]) -> str:
    """given, if it is one of the allowed names; else an error with the nearest of them."""
    allowed = list(allowed)
    if given in allowed:
        return str(given)
    names = ", ".join(map(repr, allowed))
    near = get_close_matches(str(given).lower(), allowed, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}? It can be {names}." if near else f"it can be {names}."
    raise ValueError(f"Unknown {kind} {given!r}: {hint}")


def real(name: str, values: Any) -> None:
    """Refuse what an array of numbers would lose in silence: masks, and imaginary parts."""
    rows = values if isinstance(values, list | tuple) else ()
    if any(isinstance(one, np.ma.MaskedArray) and np.ma.is_masked(one) for one in (values, *rows)):
        raise ValueError(f"{name} has masked entries, which can't be learned from; fill them or drop their rows first.")
    if getattr(getattr(values, "dtype", None), "kind", "f") == "c":
        raise ValueError(f"Complex data not supported: {name} must be real numbers; take {name}.real, or both parts.")


def rows(X: Any, n_inputs: int | None = None) -> np.ndarray:
    """X as a C-contiguous float64 matrix, every entry finite."""
    real("X", X)
    try:
        X = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X must be a matrix of numbers, one row an example ({error}).") from None
    if X.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, rows and columns, not {X.ndim}; for one row write X.reshape(1, -1)."
        )
    if X.size == 0:
        raise ValueError(
            f"X is empty: it has {X.shape[0]} rows and {X.shape[1]} columns; at least one of each is needed."
        )
    if n_inputs is not None and X.shape[1] != n_inputs:
        raise ValueError(f"X has {X.shape[1]} columns where {n_inputs} are expected.")
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise ValueError(f"X holds {X[row, column]} in row {row}, column {column}; replace or drop it first.")
    return X


def targets(y: Any, n_rows: int, classifies: bool, loss: str) -> np.ndarray:
    """y as a float64 vector of that length; labels -1 or +1 for a classification loss."""
    real("y", y)
    try:
        y = np.ascontiguousarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must be a list of numbers, one an example ({error}).") from None
    if y.shape != (n_rows,):
        raise ValueError(f"y must be one number per row of X, {n_rows} in all, but its shape is {y.shape}.")
    wrong = ~np.isfinite(y)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"y holds {y[row]} in row {row}; replace or drop it first.")
    if classifies:
        wrong = np.abs(y) != 1
        if wrong.any():
            row = int(np.argmax(wrong))
            raise ValueError(f"Labels must be -1 or +1 for the {loss} loss, but y is {y[row]:g} in row {row}.")
    return y


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool | np.timedelta64)


def positive(name: str, value: Any) -> float:
    """value as a float above zero."""
    if not (is_number(value) and 0 < value < np.inf):
        raise ValueError(f"{name} must be a positive number, not {value!r}.")
    return float(value)


MOST_WEIGHT = 1e12  # beside more, double precision does not see a row of weight 1


def weight(name: str, value: Any) -> float:
    """value as what a row may weigh."""
    if not (is_number(value) and 0 <= value <= MOST_WEIGHT):
        raise ValueError(
            f"{name} must be a number from 0 up to {MOST_WEIGHT:g}, not {value!r}; weights count beside each other, so "
            "divide all of them by the same number if they are larger."
        )
    return float(value)


def whole(name: str, value: Any, least: int) -> int:
    """value as an integer, at least that large."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number from {least} up, not {value!r}.")
    return int(value)


def draws(name: str, values: Any, shape: tuple[int | None, ...]) -> np.ndarray:
    """Random numbers given by the caller, as a float64 array of that shape (None: any length)."""
    real(name, values)
    values = np.ascontiguousarray(values, dtype=np.float64)
    wanted = tuple(got if want is None else want for want, got in zip(shape, values.shape, strict=False))
    if values.ndim != len(shape) or values.shape != wanted:
        text = ", ".join("any" if want is None else str(want) for want in shape)
        raise ValueError(f"{name} must be an array of shape ({text}), not {values.shape}.")
    if not np.isfinite(values).all():
        raise ValueError(
            f"{name} holds a number that is not finite at {tuple(map(int, np.argwhere(~np.isfinite(values))[0]))}."
        )
    return values
