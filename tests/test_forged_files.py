"""Model files that were altered: refused, or of no harm."""

import hashlib
import json
from functools import cache

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelRegressor, ModelFileError
from kernelpick.core.numerics.panels import dense
from kernelpick.files.container import SEAL, START, from_bytes, seal

RNG = np.random.default_rng(2)
X = RNG.normal(size=(400, 3))
Y = 7 + 5 * np.sin(X[:, 0])


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
    return model.to_bytes()


def test_a_mutated_file_is_never_a_model():
    whole, rng = content(), np.random.default_rng(0)
    assert from_bytes(whole).n_rounds_ == 70
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
                from_bytes(bytes(bad))


@pytest.mark.long
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
            model = from_bytes(bytes(bad) + hashlib.sha256(bad).digest())
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
    return seal(header, arrays)


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
                use(from_bytes(forge(lambda header, arrays: arrays[name].flat.__setitem__(at, value), algorithm)))  # noqa: B023
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
    assert from_bytes(forge(lambda header, arrays: None)).n_rounds_ == 70
    with pytest.raises(ModelFileError):
        from_bytes(forge(change))


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

    model = from_bytes(forge(before, "auto"))
    assert model._model.plan.auto_features is False and type(model._model.state.selector.hypotheses) is float
    assert np.isfinite(model.progressive_fit(X, Y)).all()


def test_matrices_that_are_symmetric_but_for_rounding_become_so():
    """As those of models that were merged by early versions; a single row reads half of a matrix, a batch all of it."""

    def rounded(header, arrays):
        arrays["state.learner.P"] *= 1.0 + 1e-15 * RNG.integers(-4, 5, arrays["state.learner.P"].shape)

    file = forge(rounded, "auto")
    one, many = from_bytes(file), from_bytes(file)
    for P in map(dense, one._model.state.learner.P):
        assert np.array_equal(P, P.T)
    single = np.concatenate([one.progressive_fit(X[t : t + 1], Y[t : t + 1]) for t in range(80)])
    assert np.array_equal(single, many.progressive_fit(X[:80], Y[:80]))
