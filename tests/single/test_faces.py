"""precision="single" of both faces, trace and kernelpick run: kept, saved, merged, or refused in a sentence."""

import numpy as np
import pytest
from sklearn.base import clone
from streaming_commands import run, write_numbers

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, load, river
from kernelpick.budget.batches import BATCHES
from kernelpick.budget.calibration import Unsized

ALONE = {"forgetting": 1.0, "companions": ()}


def stream(rows=700, columns=4, seed=0):
    X = np.random.default_rng(seed).normal(size=(rows, columns))
    return X, np.sin(2 * X[:, 0]) + X[:, 1]


REGRESSORS = [
    pytest.param(KernelRegressor("rf-oks++", n_features=50, precision="single", random_state=0), id="rf-oks++"),
    pytest.param(  # which is compiled for these tests alone
        KernelRegressor(n_features=16, precision="single", random_state=0, **ALONE), id="auto", marks=pytest.mark.long
    ),
]


@pytest.mark.parametrize("model", REGRESSORS)
def test_saved_in_the_middle_it_goes_on_as_if_nothing_had_happened(model, tmp_path):
    X, y = stream()
    whole = clone(model).partial_fit(X, y)
    half = clone(model).partial_fit(X[:400], y[:400])
    half.save(tmp_path / "half.kpick")
    loaded = load(tmp_path / "half.kpick")
    assert loaded.precision == "single" and loaded._model.spec.precision == "single"
    assert np.array_equal(loaded.partial_fit(X[400:], y[400:]).predict(X), whole.predict(X))
    assert whole.memory_bytes_ < clone(model).set_params(precision="double").partial_fit(X, y).memory_bytes_


@pytest.mark.parametrize("model", REGRESSORS)
def test_it_learns_what_a_double_learns(model):
    X, y = stream()
    double = clone(model).set_params(precision="double")
    one, other = (each.partial_fit(X, y) for each in (model, double))
    assert one.loss_ == pytest.approx(other.loss_, rel=0.01)


@pytest.mark.parametrize("model", REGRESSORS)
def test_shards_are_merged(model):
    X, y = stream(1400)
    start = clone(model).partial_fit(X[:600], y[:600]).blank()
    shards = [start.blank().partial_fit(X[i::2], y[i::2]) for i in range(2)]
    merged = kernelpick.merge(shards)
    kinds = [{name: array.dtype for name, array in vars_of(one).items()} for one in (merged, shards[0])]
    assert kinds[0] == kinds[1]
    assert np.isfinite(merged.partial_fit(X, y).predict(X)).all()


def vars_of(model):
    from kernelpick.core.state import arrays

    return arrays(model._model.state)


def test_a_single_and_a_double_are_not_merged():
    X, y = stream(100)
    models = [
        KernelRegressor("rf-oks++", n_features=50, precision=precision, random_state=0).fit(X, y)
        for precision in ("double", "single")
    ]
    with pytest.raises(ValueError, match=r"models\[1\] has precision = 'single' where models\[0\] has 'double'"):
        kernelpick.merge(models)


def test_a_file_of_a_double_says_so(tmp_path):
    X, y = stream(50)
    KernelRegressor("rf-oks++", random_state=0).fit(X, y).save(tmp_path / "model.kpick")
    assert load(tmp_path / "model.kpick").precision == "double"


def test_classes_that_come_late():
    X, _ = stream(300)
    y = np.array(["a", "b", "c"])[(X[:, 0] > 0) * 1 + (X[:, 1] > 1)]
    y[:100] = np.where(y[:100] == "c", "a", y[:100])
    model = KernelClassifier(
        "rf-oks++", n_features=50, new_classes="accept", precision="single", random_state=0
    ).partial_fit(X[:100], y[:100], classes=["a", "b"])
    model.partial_fit(X[100:], y[100:])
    assert set(model.classes_) == {"a", "b", "c"} and vars_of(model)["space.weights"].dtype == np.float32


def test_river_row_by_row_is_a_batch_of_scikit_learn():
    X, y = stream(80)
    names = [f"x{i}" for i in range(4)]
    rows = river.KernelRegressor("rf-oks++", n_features=50, precision="single", seed=0)
    for x, target in zip(X, y, strict=True):
        rows.learn_one(dict(zip(names, x.tolist(), strict=True)), target)
    assert rows._model.state.space.weights.dtype == np.float32
    assert rows.clone().precision == "single"
    rows.learn_one({"x0": 1.0, "new": 2.0}, 0.0)  # a column that comes late
    assert rows._model.state.space.frequencies.dtype == np.float32


@pytest.mark.parametrize(("given", "sentence"), [
    ({"algorithm": "oks++", "precision": "single"}, "precision='single' is for random features, and oks.. has none"),
    ({"precision": "half"}, "Unknown precision"),
])  # fmt: skip
def test_refusals(given, sentence):
    X, y = stream(20)
    with pytest.raises(ValueError, match=sentence):
        KernelRegressor(**given).fit(X, y)
    with pytest.raises(ValueError, match=sentence):
        kernelpick.trace(given.get("algorithm", "rf-oks++"), X, y, loss="square", precision=given["precision"])


def test_a_calibration_is_of_a_precision():
    asked = [
        Unsized(KernelRegressor("rf-oks++", precision=precision).get_params(), False, 18, 1).asked(BATCHES)
        for precision in ("double", "single")
    ]
    assert asked[0] != asked[1]


def test_a_run_from_the_shell(tmp_path, capsys):
    source, model = write_numbers(tmp_path / "rows.csv"), tmp_path / "model.kpick"
    common = (source, "--target", "y", "--model", model)
    assert run(*common, "--precision", "single") == 0
    assert load(model).precision == "single"
    assert run(*common, "--resume") == 2
    assert "was begun with --precision single, now it is no --precision" in capsys.readouterr().err
    assert run(*common, "--precision", "some", "--overwrite") == 2
    assert "Unknown precision" in capsys.readouterr().err
