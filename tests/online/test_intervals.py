"""Intervals and sets of classes: against a plain second writing, and what is promised of them."""

import copy
import pickle

import numpy as np
import pytest
from coverages import progressive, windows
from naive_intervals import LEVELS, Naive
from problems import drifting

from kernelpick import KernelClassifier, KernelRegressor, ModelFileError, from_bytes
from kernelpick.files.container import seal, unseal
from kernelpick.online.coverage import bound_at
from kernelpick.online.intervals import EXPONENTS, ROWS, Intervals

RNG = np.random.default_rng(0)
X = RNG.normal(size=(900, 3))
Y = np.sin(2 * X[:, 0]) + 10 * X[:, 1] + np.where(X[:, 2] < 0, 0.1, 0.6) * RNG.normal(size=900)
SMALL = {"auto": {"n_features": 16}, "rf-oks++": {"algorithm": "rf-oks++", "n_features": 20}}


@pytest.mark.parametrize("columns", [1, 5, 18])
def test_rows_are_described_together_with_the_bits_of_one_after_the_other(columns):
    rows, outputs, rng = 2700, 3, np.random.default_rng(columns)
    given, told = 4 * rng.normal(size=(rows, columns)), rng.normal(size=(rows, outputs))
    record = np.hstack([np.zeros((rows, 2)), rng.normal(size=(rows, outputs))])
    told[rng.random(told.shape) < 0.02] *= 1e200
    given[rng.random(given.shape) < 0.05] = -0.0
    told[7], record[7, 2:] = 0.0, 0.0  # nothing is left over
    record[rng.random(rows) < 0.05, 0], record[90, 2:] = np.inf, np.nan  # passed over
    record[90, 0] = np.nan
    units = rng.uniform(0.5, 2.0, size=(4, rows, outputs))
    units[2:] = np.array([[0.0, 1.0, 0.0], [-np.inf, 0.0, 0.0]])[:, None]
    whole, apart = Intervals(outputs, columns), Intervals(outputs, columns)
    whole.learn(given, told, record, units)
    for row in range(rows):
        part = slice(row, row + 1)
        apart.learn(given[part], told[part], record[part], units[:, part])
    for name in ("bounds", "tally", "slopes", "head"):
        assert getattr(whole, name).tobytes() == getattr(apart, name).tobytes()
        assert np.isfinite(getattr(whole, name)).all()


def test_they_are_those_of_the_plain_version():
    rows, outputs = 1300, 2
    rows_given = 3 * RNG.normal(size=(rows, 4))
    said, spread = RNG.normal(size=(rows, outputs)), np.array([2.0, 0.1])
    noise = np.exp(np.stack([rows_given[:, 0] / 3, -abs(rows_given[:, 1])], axis=1))
    told = said + noise * RNG.normal(size=(rows, outputs))
    told[40:150] *= 50.0  # so that the pace changes
    record = np.hstack([np.zeros((rows, 2)), said])
    record[11, 0] = np.inf  # a row that was passed over
    units = np.ones((4, rows, outputs)) * spread
    units[0], units[2], units[3] = 0.0, 0.0, -np.inf
    fast, naive = Intervals(outputs, 4), [Naive(4) for _ in range(outputs)]
    for start in range(0, rows, 13):
        part = slice(start, start + 13)
        fast.learn(rows_given[part], told[part], record[part], units[:, part])
        for row in range(*part.indices(rows)):
            for m in range(outputs if row != 11 else 0):
                naive[m].learn(rows_given[row], said[row, m], told[row, m] - said[row, m], spread[m])
        for m, k in enumerate(fast.exponents):
            assert EXPONENTS[k] == naive[m].exponent
            for place, exponent in enumerate(naive[m].all):
                bounds = list(naive[m].all[exponent].bounds.values())
                assert fast.bounds[m, place] == pytest.approx(bounds, rel=1e-9, abs=1e-9)
            assert fast.slopes[m, 0] == pytest.approx(naive[m].slopes, rel=1e-7, abs=1e-9)
            assert fast.tally[m].tolist() == list(naive[m].held.values())
    reach = fast.reach(rows_given[:5], said[:5], 0.9)
    for row in range(5):
        for m in range(outputs):
            assert reach[row, m] == pytest.approx(naive[m].reach(rows_given[row], said[row, m], 0.9), rel=1e-7)
    assert fast.head[:, ROWS].tolist() == [rows - 1.0] * 2


