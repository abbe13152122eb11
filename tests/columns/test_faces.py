"""Columns of any kind in both faces: the same rules, batch and row by row with the same bits, and across files."""

import datetime
import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("river")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

from mixed_table import mixed  # noqa: E402

import kernelpick  # noqa: E402
from kernelpick import KernelClassifier, KernelRegressor  # noqa: E402
from kernelpick import river as streams  # noqa: E402

FRAME, Y = mixed(700)
ROWS = FRAME.to_dict("records")
LABELS = np.where(Y > np.median(Y), "high", "low")
SMALL = {"n_features": 20}
ALGORITHMS = ["auto", "rf-oks++", "oks++"]
pytestmark = pytest.mark.filterwarnings("ignore:The column 'id' is ignored")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_frame_of_numbers_gives_the_bits_of_its_matrix(algorithm):
    X = np.random.default_rng(0).normal(size=(150, 3))
    y = X[:, 0] + np.sin(X[:, 1])
    for frame in (pandas.DataFrame(X, columns=["z", "a", "m"]), polars.DataFrame(X, schema=["z", "a", "m"])):
        plain, named = (KernelRegressor(algorithm, random_state=0, **SMALL) for _ in range(2))
        assert (plain.progressive_fit(X, y) == named.progressive_fit(frame, y)).all()
        assert (plain.fit(X, y).predict(X) == named.fit(frame, y).predict(frame)).all()
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            assert (named.predict(X) == plain.predict(X)).all()
        assert plain.inputs_ == {0: ["0"], 1: ["1"], 2: ["2"]} and named.inputs_ == {"z": ["z"], "a": ["a"], "m": ["m"]}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_cuts_do_not_matter_to_scikit_learns_face(algorithm, tmp_path):
    whole, cut = (KernelRegressor(algorithm, random_state=0, **SMALL) for _ in range(2))
    said, heard = whole.progressive_fit(FRAME, Y), []
    for start, stop in ((0, 1), (1, 2), (2, 40), (40, 300), (300, 530), (530, 700)):
        before = cut.predict(FRAME[start : start + 1], selection="drawn") if start else np.zeros(1)
        heard.append(cut.progressive_fit(FRAME[start:stop], Y[start:stop]))
        assert heard[-1][0] == before[0]
        if start == 300:
            cut.save(tmp_path / "model")
            cut = kernelpick.load(tmp_path / "model")
    assert (np.concatenate(heard) == said).all()
    assert (whole.predict(FRAME) == cut.predict(FRAME)).all()
    assert whole.inputs_ == cut.inputs_ and whole.n_features_in_ == 8
    assert (whole.predict(polars.DataFrame(FRAME.to_dict("list"))) == cut.predict(FRAME)).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", ["Regressor", "Classifier"])
def test_cuts_do_not_matter_to_rivers_face(algorithm, kind, tmp_path):
    one, many = (getattr(streams, f"Kernel{kind}")(algorithm, seed=0, **SMALL) for _ in range(2))
    targets = Y if kind == "Regressor" else LABELS
    for t, (x, y) in enumerate(zip(ROWS, targets, strict=True)):
        one.learn_one(dict(reversed(x.items())), y)
        if t == 400:
            one.save(tmp_path / "model")
            one = kernelpick.load(tmp_path / "model")
    for start, stop in ((0, 1), (1, 40), (40, 300), (300, 700)):
        many.learn_many(FRAME[start:stop], pandas.Series(targets[start:stop]))
    assert [one.predict_one(x) for x in ROWS] == many.predict_many(FRAME).tolist()
    assert {name: set(inputs) for name, inputs in one.inputs_.items()} == {
        name: set(inputs) for name, inputs in many.inputs_.items()
    }
    assert one.loss_ == many.loss_


def test_what_the_columns_became():
    model = streams.KernelRegressor(seed=0, **SMALL)
    row = {
        "city": "Oslo",
        "when": datetime.datetime(2024, 1, 1, 6),
        "on": True,
        "size": 3.0,
        "day": datetime.date(2024, 1, 1),
    }
    model.learn_one(row, 1.0)
    model.learn_one(row | {"size": None, "city": "Rome"}, 2.0)
    circles = ["day cosine", "day sine", "hour cosine", "hour sine"]
    assert model.inputs_ == {
        "city": ["city=Oslo", "city=Rome"],
        "when": ["when seconds", *(f"when {part}" for part in circles)],
        "on": ["on"],
        "size": ["size", "size is missing"],
        "day": ["day seconds", "day day cosine", "day day sine"],
    }


def test_predicting_changes_nothing():
    model, stream = KernelRegressor(random_state=0, **SMALL).fit(FRAME, Y), streams.KernelRegressor(seed=0, **SMALL)
    for x, y in zip(ROWS[:100], Y, strict=False):
        stream.learn_one(x, y)
    before = pickle.dumps(model), pickle.dumps(stream)
    strange = {"city": "never", "time": None, "weekend": "maybe", "a": "text", "b": 1.0, "c": 2, "size": None, "id": 7}
    model.predict(pandas.DataFrame([strange]))
    stream.predict_one(strange | {"new": 1.0})
    stream.predict_many(pandas.DataFrame([strange, strange]))
    assert (pickle.dumps(model), pickle.dumps(stream)) == before


