"""Estimators, `trace` and files with a time budget, on a machine whose costs are made up."""

import copy
import pickle
import warnings
from functools import partial

import numpy as np
import pytest
from costly import made_up_costs
from sklearn.base import clone

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, from_bytes
from kernelpick.budget import calibration, planned
from kernelpick.budget.batches import BATCHES
from kernelpick.budget.calibration import Unsized, calibrated, costs_for
from kernelpick.budget.overruns import Timer

river = pytest.importorskip("kernelpick.river")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
y = np.sin(2 * X[:, 0]) + X[:, 1]


@pytest.fixture(autouse=True)
def machine(monkeypatch, costly, costs):
    """A first machine; machine("quadratic") is another."""

    def use(name):
        monkeypatch.setattr(planned, "costs_for", made_up_costs(costs[name]))

    use("linear")
    return use


def test_a_budget_buys_features():
    model = KernelRegressor("rf-oks++", time_budget="10us", random_state=0).partial_fit(X, y)
    assert model.n_features_used_ == 648  # (8.5 - 2)/0.01, in steps of 8
    same = KernelRegressor("rf-oks++", n_features=648, random_state=0).partial_fit(X, y)
    assert np.array_equal(model.predict(X), same.predict(X))
    assert (model.time_budget, model.n_features) == ("10us", None)
    assert clone(model).get_params()["time_budget"] == "10us"


def test_seconds_and_words_are_the_same_budget():
    sizes = {KernelRegressor("rf-oks++", time_budget=given).partial_fit(X, y).n_features_used_
             for given in ("20us", 2e-5, "0.02 ms", np.float64(2e-5))}  # fmt: skip
    assert sizes == {1496}


def test_stored_examples_are_bought_too():
    model = KernelRegressor("lkmbooks", time_budget="5us", random_state=0).partial_fit(X, y)
    assert model._fitted.spec.budget == 128  # (4.5 - 2)/0.01, in tiles of 128


def test_a_budget_that_becomes_none_teaches_nothing():
    model = KernelRegressor("rf-oks++", time_budget="10us", random_state=0).partial_fit(X, y)
    stream = river.KernelRegressor("rf-oks++", time_budget="10us", seed=0)
    stream.learn_one({"a": 1.0}, 2.0)
    for wrong in ("fast", np.timedelta64(50, "us")):
        with pytest.raises(ValueError, match="time_budget is a time above 0"):
            model.set_params(time_budget=wrong).partial_fit(X, y)
        stream.time_budget = wrong
        with pytest.raises(ValueError, match="time_budget is a time above 0"):
            stream.learn_one({"a": 1.0}, 2.0)
    assert model.n_rounds_ == len(X) and stream.n_rounds_ == 1


def test_auto_drops_companions_first_then_memories_then_pairs(machine):
    machine("quadratic")
    has = {}
    for budget in ("8us", "20us", "60us", "100us", "150us", "500us"):
        model = KernelRegressor(time_budget=budget, random_state=0).partial_fit(X[:16], y[:16])
        spec, plan = model._fitted.spec, model._fitted.plan
        has[budget] = plan.features, spec.hypotheses, plan.memories, bool(plan.companions)
    usual = 160  # at 4 inputs
    assert has["8us"][0] < has["20us"][0] == usual or has["20us"][0] < usual
    assert has["20us"][2:] == (False, False)
    assert has["60us"][0] >= usual and has["60us"][1:] == (1.3, True, False)
    assert has["100us"][0] >= usual and has["100us"][2:] == (True, True)
    assert has["500us"][1] > 1.3


def test_auto_that_does_not_fit_becomes_tiny(machine, monkeypatch, costly, costs):
    def cost(plan):
        return costs["linear"](plan) * (1 if plan.specification.row.learner.name == "adagrad" else 100)

    monkeypatch.setattr(planned, "costs_for", made_up_costs(cost))
    model = KernelRegressor(time_budget="10us", random_state=0).partial_fit(X, y)
    assert model.learner_ == "adagrad" and model._fitted.spec.algorithm == "auto-tiny"


@pytest.mark.parametrize("face", [KernelRegressor, river.KernelRegressor])
def test_two_sizes_are_refused(face):
    model = face("rf-oks++", n_features=50, time_budget="1ms")
    with pytest.raises(
        ValueError, match="n_features and time_budget both decide the size of a model: give one of them"
    ):
        model.partial_fit(X, y) if face is KernelRegressor else model.learn_one({"a": 1.0}, 1.0)


def test_a_budget_that_is_too_small_names_the_smallest_that_works():
    with pytest.raises(
        ValueError, match=r"'2us' is too small for rf-oks.. with 4 columns: the smallest that works here is '2.6us'"
    ):
        KernelRegressor("rf-oks++", time_budget="2us").partial_fit(X, y)
    assert KernelRegressor("rf-oks++", time_budget="2.6us").partial_fit(X, y).n_features_used_ == 16


def test_for_single_rows_it_says_that_smaller_budgets_are_for_batches():
    model = river.KernelRegressor("rf-oks++", time_budget="1us", seed=0)
    with pytest.raises(
        ValueError, match=r"works here is '3.4us', .*calibrate --again.* anew\. Calls from Python take .* for batches"
    ):
        model.learn_one({"a": 1.0}, 1.0)
    assert model._model is None


def test_a_budget_that_is_too_large_is_capped_with_the_reason(machine):
    with pytest.warns(
        UserWarning, match=r"more than rf-oks.. can use: its largest model has 16,384 random features, which"
    ):
        KernelRegressor("rf-oks++", time_budget="1s").partial_fit(X[:40], y[:40])
    machine("quadratic")
    with pytest.warns(UserWarning, match="random features, so that matrices have the order 1,024, and all hypotheses"):
        KernelRegressor(time_budget="1s").partial_fit(X[:4], y[:4])