@pytest.mark.parametrize("name", SMALL)
def test_chunks_saving_and_copies_do_not_matter(name):
    whole = KernelRegressor(**SMALL[name], random_state=0).partial_fit(X, Y)
    parts = KernelRegressor(**SMALL[name], random_state=0)
    for start in range(0, 700):
        parts.partial_fit(X[start : start + 1], Y[start : start + 1])
    for twin in (from_bytes(parts.to_bytes()), pickle.loads(pickle.dumps(parts)), copy.deepcopy(parts)):
        twin.partial_fit(X[700:], Y[700:])
        assert (twin.predict_interval(X, 0.8) == whole.predict_interval(X, 0.8)).all()
    assert (parts.predict_interval(X, 0.8) != whole.predict_interval(X, 0.8)).any()


def test_they_lie_around_the_prediction_and_grow_with_the_confidence():
    model = KernelRegressor(**SMALL["auto"], random_state=0).partial_fit(X, Y)
    said, width = model.predict(X), np.zeros(len(X))
    for confidence in (0.01, 0.3, 0.5, 0.55, 0.9, 0.93, 0.995, 0.9999):
        lower, upper = model.predict_interval(X, confidence).T
        assert 0.5 * (lower + upper) == pytest.approx(said, abs=1e-9)
        assert (upper - lower > width).all()
        width = upper - lower
    quiet = X[:, 2] < 0
    assert width[quiet].mean() < 0.8 * width[~quiet].mean()


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_has_its_own_bound(level):
    bounds = np.linspace(-1.0, 1.0, len(LEVELS)) ** 3
    assert bound_at(bounds, level) == pytest.approx(bounds[LEVELS.index(level)])


@pytest.mark.parametrize("kind", ["abrupt", "gradual"])
def test_coverage_through_drift(kind):
    rows, y, _ = drifting(kind, False, 0)
    model = KernelRegressor(random_state=0, n_features=64)
    lower, upper = progressive(model, rows, y, model.predict_interval).T
    covered = windows((lower <= y[8:]) & (y[8:] <= upper))
    assert covered.min() >= 0.86 and covered.max() <= 0.94


def test_noise_that_grows_ten_times_and_falls_again():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(9000, 2))
    noise = np.where((np.arange(9000) > 3000) & (np.arange(9000) < 6000), 3.0, 0.3)
    y = rows[:, 0] + noise * rng.normal(size=9000)
    model = KernelRegressor("rf-oks++", random_state=0, n_features=32)  # what it learns from is what is drawn
    lower, upper = progressive(model, rows, y, lambda part: model.predict_interval(part, selection="drawn")).T
    covered = windows((lower <= y[8:]) & (y[8:] <= upper))
    assert covered.min() >= 0.86 and covered.max() <= 0.94


def test_narrow_where_the_noise_is_small():
    """The noise is 0.1 on one side and 0.6 on the other: at most 0.85 times the best constant width in hindsight."""
    rng = np.random.default_rng(1)
    rows = rng.uniform(-1, 1, (8000, 3))
    y = np.sin(3 * rows[:, 1]) + rows[:, 2] + np.where(rows[:, 0] < 0, 0.1, 0.6) * rng.normal(size=8000)
    model = KernelRegressor(random_state=0, n_features=64)
    lower, upper = progressive(model, rows, y, model.predict_interval).T
    best = np.quantile(abs(y[8:] - 0.5 * (lower + upper))[1000:], 0.9)
    assert (upper - lower)[1000:].mean() / 2 <= 0.85 * best


def test_before_anything_is_known_they_have_no_ends():
    model = KernelRegressor(random_state=0).partial_fit(X[:3], Y[:3])
    assert np.isinf(model.predict_interval(X[:2])).all()
    assert np.isfinite(model.partial_fit(X[3:40], Y[3:40]).predict_interval(X[:2])).all()


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 90, "0.9", None, float("nan")])
def test_what_is_no_confidence(confidence):
    for model in (
        KernelRegressor(random_state=0).partial_fit(X, Y).predict_interval,
        KernelClassifier(random_state=0).partial_fit(X, Y > 0, [False, True]).predict_set,
    ):
        with pytest.raises(ValueError, match="confidence must be a number between 0 and 1"):
            model(X, confidence)


