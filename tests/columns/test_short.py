"""The short way of a dict gives the rows of the long one, counts what that counts, and is taken."""

import copy
import datetime
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("river")
pytest.importorskip("pandas")

from any_values import PLACES, SMALL, VALUES
from mixed_table import mixed
from river_streams import moved, played, river_model

from kernelpick.columns import learning, words
from kernelpick.columns.short import Short
from kernelpick.columns.stream import Columns
from kernelpick.river import KernelClassifier, KernelRegressor

KEYS = st.sampled_from([set(VALUES), set(VALUES), {"number", "text"}, {"id", "number", "time"}, {"number"}, set()])
ROWS = st.lists(KEYS.flatmap(lambda keys: st.fixed_dictionaries({key: VALUES[key] for key in keys})), max_size=60)


class Inputs:
    """A model, as far as the short way knows it, that has room for more inputs than there are."""

    def __init__(self):
        self.names, self.row, self.asked = range(2000), np.empty((1, 2000)), ()

    def blank_row(self):
        self.row[:] = 0.0
        return self.row


def known(columns):
    """All that columns know."""
    own = {name: value for name, value in vars(columns).items() if name not in ("columns", "changes")}
    return own, [(vars(one.words), one.places, one.first) for one in columns.columns]


def same(one, other):
    return pickle.dumps(known(one)) == pickle.dumps(known(other)) or repr(known(one)) == repr(known(other))


def short_or_long(columns, model, ways, x, learns):
    if not ways or not ways[-1].is_of(columns):
        ways.append(Short(columns))
    row = ways[-1].row(model, x, learns)
    if row is not None:
        assert not row[0, columns.width :].any()
        return row[:, : columns.width].copy()
    table = columns.of_dict(x)
    return columns.learn(table)[0] if learns else columns.read(table)


@pytest.mark.parametrize("missing", [None, "mean", "zero"])
@settings(max_examples=60, deadline=None)
@given(rows=ROWS, closes=st.integers(0, 80))
def test_rows_are_those_of_the_long_way(missing, rows, closes):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL.items():
            patch.setattr(words, PLACES[name], value)
        plain, quick, model, ways = Columns(missing), Columns(missing), Inputs(), []
        for t, x in enumerate(rows):
            if t == closes:
                plain, quick = plain.blank(), quick.blank()
            asked = plain.read(plain.of_dict(x)), short_or_long(quick, model, ways, x, False)
            learned = plain.learn(plain.of_dict(x))[0], short_or_long(quick, model, ways, x, True)
            assert np.array_equal(*asked, equal_nan=True) and np.array_equal(*learned, equal_nan=True)
            assert same(plain, quick)


def mixed_dicts(count):
    frame, y = mixed(count)
    frame["time"] = frame["time"].dt.to_pydatetime()
    return frame.to_dict("records"), y.tolist()


def short_ways(monkeypatch, taken):
    """Whether rows may go the short way; how many did is counted."""
    count, row = [0, 0], Short.row

    def counted(self, *args):
        found = row(self, *args) if taken else None
        count[found is not None] += 1
        return found

    monkeypatch.setattr(Short, "row", counted)
    return count


@pytest.mark.filterwarnings("ignore:The column 'id' is ignored")
@pytest.mark.parametrize("face", [KernelRegressor, KernelClassifier])
def test_a_model_can_not_tell(monkeypatch, face):
    rows, targets = mixed_dicts(700)
    targets = targets if face is KernelRegressor else [y > 4.0 for y in targets]
    with pytest.MonkeyPatch.context() as patch:
        short_ways(patch, False)
        expected, long = played(face("rf-oks++", n_features=20, seed=0), rows, targets)
    count = short_ways(monkeypatch, True)
    said, quick = played(face("rf-oks++", n_features=20, seed=0), rows, targets)
    assert said == expected and same(long._columns, quick._columns)
    assert count[True] > 2 * count[False]  # but for those that bear inputs

    assert played(face("rf-oks++", n_features=20, seed=0), rows, targets, moved)[0] == expected


def test_columns_that_wait_are_left_out(monkeypatch):
    rng = np.random.default_rng(0)
    rows = [{f"x{k}": value for k, value in enumerate(row)} for row in rng.normal(size=(2100, 4)).tolist()]
    for t, row in enumerate(rows):
        row["word"] = "ab"[t % 2] if t < 1950 else "abc"[t % 3]
        if t >= 1980:
            row["late"] = row["x0"] + 1.0
    targets = [row["x0"] + len(row["word"]) for row in rows]

    with pytest.MonkeyPatch.context() as patch:
        short_ways(patch, False)
        expected, _ = played(river_model(rows), rows, targets)
    count = short_ways(monkeypatch, True)
    said, own = played(river_model(rows), rows, targets)
    assert said == expected and own._model.waiting is None
    assert count[False] < 20


def test_what_is_refused_goes_the_long_way_and_changes_nothing():
    model = KernelRegressor("rf-oks++", n_features=20, seed=0, missing="raise")
    for t in range(20):
        model.learn_one({"a": float(t), "word": "xy"[t % 2], "time": datetime.date(2024, 1, 1 + t)}, 1.0)
    before = copy.deepcopy(model._columns)
    good = {"a": 1.0, "word": "x", "time": datetime.date(2024, 3, 1)}
    for name, value in (("a", None), ("a", float("inf")), ("word", None), ("word", b"x"), ("time", float("nan"))):
        for method in (model.predict_one, lambda x: model.learn_one(x, 1.0)):
            with pytest.raises(ValueError, match=name):
                method({**good, name: value})
    with pytest.raises(ValueError, match="'word' is missing"):
        model.learn_one({"a": 1.0, "time": good["time"]}, 1.0)
    assert same(before, model._columns)
    assert np.isfinite(model.predict_one(good))
    assert learning.decide(model._model, model._columns, model._columns.of_dict(good))[0, 0] == model.predict_one(good)


@pytest.mark.parametrize("row", [{"a": 1.0}, {"a": 1.0, "word": "x"}, {"word": "x"}])
def test_one_column_goes_the_short_way_too(monkeypatch, row):
    """Of numbers, or of texts."""
    model = KernelRegressor("rf-oks++", n_features=20, seed=0)
    for t in range(40):
        model.learn_one(row, float(t % 3))
    long = []
    monkeypatch.setattr(Columns, "of_dict", lambda self, x: long.append(x))
    model.predict_one(row)
    model.learn_one(row, 1.0)
    pickle.loads(pickle.dumps(model)).learn_one(row, 1.0)
    assert not long


def test_who_shares_a_model_looks_for_themselves():
    """A shallow copy has the same model and columns, and has not seen the row that was asked about last."""
    rows = [{"a": float(t % 7), "word": "xyz"[t % 3]} for t in range(80)]
    one, other = (KernelRegressor("rf-oks++", n_features=20, seed=0) for _ in range(2))
    for t, row in enumerate(rows):
        one.learn_one(row, float(t % 3))
        other.learn_one(row, float(t % 3))
    both = copy.copy(one)
    one.predict_one(rows[1])
    both.learn_one(rows[1], 1.0)
    other.learn_one(rows[1], 1.0)
    assert one.predict_one(rows[2]) == other.predict_one(rows[2]) and same(one._columns, other._columns)