def test_the_size_is_part_of_the_model_and_not_of_the_machine(machine, costly, monkeypatch):
    model = KernelRegressor("rf-oks++", time_budget="20us", random_state=0).partial_fit(X[:200], y[:200])
    kept, pickled = model.to_bytes(), pickle.dumps(model)
    monkeypatch.setattr(planned, "costs_for", made_up_costs(lambda plan: 1.0))  # another machine, and a slow one
    said = model.partial_fit(X[200:], y[200:]).predict(X)
    for other in (from_bytes(kept), pickle.loads(pickled)):
        assert other.time_budget == "20us"
        assert np.array_equal(other.partial_fit(X[200:], y[200:]).predict(X), said)


@pytest.mark.parametrize("cut", [1, 7, 300])
def test_bits_do_not_depend_on_the_cut(cut):
    whole = KernelRegressor("rf-oks++", time_budget="20us", random_state=0).partial_fit(X, y)
    model = KernelRegressor("rf-oks++", time_budget="20us", random_state=0)
    for start in range(0, len(X), cut):
        model.partial_fit(X[start : start + cut], y[start : start + cut])
    assert np.array_equal(model.predict(X), whole.predict(X))


def test_rivers_face_measures_single_rows(monkeypatch):
    asked = []

    def found(unsized, way):
        asked.append((way.name, way.rows, unsized.n_inputs))
        return costs_for(unsized, way)

    monkeypatch.setattr(
        calibration, "measured", lambda way, probes, clock: [calibration.Seconds(1e-6, 1e-6)] * len(probes)
    )
    monkeypatch.setattr(calibration, "_known", {})
    monkeypatch.setattr(planned, "costs_for", partial(found))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that is capped
        river.KernelClassifier("raker", time_budget="1ms", seed=0).learn_one({"a": 1.0, "b": "word"}, True)
        KernelClassifier("raker", time_budget="1ms").partial_fit(X, y > 0, classes=[False, True])
    assert asked == [("rows", 1, 2), ("batches", 512, 4)]


def test_trace_has_a_budget_instead_of_features(machine):
    run = kernelpick.trace("rf-oks++", X, y, loss="square", time_budget="10us")
    same = kernelpick.trace("rf-oks++", X, y, loss="square", n_features=648)
    assert np.array_equal(run.predictions, same.predictions)
    with pytest.raises(ValueError, match="n_features and time_budget both"):
        kernelpick.trace("rf-oks++", X, y, loss="square", time_budget="10us", n_features=8)
    with pytest.raises(ValueError, match="frequencies and time_budget both"):
        kernelpick.trace("rf-oks++", X, y, loss="square", time_budget="10us", frequencies=np.zeros((2, 4)))
    machine("quadratic")
    auto = [kernelpick.trace("auto", X, y, loss="square", time_budget=budget) for budget in ("10us", "60us", "61us")]
    assert not np.array_equal(auto[0].predictions, auto[1].predictions)
    assert np.isfinite(auto[2].losses).all()


def test_overruns_are_counted_and_not_kept():
    model = river.KernelRegressor("rf-oks++", time_budget="10us", seed=0)
    for row, target in zip(X[:50].tolist(), y[:50].tolist(), strict=True):
        model.predict_one(dict(enumerate(row)))
        model.learn_one(dict(enumerate(row)), target)
    done = model.overruns_
    assert done.rounds == 49  # with the first one the model was made
    assert 0 < done.p50 <= done.p99 <= done.p999 <= done.worst and 0 <= done.over <= 49
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), from_bytes(model.to_bytes())):
        assert other.overruns_.rounds == 0
    batches = KernelRegressor("rf-oks++", time_budget="10us", random_state=0).partial_fit(X[:100], y[:100])
    assert batches.partial_fit(X[100:], y[100:]).overruns_.rounds == 300


def test_without_a_budget_nothing_is_timed():
    model = KernelRegressor("rf-oks++", random_state=0).partial_fit(X, y)
    with pytest.raises(AttributeError, match="Rounds are timed where there is a time_budget"):
        model.overruns_  # noqa: B018
    assert "_timer" not in vars(model)


def test_a_timer_has_the_percentiles_of_its_rounds():
    timer, times = Timer(), RNG.lognormal(-10, 1, size=5000)
    for time in times:
        timer.add(float(time), 1, 1e-4)
    done, exact = timer.told(), np.quantile(times, [0.5, 0.99, 0.999], method="inverted_cdf")
    assert done.rounds == 5000 and done.over == (times > 1e-4).sum() and done.worst == times.max()
    assert (exact <= [done.p50, done.p99, done.p999]).all() and (exact * 1.05 >= [done.p50, done.p99, done.p999]).all()


def test_a_real_machine_is_measured(tmp_path):
    unsized = Unsized(KernelRegressor("rf-oks++").get_params(deep=False), False, 4, 1)
    found = costs_for(unsized, BATCHES, folder=lambda: tmp_path)
    assert 0 < found.mean.linear and 0 < found.high.at(16) < found.high.at(4096) < 1
    model = river.KernelRegressor("rf-oks++")
    one = calibrated(Unsized(model._params(), False, 4, 1), _short(model), __import__("time").thread_time)
    assert found.high.at(16) < one.high.at(16) < 1


def _short(model):
    from kernelpick.river.calibrating import row_by_row

    return row_by_row(model)._replace(calls=8)
