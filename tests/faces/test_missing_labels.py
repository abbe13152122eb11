"""Labels that are missing, refused or passed over, and labels of different kinds; in both faces."""

import pickle
from datetime import date

import numpy as np
import pytest

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.state import arrays

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
river = pytest.importorskip("kernelpick.river")

RNG = np.random.default_rng(7)
X = RNG.normal(size=(120, 3))
Y = 7 + 5 * np.sin(X[:, 0])
LABELS = np.where(X[:, 0] > 0.5, "up", np.where(X[:, 0] < -0.5, "down", "flat"))
GONE = RNG.random(120) < 0.3
ROWS = [dict(zip("abc", map(float, x), strict=True)) for x in X]
FRAME = pandas.DataFrame(ROWS)
MISSING = [None, float("nan"), np.nan, np.float32("nan"), pandas.NA, pandas.NaT, np.datetime64("NaT")]
SMALL = {"n_features": 20, "random_state": 0}
STREAM = {"n_features": 20, "seed": 0}


def some_missing(targets, instead=None):
    return [instead if gone else target for target, gone in zip(np.asarray(targets).tolist(), GONE, strict=True)]


def same(one, other):
    one, other = one._model, other._model
    found, expected = arrays(one.state), arrays(other.state)
    return one.draws == other.draws and all(np.array_equal(found[name], expected[name]) for name in found)


@pytest.mark.parametrize("value", MISSING, ids=repr)
def test_a_missing_label_is_refused_in_one_sentence_and_nothing_changes(value):
    """In River each NaN was a class of its own."""
    for model, labels in ((KernelRegressor(**SMALL), Y), (KernelClassifier(**SMALL, new_classes="accept"), LABELS)):
        model.partial_fit(X[:60], labels[:60])
        ticket, before = model.ask(X[0]), pickle.dumps(model)
        bad = [labels[0], labels[1], value]
        for call in (model.fit, model.partial_fit, model.progressive_fit):
            with pytest.raises(ValueError, match=r"^y\[2\] is .*missing_label='skip'[^\n]*\.$"):
                call(X[:3], bad)
        with pytest.raises(ValueError, match=r"^y\[0\] is .*missing_label='skip'"):
            model.tell(ticket, value)
        assert pickle.dumps(model) == before
    for model, labels in ((river.KernelRegressor(**STREAM), Y.tolist()), (river.KernelClassifier(**STREAM), LABELS)):
        model.learn_many(FRAME[:60], labels[:60])
        ticket, before = model.ask(ROWS[0]), pickle.dumps(model)
        for call in (lambda model=model: model.learn_one({"new": 1.0}, value), lambda: model.tell(ticket, value)):  # noqa: B023
            with pytest.raises(ValueError, match=r"^y is .*missing_label='skip'"):
                call()
        with pytest.raises(ValueError, match=r"^y\[2\] is .*missing_label='skip'"):
            model.learn_many(FRAME[:3], [labels[0], labels[1], value])
        assert pickle.dumps(model) == before


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_rows_without_a_label_are_predicted_and_not_learned(algorithm):
    for estimator, targets in ((KernelRegressor, Y), (KernelClassifier, LABELS)):
        declared = {"classes": ["down", "flat", "up"]} if estimator is KernelClassifier else {}
        skipping, part, plain = (estimator(algorithm, **SMALL, missing_label="skip") for _ in range(3))
        said = skipping.progressive_fit(X, some_missing(targets), **declared)
        part.partial_fit(X, some_missing(targets), **declared)
        expected = plain.progressive_fit(X[~GONE], targets[~GONE], **declared)
        assert said.shape == (120,) and (said[~GONE] == expected).all()
        assert skipping.n_rounds_ == (~GONE).sum() and same(skipping, plain) and same(part, plain)
        assert skipping.progressive_fit(X[:1], [None])[0] == plain.predict(X[:1], selection="drawn")[0]
        assert same(skipping, plain)


def test_in_river_too():
    for estimator, targets in ((river.KernelRegressor, Y), (river.KernelClassifier, LABELS)):
        one, plain = (estimator(**STREAM, missing_label="skip") for _ in range(2))
        for x, target in zip(ROWS, some_missing(targets), strict=True):
            one.learn_one({**x, "never learned": 1.0} if target is None else x, target)
        for x, target in zip(FRAME[~GONE].to_dict("records"), targets[~GONE].tolist(), strict=True):
            plain.learn_one(x, target)
        assert one.n_rounds_ == (~GONE).sum() and same(one, plain)
        for frame, series in ((FRAME, pandas.Series), (polars.DataFrame(ROWS), polars.Series), (FRAME, list)):
            many = estimator(**STREAM, missing_label="skip")
            many.learn_many(frame, series(some_missing(targets)))
            many.learn_many(frame[:2], [None, None])
            assert same(many, plain)


