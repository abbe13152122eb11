"""Saved models: the same later, whole or refused."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.algorithms import PAPER

RNG = np.random.default_rng(2)
X = RNG.normal(size=(400, 3))
Y = 7 + 5 * np.sin(X[:, 0])
LABELS = np.where(X[:, 0] > 0.5, "a", np.where(X[:, 1] > 0, "b", "c"))
SMALL = {"n_features": 20, "random_state": 0}
KEPT = Path(__file__).parent / "data"


@pytest.mark.parametrize("algorithm", [*PAPER, "auto", "leader", "leader-adagrad", "rf-oks++-newton"])
def test_a_loaded_model_goes_on_as_if_never_saved(tmp_path, algorithm):
    for rounds in (20, 150):  # while rows are held back, and later
        model = KernelRegressor(algorithm, **SMALL).partial_fit(X[:rounds], Y[:rounds])
        open_ticket, other = model.ask(X[0]), model.ask(X[1])
        model.save(tmp_path / "model")
        loaded = kernelpick.load(tmp_path / "model")
        assert loaded.get_params() == model.get_params()
        for twin in (model, loaded):
            twin.tell(other, 3.0)
        assert (model.predict(X) == loaded.predict(X)).all()
        assert (model.progressive_fit(X, Y) == loaded.progressive_fit(X, Y)).all()
        assert (model.loss_, model.n_rounds_) == (loaded.loss_, loaded.n_rounds_)
        assert model.tell(open_ticket, 1.0).predict(X[:1]) == loaded.tell(open_ticket, 1.0).predict(X[:1])


@pytest.mark.parametrize("algorithm", ["bao2ks", "rf-bao2ks"])
def test_a_loaded_classifier_of_two_hypotheses_goes_on_too(tmp_path, algorithm):
    """With its reservoir, open tickets of two players each, and classes one against the rest."""
    for rounds in (20, 150):
        model = KernelClassifier(algorithm, loss="hinge", **SMALL)
        model.partial_fit(X[:rounds], LABELS[:rounds], classes=["a", "b", "c"])
        ticket = model.ask(X[0])
        model.save(tmp_path / "model")
        loaded = kernelpick.load(tmp_path / "model")
        for twin in (model, loaded):
            twin.tell(ticket, "b")
        assert (model.progressive_fit(X, LABELS) == loaded.progressive_fit(X, LABELS)).all()
        assert (model.decision_function(X) == loaded.decision_function(X)).all() and model.loss_ == loaded.loss_


def test_in_a_new_process(tmp_path):
    model = KernelClassifier(**SMALL, kernels=[kernelpick.Laplacian(2.0), kernelpick.Matern32(1.0), 0.5])
    model.partial_fit(X[:100], LABELS[:100], classes=["a", "b", "c"])
    model.save(tmp_path / "model")
    np.savez(tmp_path / "rows", X=X, LABELS=LABELS)
    code = (
        "import kernelpick, numpy as np; rows = np.load('rows.npz'); model = kernelpick.load('model');"
        "said = model.progressive_fit(rows['X'][100:], rows['LABELS'][100:]);"
        "np.savez('said', said=said, values=model.decision_function(rows['X']))"
    )
    home = {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env=os.environ | home)
    there = np.load(tmp_path / "said.npz")
    assert (model.progressive_fit(X[100:], LABELS[100:]) == there["said"]).all()
    assert (model.decision_function(X) == there["values"]).all()


RIVER = """
import sys
{before}
import kernelpick
try:
    print(type(kernelpick.load("model")).__module__)
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", "kernelpick.river.regressor"),
        (
            "sys.modules['river'] = None",
            "model: this file holds a model for river, which is not installed: pip install",
        ),
    ],
)
def test_a_model_of_river_in_a_process_that_only_knows_kernelpick(tmp_path, before, said):
    river = pytest.importorskip("kernelpick.river")
    model = river.KernelRegressor(n_features=4, seed=0)
    model.learn_one({"a": 1.0}, 2.0)
    model.save(tmp_path / "model")
    home = {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    code = [sys.executable, "-c", RIVER.format(before=before)]
    run = subprocess.run(code, cwd=tmp_path, check=True, env=os.environ | home, capture_output=True, text=True)
    assert run.stdout.startswith(said)


def test_names_of_modules_do_not_hide_public_names():
    """Nor does importing a face bring the other one."""
    code = (
        "import sys, kernelpick, kernelpick.tracing, kernelpick.sklearn, kernelpick.files.container, sklearn;"
        "assert callable(kernelpick.trace) and callable(kernelpick.load) and kernelpick.Trace.__name__ == 'Trace';"
        "assert sklearn.__version__ and kernelpick.sklearn.KernelRegressor is kernelpick.KernelRegressor;"
        "assert 'river' not in sys.modules and 'kernelpick.river' not in sys.modules"
    )
    home = {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | home)


def test_parameters_and_names_are_kept(tmp_path):
    pandas = pytest.importorskip("pandas")
    model = KernelRegressor(kernels=(kernelpick.Cauchy(1.0), 3), radius=2.5, **SMALL)
    model.fit(pandas.DataFrame(X, columns=["x", "y", "z"]), Y)
    model.save(tmp_path / "model")
    loaded = kernelpick.load(tmp_path / "model")
    assert loaded.get_params() == model.get_params()
    assert loaded.feature_names_in_.tolist() == ["x", "y", "z"]
    KernelRegressor(random_state=4).save(tmp_path / "model")  # replaced; and one that has learned nothing
    assert kernelpick.load(tmp_path / "model").get_params()["random_state"] == 4
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("name", ["regressor-1", "classifier-1"])
def test_files_of_earlier_versions_load(name):
    """Written by version 0.1.0; never to be written again."""
    model = kernelpick.load(KEPT / f"{name}.kpick")
    expected = json.loads((KEPT / f"{name}.json").read_text())
    values = model.predict(expected["rows"]) if "reg" in name else model.decision_function(expected["rows"])
    assert np.allclose(values, expected["values"], rtol=1e-12, atol=1e-12)
    assert model.n_rounds_ == expected["n_rounds"]
