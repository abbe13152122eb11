"""The River face."""

import pickle

import numpy as np
import pytest

pytest.importorskip("river")
pandas = pytest.importorskip("pandas")

from river import checks, compose, datasets, evaluate, metrics  # noqa: E402

import kernelpick  # noqa: E402
from kernelpick.river import KernelClassifier, KernelRegressor  # noqa: E402

SMALL = {"n_features": 30, "seed": 1}
RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
ROWS = [dict(zip(["a", "b", "c"], map(float, x), strict=True)) for x in X]
Y = [float(7 + 5 * np.sin(x[0])) for x in X]
LABELS = ["up" if x[0] > 0.5 else "down" if x[0] < -0.5 else "flat" for x in X]


OTHERS = [pytest.param(name, marks=pytest.mark.long) for name in ("oks++", "raker")]


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++", *OTHERS])
@pytest.mark.parametrize("estimator", [KernelRegressor, KernelClassifier])
def test_passes_rivers_checks(estimator, algorithm):
    checks.check_estimator(estimator(algorithm=algorithm, n_features=20))


def test_what_it_takes_is_its_own():
    """River goes from object to object, and would come to what all models share, and to weak references to nothing."""
    model = KernelRegressor(**SMALL)
    assert 0 < model._raw_memory_usage < 5_000
    for x, y in zip(ROWS, Y, strict=True):
        model.learn_one(x, y)
    assert model.memory_bytes_ < model._raw_memory_usage < model.memory_bytes_ + 5_000
    assert model._memory_usage.endswith("iB")


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++", "oks++"])
def test_learn_many_is_the_loop(algorithm):
    for estimator, targets in ((KernelRegressor, Y), (KernelClassifier, LABELS)):
        one, many = estimator(algorithm=algorithm, **SMALL), estimator(algorithm=algorithm, **SMALL)
        for x, y in zip(ROWS, targets, strict=True):
            one.learn_one(x, y)
        frame = pandas.DataFrame(ROWS)
        for start, stop in ((0, 1), (1, 60), (60, 150)):
            many.learn_many(frame[start:stop], pandas.Series(targets[start:stop]))
        assert [one.predict_one(x) for x in ROWS] == many.predict_many(frame).tolist()
        assert one.loss_ == many.loss_ and one.n_rounds_ == many.n_rounds_ == 150


def test_bad_values_are_refused_and_change_nothing():
    model = KernelRegressor(**SMALL)
    for x, y in zip(ROWS, Y, strict=True):
        model.learn_one(x, y)
    before = pickle.dumps(model)
    for x, y in (
        ({"a": float("-inf")}, 1.0),
        ({"a": b"text"}, 1.0),
        ({"new": [1.0]}, 1.0),
        ({"a": 1.0, "b": 1.0, "c": object()}, 1.0),
        ({"a": 1.0, "b": float("inf"), "c": 1.0}, 1.0),
        ({"a": 1.0}, float("nan")),
        ({"a": 1.0}, "high"),
    ):
        with pytest.raises(ValueError, match=r"where a finite number is expected|y is nan, so"):
            model.learn_one(x, y)
    with pytest.raises(ValueError, match="'b' is inf in row 1, where"):
        model.learn_many(pandas.DataFrame({"a": [1.0, 2.0], "b": [1.0, np.inf]}), pandas.Series([1.0, 2.0]))
    assert pickle.dumps(model) == before


def test_texts_that_look_like_numbers_are_texts():
    """In a frame as in a dict."""
    model = KernelRegressor(**SMALL)
    model.learn_many(pandas.DataFrame(ROWS[:50]), pandas.Series(Y[:50]))
    before = pickle.dumps(model)
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [1, 2]})
    for targets in (["1.5", "2.5"], [1.5, "2.5"], [1.5, None], [1.5, np.inf], [1.5, 1j]):
        with pytest.raises(ValueError, match=r"where a finite number is expected|y\[1\] is nan, so|must be real"):
            model.learn_many(frame, pandas.Series(targets))
    assert pickle.dumps(model) == before
    model.learn_many(frame.astype(object), pandas.Series([1, True], dtype=object))
    assert model.n_rounds_ == 52
    for column in (["1.5", "2.5"], [1.5, "2.5"]):
        model.learn_many(frame.assign(b=column), pandas.Series([1.0, 2.0]))
    assert model.inputs_["b"] == ["b", "b=1.5", "b=2.5"]


