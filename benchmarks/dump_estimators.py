"""dump.py: the estimators for scikit-learn."""

import copy
import pickle
import tempfile
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
from dump_cases import ALGORITHMS, CLASSIFICATION, REGRESSION, Found, algorithm_called, case, refuses
from scipy import sparse

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, Laplacian


def rows_for(kind: str, rows: int, inputs: int = 5, seed: int = 1) -> tuple[np.ndarray, Any]:
    """Raw rows of columns that differ in scale; targets far from 0, two classes, or four that have names.

    Targets are negative: where all are positive, nothing negative is said since that was mended.
    """
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, inputs)) * 10.0 ** np.arange(inputs) + np.arange(inputs)
    rule = np.sin(2 * X[:, 0]) + X[:, 1] / 10 - 1 + 0.1 * generator.normal(size=rows)
    if kind == "regression":
        return X, -100 + 20 * rule
    if kind == "two":
        return X, np.where(rule > -1, "yes", "no")
    labels = np.where(rule > 0, "d", np.where(rule > -1, "b", np.where(rule > -2, "a", "c")))
    return X, labels


def estimator(kind: str, algorithm: str, **options: Any) -> Any:
    cls = KernelRegressor if kind == "regression" else KernelClassifier
    return cls(algorithm_called(algorithm), **{"n_features": 24, "random_state": 2, "budget": 60} | options)


def shown(name: str, model: Any, X: Any) -> Found:
    """What a model says to rows, and of itself."""
    for selection in ("leader", "drawn"):
        yield f"{name}/predict/{selection}", model.predict(X, selection=selection)
        if hasattr(model, "classes_"):
            yield f"{name}/decision/{selection}", model.decision_function(X, selection=selection)
    if hasattr(model, "predict_proba"):
        yield f"{name}/proba", model.predict_proba(X)
    yield from attributes(name, model)


def attributes(name: str, model: Any) -> Found:
    yield f"{name}/probabilities_", model.probabilities_
    yield f"{name}/loss_", model.loss_
    yield f"{name}/n_rounds_", model.n_rounds_
    yield f"{name}/learner_", model.learner_
    yield f"{name}/kernels_", repr(model.kernels_)


def progressive(
    name: str, model: Any, X: Any, y: Any, cuts: tuple[int, ...] = (1, 7, 40, 41, 300), **more: Any
) -> Found:
    """Predictions before each label, in pieces of a stream, and what there is at the end."""
    said, edges = [], [0, *(cut for cut in cuts if cut < X.shape[0]), X.shape[0]]
    for a, b in pairwise(edges):
        given = {key: value[a:b] if key == "sample_weight" else value for key, value in more.items()}
        if hasattr(model, "new_classes") and a > 0:
            given.pop("classes", None)
        said.append(model.progressive_fit(X[a:b], y[a:b], **given))
    yield f"{name}/said", np.concatenate(said)
    yield from shown(name, model, X[:40])


@case
def all_estimators() -> Found:
    for algorithm in ALGORITHMS:
        for kind in ("regression", "two", "four"):
            X, y = rows_for(kind, 650)
            more = {} if kind == "regression" else {"classes": np.unique(y)}
            name = f"sklearn/{algorithm}/{kind}"
            yield from progressive(name, estimator(kind, algorithm), X, y, **more)
            fitted = estimator(kind, algorithm, passes=2).fit(X[:120], y[:120])
            yield from shown(f"{name}/fit", fitted, X[:40])
            yield from shown(f"{name}/few", estimator(kind, algorithm).fit(X[:9], y[:9]), X[:40])
        X, y = rows_for("regression", 3000)
        yield from progressive(f"sklearn/{algorithm}/epochs", estimator("regression", algorithm, n_features=16), X, y)


