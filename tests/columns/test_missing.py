"""What is missing or absent, in both faces: a mean and an indicator, zero, or refused."""

import pickle

import numpy as np
import pytest

pytest.importorskip("river")
pandas = pytest.importorskip("pandas")

from mixed_table import mixed  # noqa: E402

from kernelpick import KernelClassifier, KernelRegressor  # noqa: E402
from kernelpick import river as streams  # noqa: E402

FRAME, Y = mixed(700)
LABELS = np.where(Y > np.median(Y), "high", "low")
SMALL = {"n_features": 20}
pytestmark = pytest.mark.filterwarnings("ignore:The column 'id' is ignored")


def test_an_absent_key_is_missing_where_the_column_is_mostly_there():
    def said(missing, rows):
        model = streams.KernelRegressor("rf-oks++", seed=0, missing=missing, **SMALL)
        for t in range(rows):
            model.learn_one({"a": float(t % 3), "b": 300.0 + t % 5}, float(t % 5))
        return model

    model = said(None, 60)
    model.learn_one({"a": 1.0}, 1.0)
    assert model.inputs_["b"] == ["b", "b is missing"]
    sparse = streams.KernelRegressor("rf-oks++", seed=0, **SMALL)
    for t in range(60):
        sparse.learn_one({f"word{t % 10}": 1.0}, 1.0)
    assert all(len(inputs) == 1 for inputs in sparse.inputs_.values())
    few = said(None, 7)
    few.learn_one({"a": 1.0}, 1.0)
    assert few.inputs_["b"] == ["b"]
    always = said("mean", 1)
    always.learn_one({"a": 1.0}, 1.0)
    assert always.inputs_["b"] == ["b", "b is missing"]
    zero = said("zero", 60)
    zero.learn_one({"a": 1.0, "b": None}, 1.0)
    assert zero.inputs_["b"] == ["b"]
    assert (
        zero.predict_one({"a": 1.0}) == zero.predict_one({"a": 1.0, "b": 0.0}) == zero.predict_one({"a": 1, "b": None})
    )


def test_what_is_missing_may_be_refused():
    model = streams.KernelRegressor(seed=0, missing="raise", **SMALL)
    with pytest.raises(ValueError, match="'b' is missing; replace"):
        model.learn_one({"a": 1.0, "b": None}, 1.0)
    assert model._model is None
    for _ in range(20):
        model.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    model.learn_one({"a": 1.0, "b": 2.0, "c": 3.0}, 1.0)
    before = pickle.dumps(model)
    for x in ({"a": 1.0}, {"a": 1.0, "b": float("nan")}):
        for call in (lambda x: model.learn_one(x, 1.0), model.predict_one, model.ask):
            with pytest.raises(ValueError, match="'b' is missing; replace"):
                call(x)
    with pytest.raises(ValueError, match="'a' is missing in row 1; replace"):
        model.learn_many(pandas.DataFrame({"a": [1.0, None], "b": 2.0}), pandas.Series([1.0, 2.0]))
    assert pickle.dumps(model) == before
    model.learn_one({"a": 1.0, "b": 2.0}, 1.0)  # c was there once: its absence is nothing
    with pytest.raises(ValueError, match="'a' is missing in row 350"):
        KernelRegressor(missing="raise").fit(FRAME.assign(a=[1.0] * 350 + [None] * 350, b=1.0, c=1.0), Y)
    for estimator in (KernelRegressor(missing="median"), KernelClassifier(missing=3)):
        with pytest.raises(ValueError, match="Unknown missing"):
            estimator.fit(FRAME, LABELS if isinstance(estimator, KernelClassifier) else Y)


def test_arrays_refuse_what_is_missing_unless_told():
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 3)) < 0.1, np.nan, rng.normal(size=(200, 3)))
    y = np.nan_to_num(X).sum(1)
    for missing in (None, "raise"):
        with pytest.raises(ValueError, match="NaN"):
            KernelRegressor(missing=missing).fit(X, y)
    zero = KernelRegressor(random_state=0, missing="zero", **SMALL).fit(X, y)
    plain = KernelRegressor(random_state=0, **SMALL).fit(np.nan_to_num(X), y)
    sparse = KernelRegressor(random_state=0, missing="zero", **SMALL).fit(csr_matrix(X), y)
    assert (zero.predict(X) == plain.predict(np.nan_to_num(X))).all()
    assert (sparse.predict(csr_matrix(X)) == zero.predict(X)).all() and np.isnan(X).any()
    mean, other = (KernelRegressor(random_state=0, missing="mean", **SMALL) for _ in range(2))
    mean.fit(X, y)
    other.fit(csr_matrix(X), y)
    assert {name: set(inputs) for name, inputs in mean.inputs_.items()} == {
        i: {f"{i}", f"{i} is missing"} for i in range(3)
    }
    assert (mean.predict(X) == other.predict(csr_matrix(X))).all() and mean.score(X, y) > 0.9


def test_a_prediction_does_not_depend_on_the_rows_beside_it():
    """With 10 rows of 19, the column is mostly there; one more row without it, and it would not be."""
    model = streams.KernelRegressor("rf-oks++", seed=0, kernels=[1.0], scale=None, scale_target=False, **SMALL)
    for t in range(19):
        model.learn_one({"a": float(t % 3)} | ({"b": 1.0 + t} if t < 10 else {}), float(t % 5))
    assert model.inputs_["b"] == ["b", "b is missing"]
    many = model.predict_many(pandas.DataFrame({"a": [1.0] * 5}))
    assert many.tolist() == [model.predict_one({"a": 1.0})] * 5