def test_a_refused_row_changes_nothing():
    model, stream = KernelRegressor(random_state=0, **SMALL).fit(FRAME, Y), streams.KernelRegressor(seed=0, **SMALL)
    with pytest.raises(ValueError, match="'a' is"):
        stream.learn_one({"b": 1.0, "a": [1]}, 1.0)
    assert stream._model is None
    for x, y in zip(ROWS[:100], Y, strict=False):
        stream.learn_one(x, y)
    before = pickle.dumps(model), pickle.dumps(stream)
    bad = FRAME[:3].assign(city=["new", "newer", ["x"]])
    for call in (
        lambda: model.partial_fit(bad, Y[:3]),
        lambda: stream.learn_many(bad, pandas.Series(Y[:3])),
    ):
        with pytest.raises(ValueError, match=r"'city' is \['x'\] in row 2, where a finite number is expected"):
            call()
    with pytest.raises(ValueError, match=r"'city' is \['x'\] where"):
        stream.learn_one(ROWS[0] | {"new": 1.0, "city": ["x"]}, 1.0)
    assert (pickle.dumps(model), pickle.dumps(stream)) == before


def test_an_id_is_told_of_once():
    for model in (KernelRegressor(random_state=0, **SMALL), streams.KernelRegressor(seed=0, **SMALL)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if isinstance(model, KernelRegressor):
                model.partial_fit(FRAME[:650], Y[:650]).partial_fit(FRAME[650:], Y[650:])
            else:
                for x, y in zip(ROWS, Y, strict=True):
                    model.learn_one(x, y)
        assert [str(warning.message)[:27] for warning in caught] == ["The column 'id' is ignored "]
        assert model.inputs_["id"] == ["ignored: nearly all of its texts are different"]
        assert sum(getattr(name, "column", name) == "id" for name in model._model.names) == 16


def test_dates_are_no_numbers():
    dates = pandas.DataFrame({"when": pandas.date_range("2024", periods=100, freq="5h")})
    y = np.sin(2 * np.pi * dates.when.dt.hour.to_numpy() / 24)
    model = KernelRegressor(random_state=0).fit(dates, y)
    assert len(model.inputs_["when"]) == 5 and model.score(dates, y) > 0.95
    with pytest.raises(ValueError, match=r"datetime64.*no number; give a data frame"):
        KernelRegressor().fit(dates.to_numpy(), y)
    began = KernelRegressor(random_state=0).fit(np.arange(100.0)[:, None], y)
    with pytest.raises(ValueError, match="'when' must be numbers"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began.predict(dates)


def test_weights_of_nothing():
    """Rows that weigh nothing bear no input, but for the first of all."""
    weights = np.ones(100)
    weights[[0, 1, 2, 50, 51]] = 0.0
    model = KernelRegressor(random_state=0, **SMALL).partial_fit(FRAME[:100], Y[:100], weights)
    stream = streams.KernelRegressor(seed=0, **SMALL)
    for x, y, w in zip(ROWS, Y, weights, strict=False):
        stream.learn_one(x, y, w)
    words = {f"city={row['city']}" for row in ROWS[1:3]}
    for one in (model, stream):
        assert one.n_rounds_ == 95
        assert f"city={ROWS[0]['city']}" in one.inputs_["city"] and not words & set(one.inputs_["city"][:3])


def test_orthogonal_frequencies_need_what_the_first_row_has():
    first = FRAME[["time", "weekend", "size"]][:60]
    model = KernelRegressor("rf-oks++", random_state=0, orthogonal=True, **SMALL).partial_fit(first, Y[:60])
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="'size is missing' is new"):
        model.partial_fit(first.assign(size=[1.0] * 59 + [None]), Y[:60])
    assert pickle.dumps(model) == before


def test_tickets_have_the_inputs_of_their_rows():
    told, plain = (KernelRegressor(random_state=0, **SMALL) for _ in range(2))
    for t in range(120):
        told.tell(told.ask(FRAME[t : t + 1]), Y[t])
    plain.partial_fit(FRAME[:120], Y[:120])
    assert (told.predict(FRAME) == plain.predict(FRAME)).all()


def test_new_classes_in_a_frame():
    labels = np.array(["a", "b", "a", "c"] * 50)
    one, many = (KernelClassifier(random_state=0, new_classes="accept", **SMALL) for _ in range(2))
    said = many.partial_fit(FRAME[:1], labels[:1]).progressive_fit(FRAME[1:200], labels[1:])
    heard = [one.partial_fit(FRAME[:1], labels[:1])]
    heard = [one.progressive_fit(FRAME[t : t + 1], labels[t : t + 1])[0] for t in range(1, 200)]
    assert said.tolist() == heard