def test_a_row_has_one_label():
    model = KernelClassifier(**SMALL)
    model.learn_one(ROWS[0], "up")
    ticket, before = model.ask(ROWS[0]), pickle.dumps(model)
    for call in (lambda y: model.learn_one(ROWS[1], y), lambda y: model.tell(ticket, y)):
        for several in ([1, 0, 7], np.array(["up"])):
            with pytest.raises(ValueError, match="one label"):
                call(several)
    with pytest.raises(ValueError, match="finite number"):
        regressor = KernelRegressor(**SMALL)
        regressor.tell(regressor.ask(ROWS[0]), [1, 0, 7])
    assert pickle.dumps(model) == before


def test_probabilities_before_there_are_kernels_are_shares_of_the_classes():
    model = KernelClassifier(**SMALL)
    for label in ("up", "down", "up"):
        model.learn_one(ROWS[0], label)
    assert model.predict_proba_one(ROWS[1]) == pytest.approx({"up": 3 / 5, "down": 2 / 5})
    model.learn_one(ROWS[0], "flat")
    assert model.predict_proba_one(ROWS[1]) == pytest.approx({"up": 3 / 7, "down": 2 / 7, "flat": 2 / 7})
    assert model.predict_proba_many(pandas.DataFrame(ROWS[:2])).to_numpy()[1] == pytest.approx([3 / 7, 2 / 7, 2 / 7])


def test_before_anything_is_learned():
    assert KernelRegressor().predict_one({"a": 1.0}) == 0.0
    assert KernelClassifier().predict_one({"a": 1.0}) is None
    assert KernelClassifier().predict_proba_one({"a": 1.0}) == {}
    with pytest.raises(NotImplementedError):
        KernelClassifier(loss="hinge", algorithm="rf-ioks").predict_proba_one({"a": 1.0})


def test_progressive_validation_with_and_without_delay():
    accuracy = evaluate.progressive_val_score(datasets.Phishing(), KernelClassifier(**SMALL), metrics.Accuracy())
    assert accuracy.get() > 0.8
    model = compose.Discard("user") | KernelRegressor(**SMALL)
    error = evaluate.progressive_val_score(
        ((x, y) for x, y in datasets.TrumpApproval()), model, metrics.MAE(), moment=None, delay=20
    )
    assert error.get() < 3.5


def test_tickets():
    told, plain = KernelClassifier(**SMALL), KernelClassifier(**SMALL)
    for x, label in zip(ROWS, LABELS, strict=True):
        told.tell(told.ask(x), label)
        plain.learn_one(x, label)
    assert [told.predict_proba_one(x) for x in ROWS] == [plain.predict_proba_one(x) for x in ROWS]
    late = [told.ask(x) for x in ROWS]
    told.learn_one({"later": 3.0}, "new")
    for ticket, label in zip(reversed(late), reversed(LABELS), strict=True):
        told.tell(ticket, label)
    assert told.n_rounds_ == 301
    with pytest.raises(ValueError, match="is closed"):
        told.drop(late[0])


def test_weights():
    one, other = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    for x, y in zip(ROWS, Y, strict=True):
        one.learn_one(x, y)
        other.learn_one(x, y, w=1)
        other.learn_one(x, 1e9, w=0)
    assert one.predict_one(ROWS[0]) == other.predict_one(ROWS[0])


def test_saved_and_loaded(tmp_path):
    for estimator, targets in ((KernelRegressor, Y), (KernelClassifier, LABELS)):
        model = estimator(**SMALL)
        for x, y in zip(ROWS[:90], targets, strict=False):
            model.learn_one(x, y)
        ticket = model.ask(ROWS[0])
        model.save(tmp_path / "model")
        loaded = kernelpick.load(tmp_path / "model")
        for twin in (model, loaded):
            twin.tell(ticket, targets[0])
            twin.learn_one({"d": 1.0, "a": 0.5}, targets[1])
            for x, y in zip(ROWS[90:], targets[90:], strict=True):
                twin.learn_one(x, y)
        assert [model.predict_one(x) for x in ROWS] == [loaded.predict_one(x) for x in ROWS]


def test_polars_frames():
    polars = pytest.importorskip("polars")
    model, other = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    model.learn_many(polars.DataFrame(ROWS), polars.Series(Y))
    other.learn_many(pandas.DataFrame(ROWS), pandas.Series(Y))
    assert model.predict_many(polars.DataFrame(ROWS)).to_list() == other.predict_many(pandas.DataFrame(ROWS)).tolist()