def test_rows_that_are_learned_again_are_no_measure():
    once, thrice = (KernelRegressor("rf-oks++", n_features=20, random_state=0, passes=n).fit(X, Y) for n in (1, 3))
    assert once._model.intervals.head.tolist() == thrice._model.intervals.head.tolist()
    assert not thrice._model.again


def test_several_targets_and_late_labels():
    both = np.stack([Y, 100 * X[:, 0] + RNG.normal(size=900)], axis=1)
    model = KernelRegressor(**SMALL["auto"], random_state=0).partial_fit(X, both)
    ends = model.predict_interval(X)
    assert ends.shape == (900, 2, 2)
    held = (ends[:, :, 0] <= both) & (both <= ends[:, :, 1])
    assert (0.8 < held.mean(axis=0)).all()
    before = model._model.intervals.head.copy()
    ticket = model.ask(X[0])
    assert (model._model.intervals.head == before).all()
    model.tell(ticket, both[0])
    assert model._model.intervals.head[:, ROWS].tolist() == (before[:, ROWS] + 1).tolist()


def test_river_has_the_same():
    river = pytest.importorskip("kernelpick.river")
    names = ["a", "b", "c"]
    model = river.KernelRegressor(n_features=16, seed=0)
    assert np.isinf(model.predict_one({"a": 1.0}, with_interval=True).upper)
    for x, y in zip(X.tolist(), Y.tolist(), strict=True):
        model.learn_one(dict(zip(names, x, strict=True)), y)
    interval = model.predict_one(dict(zip(names, X[0], strict=True)), with_interval=True, confidence=0.8)
    same = model._model.interval(X[:1], 0.8)[0, 0]
    assert [interval.lower, interval.upper] == same.tolist()
    assert interval.center == pytest.approx(model.predict_one(dict(zip(names, X[0], strict=True))))
    width = interval.width
    model.learn_one(dict(zip(names, X[0], strict=True), d=3.0), 1.0)  # a column more
    interval = model.predict_one(dict(zip(names, X[0], strict=True), d=3.0), with_interval=True, confidence=0.8)
    assert 0.5 * width < interval.width < 2 * width
    assert from_bytes(model.to_bytes()).predict_one({"a": 1.0}, True) == model.predict_one({"a": 1.0}, True)
    labels = river.KernelClassifier(n_features=16, seed=0, companions=())
    assert labels.predict_set_one({"a": 1.0}) == set()
    for x, noise in zip(X.tolist(), np.random.default_rng(1).normal(0.0, 0.3, len(X)), strict=True):
        labels.learn_one(dict(zip(names, x, strict=True)), "up" if x[1] + noise > 0 else "down")
    sets = [labels.predict_set_one(dict(zip(names, x, strict=True)), 0.99) for x in X[:300].tolist()]
    assert {"up"} in sets and {"down"} in sets and {"up", "down"} in sets


@pytest.mark.parametrize("field", ["bounds", "tally", "slopes", "head"])
def test_forged_intervals_are_refused(field):
    header, arrays = unseal(KernelRegressor(**SMALL["rf-oks++"], random_state=0).partial_fit(X, Y).to_bytes())
    for wrong in (arrays[f"intervals.{field}"][..., :-1], np.full_like(arrays[f"intervals.{field}"], np.nan)):
        with pytest.raises(ModelFileError):
            from_bytes(seal(header, {**arrays, f"intervals.{field}": np.ascontiguousarray(wrong)}))


def test_files_without_intervals_begin_them_with_the_next_row():
    model = KernelRegressor(**SMALL["rf-oks++"], random_state=0).partial_fit(X[:700], Y[:700])
    header, arrays = unseal(model.to_bytes())
    older = from_bytes(seal(header, {name: a for name, a in arrays.items() if not name.startswith("intervals.")}))
    assert np.isinf(older.predict_interval(X)).all() and (older.predict(X) == model.predict(X)).all()
    assert np.isfinite(older.partial_fit(X[700:], Y[700:]).predict_interval(X)).all()
