"""dump.py: the estimators for River, and frames."""

import tempfile
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from dump_cases import ALGORITHMS, MIXED, Found, algorithm_called, case
from dump_estimators import attributes, estimator, rows_for, shown

import kernelpick


def dicts(X: np.ndarray, late: dict[int, int], gaps: bool) -> list[dict[str, float]]:
    """Rows by name. Column i is not there before row late[i], and in some rows not at all."""
    here = np.random.default_rng(5).random(X.shape) < (0.9 if gaps else 2.0)
    return [{f"x{i}": float(v) for i, v in enumerate(x) if t >= late.get(i, 0) and here[t, i]} for t, x in enumerate(X)]


def as_they_are(cls: Any) -> dict[str, Any]:
    """Columns are not scaled, and keys that are absent stand for zero, as they did in the first edition: columns that
    come late are learned alike."""
    return {"scale": None} | ({"missing": "zero"} if "missing" in signature(cls).parameters else {})


def one_by_one(name: str, model: Any, rows: list[dict[str, float]], y: Any, reload_at: int = -1) -> Found:
    """predict_one and learn_one over all rows; what is there at the end."""
    classifies, said, chances = hasattr(model, "predict_proba_one"), [], []
    with tempfile.TemporaryDirectory() as folder:
        for t, (x, target) in enumerate(zip(rows, y.tolist(), strict=True)):
            said.append(model.predict_one(x))
            if classifies:
                chances.append(sorted(model.predict_proba_one(x).items())[:1])
            if t % 50 == 17:
                ticket = model.ask(x)
                said.append(ticket.prediction)
                model.tell(ticket, target)
            elif t % 50 == 30:
                model.ask(x)  # nobody ever tells
            else:
                model.learn_one(x, target, w=2.0 if t % 20 == 3 else 1.0)
            if t == reload_at:
                model.save(Path(folder) / "model.kpick")
                model = kernelpick.load(Path(folder) / "model.kpick")
    yield f"{name}/said", np.array([repr(value) for value in said])
    yield f"{name}/chances", np.array([repr(value) for value in chances])
    yield from attributes(name, model)


@case
def by_name() -> Found:
    try:
        from kernelpick import river
    except ImportError:
        print("River is not installed: its cases are left out.")
        return
    late = {2: 4, 3: 40, 4: 150, 5: 540}
    for algorithm in ALGORITHMS:
        after = {3: 530, 4: 540, 5: 570} if algorithm.endswith("auto") else {2: 40, 3: 41, 4: 150, 5: 540}
        called = algorithm_called(algorithm)
        options = {"n_features": 16, "seed": 2, "budget": 60}
        for kind, cls in (
            ("regression", river.KernelRegressor),
            ("two", river.KernelClassifier),
            ("four", river.KernelClassifier),
        ):
            X, y = rows_for(kind, 600, inputs=6)
            name = f"river/{algorithm}/{kind}"
            model = cls(called, selection="drawn", **options)
            yield from one_by_one(f"{name}/late columns", model, dicts(X, late, gaps=True), y, reload_at=300)
            model = cls(called, selection="drawn", **options | as_they_are(cls))
            alike = dicts(X / 10.0 ** np.arange(6), after, gaps=True)
            yield from one_by_one(f"{name}/columns after the fits", model, alike, y, reload_at=300)
            model = cls(called, **options)
            yield from one_by_one(f"{name}/all columns", model, dicts(X[:150], {}, gaps=False), y[:150])
        X, y = rows_for("regression", 120, inputs=40)
        growing = dicts(X / 10.0 ** np.arange(40), {i: 2 * i for i in range(40)}, gaps=False)
        options |= {"kernels": MIXED, "scale_target": False} | as_they_are(river.KernelRegressor)
        mixed = river.KernelRegressor(called, **options)
        yield from one_by_one(f"river/{algorithm}/column by column", mixed, growing, y)


@case
def frames() -> Found:
    try:
        import pandas

        from kernelpick import river
    except ImportError:
        print("pandas or River is not installed: frames are left out.")
        return
    for algorithm in ("auto", "rf-oks++", "oks++", "leader-adagrad"):
        for kind, cls in (("regression", river.KernelRegressor), ("four", river.KernelClassifier)):
            X, y = rows_for(kind, 400, inputs=6)
            model, said = cls(algorithm_called(algorithm), n_features=16, seed=2, **as_they_are(cls)), []
            frame = pandas.DataFrame(X / 10.0 ** np.arange(6), columns=list("fedcba"))
            for a, b in ((0, 5), (5, 50), (50, 51), (51, 400)):
                part = frame[list("fedcba")[: 4 if a < 50 else 6]].iloc[a:b]
                said += [repr(value) for value in model.predict_many(part).tolist()]
                model.learn_many(part, pandas.Series(y[a:b]))
            yield f"frames/river/{algorithm}/{kind}/said", np.array(said)
            yield from attributes(f"frames/river/{algorithm}/{kind}", model)
            frame = pandas.DataFrame(X, columns=frame.columns)
            named = estimator(kind, algorithm).fit(frame, y)
            yield from shown(f"frames/sklearn/{algorithm}/{kind}", named, frame[:40])
