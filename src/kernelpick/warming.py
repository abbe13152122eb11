"""kernelpick.warm: compile what estimators need before it is needed, for images, fleets and the impatient."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from kernelpick.core.algorithms import MOST_INPUTS, PAPER, Algorithm
from kernelpick.core.specification import algorithm_of
from kernelpick.sklearn import KernelClassifier, KernelRegressor

ROWS = 600  # beyond the last fit of "auto"
WIDE_ROWS = 80
SINGLE_ROWS = 4  # after two of them, they go a short way
EVERYTHING = ("auto", *PAPER)

say: Callable[[str], None] = partial(print, flush=True)


def warm(
    algorithm: str | Algorithm | Sequence[str | Algorithm] = "auto", progress: Callable[[str], Any] | None = say
) -> float:
    """Compile what the estimators of both faces need; the seconds that it took.

    What is compiled is kept on disk, under NUMBA_CACHE_DIR or in the user's cache, so that later processes find it, and
    so does a second call.

    Parameters
    ----------
    algorithm : the name of an algorithm, or several of them; "all" for "auto" and the paper's eight
    progress : what is called with a line for each part; None for silence
    """
    names = EVERYTHING if algorithm == "all" else [algorithm] if isinstance(algorithm, str | Algorithm) else algorithm
    rows = {name: algorithm_of(name) for name in names}  # refuses before anything is compiled
    begin = time.perf_counter()
    for name, row in rows.items():
        for part, use in _parts(name, row):
            before = time.perf_counter()
            use()
            if progress is not None:
                progress(f"{name}, {part}: {time.perf_counter() - before:.1f} s")
    return time.perf_counter() - begin


def _parts(name: Any, row: Algorithm) -> Iterator[tuple[str, Callable[[], None]]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 3))
    y = np.sin(X[:, 0])
    labels = (X[:, 0] > 0).astype(int) + (X[:, 1] > 1)
    only: dict[str, Any] = {"loss": row.learner.only_loss} if row.learner.only_loss else {}
    if not only:  # else it is an algorithm of classifiers
        yield "regression", lambda: _learn_and_predict(KernelRegressor(name, random_state=0), X, y)
    yield "classification", lambda: _learn_and_predict(KernelClassifier(name, random_state=0, **only), X, labels)
    if find_spec("river") is not None:
        yield "River", lambda: _stream(name, only, X, labels if only else y)
    if row.beyond is not None:
        wide = rng.normal(size=(WIDE_ROWS, MOST_INPUTS + 1))
        regressor = KernelRegressor(name, random_state=0)
        yield f"more than {MOST_INPUTS} columns", lambda: _learn_and_predict(regressor, wide, y[:WIDE_ROWS])


def _learn_and_predict(model: Any, X: np.ndarray, y: np.ndarray) -> None:
    """What can be asked of an estimator, of many rows and of one."""
    model.progressive_fit(X, y)
    model.partial_fit(X[:1], y[:1], sample_weight=[2.0])
    model.predict(X, selection="drawn")
    for row in range(SINGLE_ROWS):
        model.partial_fit(X[row : row + 1], y[row : row + 1])
        model.predict(X[row : row + 1])
    model.tell(model.ask(X[0]), y[0]).to_bytes()


def _stream(name: Any, only: dict[str, Any], X: np.ndarray, y: np.ndarray) -> None:
    from kernelpick import river

    model: Any = (river.KernelClassifier if only else river.KernelRegressor)(name, seed=0, **only)
    for row, target in zip(X.tolist(), y.tolist(), strict=True):
        model.learn_one(dict(enumerate(row)), target)
    model.predict_one({0: 1.0})
    model.learn_one({0: 1.0, "late": 1.0}, y.tolist()[0])
