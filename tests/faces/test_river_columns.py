"""Columns of River: they come and go, have any plain name, and decide on learner and features."""

import enum

import numpy as np
import pytest

pytest.importorskip("river")
pandas = pytest.importorskip("pandas")

import kernelpick  # noqa: E402
from kernelpick.core.algorithms import ALGORITHMS  # noqa: E402
from kernelpick.river import KernelClassifier, KernelRegressor  # noqa: E402

SMALL = {"n_features": 30, "seed": 1}
RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
ROWS = [dict(zip(["a", "b", "c"], map(float, x), strict=True)) for x in X]
Y = [float(7 + 5 * np.sin(x[0])) for x in X]


class Columns(str, enum.Enum):  # noqa: UP042 (its repr and str differ from those of its value)
    a = "a"
    b = "b"
    c = "c"


def test_features_come_and_go():
    """Where nothing is scaled, a column that is not there yet is one that was zero."""
    sparse, dense, shuffled = (KernelRegressor("rf-oks++", **SMALL, scale=None, missing="zero") for _ in range(3))
    for t, (x, y) in enumerate(zip(ROWS, Y, strict=True)):
        full = {**x, "b": 0.0} if t < 70 else x
        part = {name: value for name, value in full.items() if value != 0.0}
        dense.learn_one({**full, "d": 0.0}, y)
        sparse.learn_one(part, y)
        shuffled.learn_one(dict(reversed(part.items())), y)
    said = [sparse.predict_one(x) for x in ROWS]
    assert said == [shuffled.predict_one(dict(reversed(x.items()))) for x in ROWS]
    assert said == pytest.approx([dense.predict_one(x) for x in ROWS], rel=1e-6)
    assert sparse.predict_one({"a": 1.0}) == sparse.predict_one({"a": 1.0, "b": 0, "never seen": 9.0, "c": 0.0})
    assert sparse.predict_one({}) == sparse.predict_one({"a": 0.0})


@pytest.mark.parametrize("algorithm", ["rf-oks++", "oks++"])
def test_many_features_one_by_one(algorithm):
    model = KernelClassifier(algorithm=algorithm, **SMALL, kernels=(1.0, kernelpick.Laplacian(3.0)))
    for t in range(80):
        model.learn_one({f"word{t % 40}": 1.0, t % 7: 2.0}, t % 3)
    assert len(model._model.names) == 47 and model.predict_one({"word3": 1.0}) in (0, 1, 2)


def test_orthogonal_features_need_a_fixed_set():
    model = KernelRegressor(**SMALL, orthogonal=True)
    for x, y in zip(ROWS, Y, strict=True):
        model.learn_one(x, y)
    with pytest.raises(ValueError, match="'d' is new"):
        model.learn_one({"d": 1.0}, 1.0)


@pytest.mark.parametrize("kind", [np.str_, Columns], ids=["numpy", "enum"])
@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_names_are_plain_values(tmp_path, algorithm, kind):
    """Frequencies follow from a name: from the same one, whatever type it came as, and in a file."""
    plain, other = KernelRegressor(algorithm, **SMALL), KernelRegressor(algorithm, **SMALL)
    for t, (x, y) in enumerate(zip(ROWS, Y, strict=True)):
        part = x if t > 70 else {"a": x["a"]}
        plain.learn_one(part, y)
        other.learn_one({kind(name): value for name, value in part.items()}, y)
        if t == 50:
            other.save(tmp_path / "model")
            loaded = kernelpick.load(tmp_path / "model")
    for x, y in zip(ROWS[51:], Y[51:], strict=True):
        loaded.learn_one(x if x is not ROWS[51] and ROWS.index(x) > 70 else {"a": x["a"]}, y)
    said = [plain.predict_one(x) for x in ROWS]
    assert [other.predict_one(x) for x in ROWS] == said == [loaded.predict_one(x) for x in ROWS]
    assert all(type(name) is str for name in other._model.names)


def test_numbers_and_pairs_as_names_are_plain_too():
    model = KernelRegressor(**SMALL)
    model.learn_one({np.int64(3): 1.0, ("a", np.str_("b")): 2.0, np.bool_(True): 1.0}, 1.0)
    assert sorted(map(repr, model._model.names)) == ["('a', 'b')", "3", "True"]


def test_columns_that_are_there_decide_on_the_learner():
    """Room is made in advance, for more columns than newton takes: that must not turn it into its diagonal."""
    model = KernelRegressor(n_features=8, seed=1, orthogonal=False, kernels=[1.0])
    names = [f"c{i}" for i in range(1001)]

    def learn(count):
        model.learn_one(dict.fromkeys(names[:count], 1.0), 1.0)
        return model.learner_

    for _ in range(10):
        learn(700)
    assert [learn(count) for count in (712, 999, 1000, 1001)] == ["newton", "newton", "newton", "diagonal"]
    assert model._model.spec.n_inputs >= 1001


def test_each_fit_chooses_the_number_of_features_by_the_columns_there_are(tmp_path):
    chosen, given = KernelRegressor(seed=1), KernelRegressor(seed=1, n_features=40)
    wide = {f"c{i}": float(i % 3) for i in range(100)}
    counts = []
    for t, (x, y) in enumerate(zip(ROWS, Y, strict=True)):
        for model in (chosen, given):
            model.learn_one(x if t < 20 else x | wide, y)
        if t == 30:
            chosen.save(tmp_path / "model")
            loaded = kernelpick.load(tmp_path / "model")
        elif t > 30:
            loaded.learn_one(x | wide, y)
        counts.append(chosen.n_features_used_)
        assert given.n_features_used_ == 40
    three, many = (ALGORITHMS["auto"].features_for(columns) for columns in (3, 103))
    assert three > many and counts == [three] * 63 + [many] * 87  # the fit with 64 rows, and not the new columns
    assert [loaded.predict_one(x) for x in ROWS] == [chosen.predict_one(x) for x in ROWS]
