"""Saved models: the same later, whole or refused."""

import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, ModelFileError
from kernelpick.core.algorithms import PAPER
from kernelpick.files.container import SEAL, START, loads, seal

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


def test_what_cannot_be_saved_is_refused(tmp_path):
    class Own(KernelRegressor):
        pass

    with pytest.raises(TypeError, match="Own can't be saved"):
        Own().save(tmp_path / "model")
    with pytest.raises(ValueError, match="can't be saved"):
        KernelRegressor(radius=object()).save(tmp_path / "model")
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileNotFoundError):
        kernelpick.load(tmp_path / "model")


@cache
def content(algorithm="rf-oks++", rounds=70):
    model = KernelRegressor(algorithm, n_features=4, random_state=0, kernels=[1.0, 2.0])
    model.partial_fit(X[:rounds], Y[:rounds])
    model.ask(X[0])
    return seal({"face": "sklearn.KernelRegressor"}, *model._pack())


def test_a_mutated_file_is_never_a_model():
    whole, rng = content(), np.random.default_rng(0)
    assert loads(whole).n_rounds_ == 70
    for _ in range(12_000):
        bad = bytearray(whole)
        kind = rng.integers(5)
        at, length = int(rng.integers(len(bad))), int(rng.integers(1, 40))
        if kind == 0:
            bad[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            del bad[at:]
        elif kind == 2:
            del bad[at : at + length]
        elif kind == 3:
            bad[at:at] = rng.bytes(length)
        else:
            bad[at : at + length] = rng.bytes(length)
        if bytes(bad) != whole:
            with pytest.raises(ModelFileError):
                loads(bytes(bad))


@pytest.mark.filterwarnings("ignore")  # numbers of any size may be in such a file, and overflow
@pytest.mark.parametrize("algorithm", ["rf-oks++", "oks++", "auto", "leader-adagrad"])
def test_a_forged_checksum_does_not_help(algorithm):
    """Header or numbers altered and sealed again: refused, or a model that predicts and learns without a crash."""
    whole, rng = content(algorithm), np.random.default_rng(1)
    end = START.size + START.unpack_from(whole)[2]
    refused = 0
    for _ in range(1500):
        bad = bytearray(whole[:-SEAL])
        at = int(rng.integers(START.size, end if rng.random() < 0.7 else len(bad)))
        bad[at] = int(rng.choice(list(b'0123456789-"[]{}e.,')) if at < end else rng.integers(256))
        try:
            model = loads(bytes(bad) + hashlib.blake2b(bad, digest_size=SEAL).digest())
        except ModelFileError:
            refused += 1
        else:
            use(model)
    assert 300 < refused < 1400


def use(model):
    """Predict, learn, and tell what is open: in no case may compiled code read or write where it must not."""
    rows = X[:5, : model.n_features_in_]
    assert model.predict(rows).shape == model.progressive_fit(rows, Y[:5]).shape == (5,)
    for number in list(model._model.desk.open):
        model.tell(number, 1.0)
    assert model.predict(rows).shape == (5,)


def forge(change, algorithm="oks++"):
    whole = content(algorithm)
    end = START.size + START.unpack_from(whole)[2]
    header = json.loads(whole[START.size : end])
    arrays = {}
    for name, dtype, shape, offset in header.pop("arrays"):
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(whole, dtype, count, end + offset).reshape(shape).copy()
    change(header, arrays)
    return seal({}, header, arrays)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("algorithm", ["rf-oks++", "oks++", "auto", "leader-adagrad"])
def test_every_integer_that_compiled_code_follows_is_checked(algorithm):
    """Each is set to what it can't be, one at a time; a file that is not refused is used."""
    found = {}
    forge(lambda header, arrays: found.update(arrays), algorithm)
    places = [(name, at) for name, array in found.items() if array.dtype == np.int64 for at in range(array.size)]
    refused = set()
    for name, at in places:
        for value in (-1, 10**6, 2**62 + 1):
            try:
                use(loads(forge(lambda header, arrays: arrays[name].flat.__setitem__(at, value), algorithm)))  # noqa: B023
            except ModelFileError:
                refused.add(name)
    assert "state.ledger.clock" in refused and "tickets.arm" in refused
    if algorithm in ("auto", "leader-adagrad"):
        assert {"state.selector.seat", "state.selector.playing", "state.selector.race"} <= refused
    assert algorithm != "auto" or "state.learner.waiting" in refused


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: arrays["state.space.following"].fill(0),  # a chain that never ends
        lambda header, arrays: arrays["state.space.chains"].fill(10**9),
        lambda header, arrays: arrays["state.space.used"].fill(-5),
        lambda header, arrays: arrays["tickets.arm"].fill(50),
        lambda header, arrays: arrays["state.ledger.clock"].fill(-1),
        lambda header, arrays: arrays.update({"inputs.table": arrays["inputs.table"][:, :1]}),
        lambda header, arrays: arrays.pop("state.selector.p"),
        lambda header, arrays: header.update(face="os.system"),
        lambda header, arrays: header["model"].update(draws=-1),
        lambda header, arrays: header["model"].update(held=3),
        lambda header, arrays: header["model"]["specification"].update(value=[["n_inputs", 10**15]]),
        lambda header, arrays: header["params"]["value"].append(["no_such_parameter", 1]),
    ],
)
def test_parts_that_do_not_fit_are_refused(change):
    assert loads(forge(lambda header, arrays: None)).n_rounds_ == 70
    with pytest.raises(ModelFileError):
        loads(forge(change))


def test_other_files_are_refused(tmp_path):
    for text in (b"", b"hello", b"\x93NUMPY" + bytes(200), content()[:100]):
        (tmp_path / "file").write_bytes(text)
        with pytest.raises(ModelFileError, match="file: "):
            kernelpick.load(tmp_path / "file")


def test_a_file_of_before_the_number_of_features_was_chosen_at_each_fit():
    """Its plan does not speak of that, and nothing is chosen anew; nor is a whole number of hypotheses a whole one."""

    def before(header, arrays):
        del header["model"]["plan"]["auto_features"]
        specification = header["model"]["specification"]["value"]
        specification[[name for name, _ in specification].index("hypotheses")][1] = 2

    model = loads(forge(before, "auto"))
    assert model._model.plan.auto_features is False and type(model._model.state.selector.hypotheses) is float
    assert np.isfinite(model.progressive_fit(X, Y)).all()


@pytest.mark.parametrize("name", ["regressor-1", "classifier-1"])
def test_files_of_earlier_versions_load(name):
    """Written by version 0.1.0; never to be written again."""
    model = kernelpick.load(KEPT / f"{name}.kpick")
    expected = json.loads((KEPT / f"{name}.json").read_text())
    values = model.predict(expected["rows"]) if "reg" in name else model.decision_function(expected["rows"])
    assert np.allclose(values, expected["values"], rtol=1e-12, atol=1e-12)
    assert model.n_rounds_ == expected["n_rounds"]
