"""Speed of the estimators, as ratios measured in one run: what they add to the core, and River's own pipeline."""

import time
from collections.abc import Callable

import multiply_adds
import numpy as np
from lines import Line
from peak import share

import kernelpick
from kernelpick import core

ROWS, COLUMNS, FEATURES = 10_000, 18, 400
REPEATS = 9
RIVER = "River: predict_one and learn_one, 18 features, D 100"


def stream(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, COLUMNS))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2]


def alternating(*tasks: Callable[[], object], repeats: int = REPEATS) -> list[float]:
    """The least time of each task, in seconds; they take turns, so that a busy machine hits all alike."""
    best = [float("inf")] * len(tasks)
    for _ in range(repeats):
        for i, task in enumerate(tasks):
            start = time.perf_counter()
            task()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def overheads() -> list[Line]:
    """partial_fit against the core on the same rows in the same state."""
    X, y = stream()
    model = kernelpick.KernelRegressor("rf-oks++", n_features=FEATURES, random_state=0).partial_fit(X, y)
    twin = core.copy(model._model.state)
    spec = model._model.spec
    Y = y[:, None]
    batch, plain = alternating(lambda: model.partial_fit(X, y), lambda: core.advance_in_place(spec, twin, X, Y))
    pieces = [(X[i : i + 1], y[i : i + 1], Y[i : i + 1]) for i in range(100)]

    def estimator() -> None:
        for x, target, _ in pieces:
            model.partial_fit(x, target)

    def engine() -> None:
        for x, _, target in pieces:
            core.advance_in_place(spec, twin, x, target)

    one, plain_one = alternating(estimator, engine, repeats=50)
    needed = multiply_adds.features(COLUMNS, FEATURES)
    return [
        Line("partial_fit of 10,000 rows", batch / plain, 1.1, "x the core", share(needed, batch / len(X))),
        Line("partial_fit of one row, above the core", (one - plain_one) * 1e6 / len(pieces), 40.0, "microseconds"),
    ]


def against_river() -> list[Line]:
    """predict_one and learn_one with a dict of 18 features and D = 100."""
    try:
        from river import feature_extraction, linear_model, preprocessing

        from kernelpick.river import KernelRegressor
    except ImportError:
        return [Line(RIVER, None, 1 / 30, "x River's pipeline")]
    X, y = stream()
    names = [f"x{i}" for i in range(COLUMNS)]
    pairs = [(dict(zip(names, x, strict=True)), target) for x, target in zip(X.tolist(), y.tolist(), strict=True)]
    theirs = (
        preprocessing.StandardScaler()
        | feature_extraction.RBFSampler(n_components=100, seed=0)
        | linear_model.LinearRegression()
    )
    ours = KernelRegressor("rf-oks++", n_features=100, seed=0)

    for x, target in pairs[:100]:
        theirs.learn_one(x, target)
        ours.learn_one(x, target)

    def run(model: object) -> Callable[[], None]:
        def task() -> None:
            for x, target in pairs[100:130]:
                model.predict_one(x)  # type: ignore[attr-defined]
                model.learn_one(x, target)  # type: ignore[attr-defined]

        return task

    (slow,), (fast,) = alternating(run(theirs), repeats=30), alternating(run(ours), repeats=300)
    reached = share(multiply_adds.features(COLUMNS, 100), fast / 30)
    return [Line(RIVER, fast / slow, 1 / 30, "x River's scaler, RBFSampler and linear model", reached)]


def rows() -> list[Line]:
    return overheads() + against_river()