def test_kinds_of_series_with_holes():
    classes = (X[:, 0] > 0).astype(int)
    plain = KernelClassifier(**SMALL).fit(X[~GONE], classes[~GONE])
    for series in (
        some_missing(classes),
        some_missing(classes, np.nan),
        pandas.Series(some_missing(classes), dtype="Int64"),
        pandas.Series(some_missing(classes), dtype="category"),
        pandas.Series(some_missing(classes, pandas.NA), dtype=object),
        polars.Series(some_missing(classes)),
    ):
        model = KernelClassifier(**SMALL, missing_label="skip").fit(X, series)
        assert model.classes_.tolist() == [0, 1] and same(model, plain)
    texts = some_missing(LABELS, np.nan)  # NumPy would make of it the text "nan"
    assert KernelClassifier(**SMALL, missing_label="skip").fit(X, texts).classes_.tolist() == ["down", "flat", "up"]
    numbers = pandas.Series(some_missing(Y, pandas.NA), dtype=object)
    assert KernelRegressor(**SMALL, missing_label="skip").fit(X, numbers).n_rounds_ == (~GONE).sum()


def test_tickets_whose_label_will_not_come():
    told = KernelClassifier(**SMALL, missing_label="skip").fit(X, LABELS)
    streamed = river.KernelRegressor(**STREAM, missing_label="skip")
    for model, row in ((told, X[0]), (streamed, ROWS[0])):
        ticket = model.ask(row)
        rounds = model.n_rounds_
        assert model.tell(ticket, None).n_rounds_ == rounds
        with pytest.raises(ValueError, match="is closed"):
            model.tell(ticket, None)


def test_before_the_first_label():
    model = KernelClassifier(**SMALL, new_classes="accept", missing_label="skip")
    assert not hasattr(model.partial_fit(X[:2], [None, None]), "classes_")
    with pytest.raises(ValueError, match="declare them by classes="):
        model.progressive_fit(X[:2], [None, None])
    model.partial_fit(X[:4], [None, "b", None, "a"])
    assert model.classes_.tolist() == ["a", "b"] and model.n_rounds_ == 2
    for estimator in (KernelClassifier, KernelRegressor):
        with pytest.raises(ValueError, match="nothing to learn"):
            estimator(**SMALL, missing_label="skip").fit(X[:2], [None, None])
    stream = river.KernelClassifier(**STREAM, missing_label="skip")
    stream.learn_one(ROWS[0], None)
    assert stream.predict_one(ROWS[0]) is None
    with pytest.raises(ValueError, match="Unknown missing_label 'drop'"):
        KernelRegressor(missing_label="drop").fit(X, Y)
    with pytest.raises(ValueError, match="Unknown missing_label 'drop'"):
        river.KernelRegressor(missing_label="drop").learn_one(ROWS[0], 1.0)


def test_infinity_is_not_missing():
    with pytest.raises(ValueError, match=r"y\[1\] is inf"):
        KernelRegressor(missing_label="skip").fit(X[:2], [1.0, np.inf])
    with pytest.raises(ValueError, match="finite number"):
        river.KernelRegressor(missing_label="skip").learn_one(ROWS[0], np.inf)


@pytest.mark.parametrize("mixed", [[1, "a"], ["a", 1], ["a", 1.5], [date(2024, 1, 1), "a"], [1, "a", None]], ids=repr)
def test_labels_of_different_kinds_are_refused(mixed):
    """In a list, numbers among strings became strings, in River the two were classes side by side."""
    skip = {"missing_label": "skip"}
    apart = np.empty(len(mixed), dtype=object)
    apart[:] = mixed
    for given in (mixed, apart, pandas.Series(mixed, dtype=object)):
        for model in (KernelClassifier(**skip), KernelClassifier(**skip, new_classes="accept")):
            for call in (model.fit, model.partial_fit, model.progressive_fit):
                with pytest.raises(ValueError, match="kinds"):
                    call(X[: len(mixed)], given)
            assert not hasattr(model, "classes_")
        stream = river.KernelClassifier(**skip)
        with pytest.raises(ValueError, match="kinds"):
            stream.learn_many(FRAME[: len(mixed)], given)
        assert stream._model is None
    stream = river.KernelClassifier()
    stream.learn_one(ROWS[0], mixed[0])
    ticket, before = stream.ask(ROWS[1]), pickle.dumps(stream)
    with pytest.raises(ValueError, match="can't join the classes"):
        stream.learn_one({"new": 1.0}, mixed[1])
    with pytest.raises(ValueError, match="can't join the classes"):
        stream.tell(ticket, mixed[1])
    assert pickle.dumps(stream) == before
