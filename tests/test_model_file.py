"""Saved models: the same later, whole or refused."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, ModelFileError
from kernelpick.algorithms import PAPER
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


def content(algorithm="rf-oks++"):
    model = KernelRegressor(algorithm, n_features=4, random_state=0, kernels=[1.0, 2.0]).partial_fit(X[:70], Y[:70])
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


@pytest.mark.parametrize("algorithm", ["rf-oks++", "oks++"])
def test_a_forged_checksum_does_not_help(algorithm):
    """Header or numbers altered and sealed again: refused, or a model that predicts without a crash."""
    whole, rng = content(algorithm), np.random.default_rng(1)
    end = START.size + START.unpack_from(whole)[2]
    refused = 0
    for _ in range(1500):
        bad = bytearray(whole[:-SEAL])
        at = int(rng.integers(START.size, end if rng.random() < 0.7 else len(bad)))
        bad[at] = int(rng.choice(list(b'0123456789-"[]{}e.,')) if at < end else rng.integers(256))
        try:
            loads(bytes(bad) + hashlib.blake2b(bad, digest_size=SEAL).digest())
        except ModelFileError:
            refused += 1
    assert refused > 300


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


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: arrays["state.space.following"].fill(0),  # a chain that never ends
        lambda header, arrays: arrays["state.space.chains"].fill(10**9),
        lambda header, arrays: arrays["state.space.used"].fill(-5),
        lambda header, arrays: arrays["state.space.family"].fill(77),
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


@pytest.mark.parametrize("name", ["regressor-1", "classifier-1"])
def test_files_of_earlier_versions_load(name):
    """Written by version 0.1.0; never to be written again."""
    model = kernelpick.load(KEPT / f"{name}.kpick")
    expected = json.loads((KEPT / f"{name}.json").read_text())
    values = model.predict(expected["rows"]) if "reg" in name else model.decision_function(expected["rows"])
    assert np.allclose(values, expected["values"], rtol=1e-12, atol=1e-12)
    assert model.n_rounds_ == expected["n_rounds"]
