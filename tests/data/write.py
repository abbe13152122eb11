"""Writes models-VERSION.zip, the model files of a format version and what they say: PYTHONPATH=tests python write.py.

Run once, before the release that introduces a version, and never again for it. Version 1 was written by revision
adc868e; regressor-1 and classifier-1 beside it were written by 0.1.0 before that.
"""

import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from kept import answers, learn

import kernelpick
from kernelpick import (
    Cauchy,
    Gaussian,
    KernelClassifier,
    KernelRegressor,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Polynomial,
    river,
)

HERE = Path(__file__).parent
MORE = 6  # rows that a loaded model goes on with
FEATURES = [Gaussian(0.5), Laplacian(2.0), Matern32(1.0), Matern52(0.8), Cauchy(1.5)]
EXACT = [*FEATURES, Linear(), Polynomial(3, offset=0.5)]
PAIR = {"kernels": [0.7, 2.0]}  # matrices are large, so most files hold two
GRADIENT = ("oks", "oks++", "ioks", "lkmbooks", "rf-oks", "rf-oks++", "rf-ioks", "raker", "leader", "leader-adagrad")
NEWTON = ("rf-oks++-newton", "raker-newton", "leader-newton")
ROWS = {**{name: {} for name in (*GRADIENT, "rf-oks++-adagrad")}, **dict.fromkeys(NEWTON, PAIR)}
WIDE = {"inputs": 1001, "n_features": 2, "kernels": [5.0, 20.0]}  # from 1,001 columns on, "auto" takes adagrad
LATE = {"late": {"b": 4, 7: 40, ("c", 2): 70, "d": 90}}  # columns of River's rows, and the rows that they come with
FITS = {"before the first fit": 5, "at the second fit": 60, "after the last fit": 530}
HUBER = {"loss": "huber", "forgetting": 0.99, "hypotheses": 1.0}
SCALES, STRAIGHT = ("range", "maxabs"), ("hinge", "squared_hinge")
UNSCALED = {"algorithm": "oks", "scale": None, "scale_target": False, "kernels": [1.0, 2.0]}

# name: (face, kind of target, rows learned, parameters, among which inputs, late and columns are about the rows)
MODELS: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    **{f"regressor auto {when}": ("sklearn", "number", rows, {}) for when, rows in FITS.items()},
    "regressor auto at the last fit": ("sklearn", "number", 508, PAIR),
    **{f"classifier auto {when}": ("sklearn", "three", rows, PAIR) for when, rows in FITS.items()},
    **{f"river regressor auto {when}": ("river", "number", rows, PAIR | LATE) for when, rows in FITS.items()},
    **{f"river classifier auto {when}": ("river", "three", rows, PAIR | LATE) for when, rows in FITS.items()},
    **{f"regressor wide {rows}": ("sklearn", "number", rows, WIDE) for rows in (20, 530)},
    "classifier wide 530": ("sklearn", "two", 530, WIDE),
    **{f"regressor {name}": ("sklearn", "number", 150, {"algorithm": name} | more) for name, more in ROWS.items()},
    **{f"classifier {name}": ("sklearn", "three", 100, {"algorithm": name}) for name in (*GRADIENT, NEWTON[0])},
    **{f"river regressor {name}": ("river", "number", 110, {"algorithm": name} | LATE) for name in GRADIENT},
    **{f"river classifier {name}": ("river", "three", 110, {"algorithm": name} | LATE) for name in GRADIENT},
    "regressor unfitted": ("sklearn", "number", 0, {"algorithm": "rf-oks++", "kernels": (Cauchy(1.0), 3)}),
    "river classifier unfitted": ("river", "two", 0, {"algorithm": "rf-oks++"}),
    **{f"regressor held {name}": ("sklearn", "number", 20, {"algorithm": name}) for name in ("rf-oks++", "oks++")},
    **{
        f"regressor mixed {name}": ("sklearn", "number", 120, {"algorithm": name, "kernels": EXACT})
        for name in GRADIENT[:4]
    },
    **{
        f"classifier mixed {name}": ("sklearn", "two", 120, {"algorithm": name, "kernels": FEATURES})
        for name in GRADIENT[5:8]
    },
    "regressor mixed auto": ("sklearn", "number", 40, {"kernels": FEATURES}),
    "river regressor mixed": ("river", "number", 110, {"algorithm": "rf-oks++", "kernels": FEATURES} | LATE),
    "river regressor mixed exact": ("river", "number", 110, {"algorithm": "oks++", "kernels": EXACT} | LATE),
    "regressor auto, twelve kernels": ("sklearn", "number", 40, {"kernels": list(np.geomspace(0.1, 8, 12))}),
    "regressor auto, huber": (
        "sklearn",
        "number",
        700,
        {"loss": "huber", "forgetting": 0.99, "hypotheses": 1.0} | PAIR,
    ),
    "regressor epochs": ("sklearn", "number", 1100, {"algorithm": "rf-oks"}),
    "regressor horizon": ("sklearn", "number", 100, {"algorithm": "rf-ioks", "horizon": 900, "settings": "published"}),
    "regressor unscaled": ("sklearn", "number", 80, UNSCALED),
    **{f"classifier {scale}": ("sklearn", "two", 80, {"algorithm": "rf-oks++", "scale": scale}) for scale in SCALES},
    **{f"classifier {loss}": ("sklearn", "four", 120, {"algorithm": "rf-oks", "loss": loss}) for loss in STRAIGHT},
    "classifier of numbers": ("sklearn", "numbers", 120, {"algorithm": "oks++"}),
    "classifier, late classes": ("sklearn", "late", 120, {"algorithm": "rf-oks++", "new_classes": "accept"}),
    "classifier auto, late classes": ("sklearn", "late", 530, {"new_classes": "accept"} | PAIR),
    "river classifier auto, late classes": ("river", "late", 530, PAIR),
    "river classifier of numbers": ("river", "numbers", 110, {"algorithm": "leader"}),
    "regressor with names": ("sklearn", "number", 30, {"columns": ["height", "width", "age"]} | PAIR),
}