@case
def other_losses_and_scales() -> Found:
    for algorithm in ("rf-oks++", "rf-oks", "oks++", "oks", "lkmbooks", "auto", "leader", "raker-adagrad"):
        for kind, losses in (("regression", REGRESSION), ("four", CLASSIFICATION)):
            X, y = rows_for(kind, 400)
            more = {} if kind == "regression" else {"classes": np.unique(y)}
            for loss in losses:
                if not refuses(algorithm, loss):
                    yield from progressive(
                        f"losses/{algorithm}/{loss}", estimator(kind, algorithm, loss=loss), X, y, **more
                    )
        for kind in ("regression", "two"):
            X, y = rows_for(kind, 1300)
            X = X / 10.0 ** np.arange(5)
            more = {} if kind == "regression" else {"classes": np.unique(y)}
            for scale in (None, "standard", "range", "maxabs"):
                made = estimator(kind, algorithm, scale=scale, kernels=[0.5, 1.0, Laplacian(2.0)])
                yield from progressive(f"scales/{algorithm}/{kind}/{scale}", made, X, y, **more)
        X, y = rows_for("regression", 300)
        made = estimator("regression", algorithm, scale_target=False, orthogonal=True, horizon=1000)
        yield from progressive(f"plain target/{algorithm}", made, X, y / 100)


@case
def weights_and_sparse_rows() -> Found:
    generator = np.random.default_rng(3)
    for algorithm in ("rf-oks++", "oks++", "auto", "lkmbooks", "raker", "rf-ioks-adagrad", "leader-newton"):
        for kind in ("regression", "four"):
            X, y = rows_for(kind, 600)
            more = {} if kind == "regression" else {"classes": np.unique(y)}
            heavy = generator.integers(0, 4, 600) * 0.7
            yield from progressive(
                f"weights/{algorithm}/{kind}", estimator(kind, algorithm), X, y, sample_weight=heavy, **more
            )
            thin = sparse.csr_matrix(X * (generator.random(X.shape) < 0.3))
            made = estimator(kind, algorithm, scale="maxabs")
            yield from progressive(f"csr/{algorithm}/{kind}", made, thin, y, **more)


@case
def late_classes() -> Found:
    for algorithm, loss, late in product(ALGORITHMS, ("logistic", "squared_hinge"), (3, 20, 100, 580)):
        X, y = rows_for("four", 620)
        y = np.where((np.arange(620) < late) & (y != "b"), "b", y)
        y = np.where((np.arange(620) < late + 30) & (y == "a"), "b", y)
        name, options = f"late classes/{loss}/{algorithm}/{late}", {"loss": loss, "new_classes": "accept"}
        yield from progressive(name, estimator("four", algorithm, **options), X, y, classes=["b"])
        batch = estimator("four", algorithm, **options).partial_fit(X, y)
        yield from shown(f"{name}/in a batch", batch, X[:40])


@case
def tickets_files_and_copies() -> Found:
    """Labels told late and out of order, with models that go through a file, a pickle and a copy on the way."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.kpick"
        for algorithm in ALGORITHMS:
            for kind in ("regression", "four"):
                X, y = rows_for(kind, 700)
                more = {} if kind == "regression" else {"classes": np.unique(y)}
                for start in (0, 5, 20, 60, 600):
                    name, model, said = f"tickets/{algorithm}/{kind}/{start}", estimator(kind, algorithm), []
                    if start:
                        model.partial_fit(X[:start], y[:start], **more)
                    open_ = {}
                    for t in range(30):
                        open_[t] = model.ask(X[start + t], **({} if start or t else more))
                        said.append(open_[t].prediction)
                        if t % 4 == 3:
                            model.tell(open_.pop(t - 2), y[start + t - 2], sample_weight=1.0 + t % 3)
                        if t % 5 == 4:
                            model.partial_fit(X[-t - 3 : -t], y[-t - 3 : -t])
                        if t == 10:
                            model.save(path)
                            model = kernelpick.load(path)
                        if t == 15:
                            model = pickle.loads(pickle.dumps(model))
                        if t == 20:
                            model = copy.deepcopy(model)
                    model.drop(open_.pop(0))
                    for t in sorted(open_, reverse=True):
                        model.tell(open_[t], y[start + t])
                    yield f"{name}/said", np.array(said)
                    yield from shown(name, model, X[:40])


@case
def wide() -> Found:
    """More than 1,000 columns: "auto" takes another learner."""
    for algorithm, inputs, kind in product(("auto", "whole auto"), (1000, 1001), ("regression", "two")):
        X, y = rows_for(kind, 90, inputs=5)
        X = np.hstack([X / 10.0 ** np.arange(5), np.random.default_rng(0).normal(size=(90, inputs - 5))])
        more = {} if kind == "regression" else {"classes": np.unique(y)}
        model = estimator(kind, algorithm, n_features=8, kernels=[5.0, 20.0])
        yield from progressive(f"wide/{algorithm}/{inputs}/{kind}", model, X, y, **more)
