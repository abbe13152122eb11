"""Names and number of columns: remembered when a model begins, compared with those of later rows."""

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from kernelpick.columns.frames import is_frame

KNOWN_TO_SCIKIT_LEARN = ("pandas", "polars", "pyarrow")


def remember(estimator: Any, given: Any, X: Any) -> None:
    """Column names and width, to compare those of later rows with."""
    validate_data(estimator, given, reset=True, skip_check_array=True)
    estimator.n_features_in_ = X.shape[1]
    if _is_foreign(given) and all(isinstance(name, str) for name in given.columns):
        estimator.feature_names_in_ = np.array(list(given.columns), dtype=object)


def named(estimator: Any, X: Any, **how: Any) -> Any:
    """The same, as scikit-learn checks it; it says that the order of columns is wrong: say also which."""
    if _is_foreign(X):
        _compare(estimator, X)
        return X
    try:
        if "skip_check_array" in how:
            return validate_data(estimator, X, reset=False, **how)
        return validate_data(estimator, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False, **how)
    except ValueError as error:
        given, known = list(getattr(X, "columns", ())), list(getattr(estimator, "feature_names_in_", ()))
        if given == known or sorted(map(str, given)) != sorted(map(str, known)):
            raise
        place = next(i for i, name in enumerate(known) if given[i] != name)
        raise ValueError(
            f"{error}Column {place} is {given[place]!r} where {known[place]!r} is expected; "
            f"the order must be {', '.join(map(repr, known))}."
        ) from None


def _is_foreign(X: Any) -> bool:
    """Whether it is a frame that scikit-learn knows no names of."""
    return is_frame(X) and type(X).__module__.partition(".")[0] not in KNOWN_TO_SCIKIT_LEARN


def _compare(estimator: Any, X: Any) -> None:
    given = list(X.columns)
    known = list(getattr(estimator, "feature_names_in_", given))
    if len(given) != estimator.n_features_in_:
        raise ValueError(f"X has {len(given)} columns where {estimator.n_features_in_} are expected.")
    if given != known:
        place = next(i for i, name in enumerate(known) if given[i] != name)
        raise ValueError(f"Column {place} of X is {given[place]!r} where {known[place]!r} is expected.")