def stream(kind: str, rows: int, inputs: int) -> tuple[np.ndarray, list[Any]]:
    """Rows whose columns differ in scale; beyond the first three they are mostly zero."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(rows, inputs)) * ([1.0, 10.0, 0.1] + [1.0] * (inputs - 3)) + 1.0
    X[:, 3:] = np.where(generator.random((rows, inputs - 3)) < 0.01, X[:, 3:].round(2), 0.0)
    rule = np.sin(2 * X[:, 0]) + (X[:, 1] - 1) / 10
    if kind == "number":
        return X, (100 + 20 * rule).tolist()
    names = {"two": "ab", "three": "abc", "four": "abcd", "numbers": [3, 10, -1], "late": "adcb"}[kind]
    order = np.minimum(np.digitize(rule, [-1.0, 0.2, 1.0]), len(names) - 1)
    if kind == "late":  # one class at first, the others come one by one
        order = np.minimum(order, np.arange(rows) // 30)
    return X, [names[i] for i in order]


def pairs(X: np.ndarray, late: dict[Any, int]) -> list[list[tuple[Any, float]]]:
    names = [*([f"x{i}" for i in range(X.shape[1] - len(late))]), *late]
    return [
        [(name, value) for name, value in zip(names, row, strict=True) if t >= late.get(name, 0)]
        for t, row in enumerate(X.tolist())
    ]


def written(name: str, path: Path) -> dict[str, Any]:
    """Teach the model, ask twice on the way, save it; what it is asked, and its answers."""
    face, kind, rows, options = MODELS[name]
    params = {"n_features": 4, "budget": 40} | options
    late, columns = params.pop("late", {}), params.pop("columns", None)
    X, y = stream(kind, rows + 5 + MORE, params.pop("inputs", 3 + len(late)))
    given = pairs(X, late) if face == "river" else X.tolist()
    about: dict[str, Any] = {"face": face, "rows": given[rows : rows + 5], "ticket": None}
    about |= {"more": given[-MORE:], "targets": y[-MORE:]} | ({"columns": columns} if columns else {})
    if face == "river":
        cls = river.KernelRegressor if kind == "number" else river.KernelClassifier
        model = cls(seed=1, **params)
    else:
        cls = KernelRegressor if kind == "number" else KernelClassifier
        model = cls(random_state=1, **params)
    first = about if kind in ("number", "late") or face == "river" else about | {"declare": {"classes": sorted(set(y))}}
    if rows:
        learn(model, first, given[: rows - 3], y[: rows - 3])
        asked = {"x": dict(given[0])} if face == "river" else {"X": X[0]}
        if columns is None:
            model.ask(**asked)  # stays open for ever
            about["ticket"] = model.ask(**asked).number, y[0]
        learn(model, about, given[rows - 3 : rows], y[rows - 3 : rows])
    model.save(path)
    return about | {"answers": answers(kernelpick.load(path), about)}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, expected, contents = Path(folder) / "model", {}, {}
        for name in MODELS:
            expected[name] = written(name, path)
            contents[name] = path.read_bytes()
    version = int.from_bytes(contents["regressor oks"][8:12], "little")
    with zipfile.ZipFile(HERE / f"models-{version}.zip", "x", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(f"{name}.kpick"), content, zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("models.json"), json.dumps(expected), zipfile.ZIP_DEFLATED)
    print(f"{len(contents)} models, {sum(map(len, contents.values())) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
