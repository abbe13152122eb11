"""orthogonal="structured" in estimators, and where a time budget chooses it."""

import numpy as np
import pytest
from costly import linear, made_up_costs

import kernelpick
from kernelpick import KernelRegressor, Laplacian, load, river
from kernelpick.budget import planned


def stream(rows=120, inputs=70, seed=0):
    X = np.random.default_rng(seed).normal(size=(rows, inputs))
    return X, np.sin(X[:, 0]) + X[:, 1]


def cheap(plan):
    """Structured frequencies cost a third."""
    return linear(plan) / (3 if plan.specification.orthogonal == "structured" else 1)


def dear(plan):
    return linear(plan) * (3 if plan.specification.orthogonal == "structured" else 1)


@pytest.fixture
def machine(monkeypatch):
    """A machine whose rounds cost what a function of the plan says."""
    return lambda cost: monkeypatch.setattr(planned, "costs_for", made_up_costs(cost))


def test_saved_in_the_middle_it_goes_on_as_if_nothing_had_happened(tmp_path):
    X, y = stream()
    given = {"n_features": 100, "orthogonal": "structured", "random_state": 0}
    whole = KernelRegressor("rf-oks++", **given).partial_fit(X, y)
    KernelRegressor("rf-oks++", **given).partial_fit(X[:70], y[:70]).save(tmp_path / "half.kpick")
    loaded = load(tmp_path / "half.kpick").partial_fit(X[70:], y[70:])
    assert loaded.orthogonal == "structured" and np.array_equal(loaded.predict(X), whole.predict(X))
    assert whole.importances_.shape == (70,)


def test_shards_are_merged():
    X, y = stream(400)
    start = KernelRegressor("rf-oks++", n_features=100, orthogonal="structured", random_state=0)
    start = start.partial_fit(X[:60], y[:60]).blank()
    merged = kernelpick.merge([start.blank().partial_fit(X[i::2], y[i::2]) for i in range(2)])
    assert np.isfinite(merged.partial_fit(X, y).predict(X)).all()


def test_columns_that_come_late_are_refused():
    model = river.KernelRegressor("rf-oks++", n_features=64, orthogonal="structured", seed=0)
    for t in range(40):
        model.learn_one({"a": float(t % 5), "b": 1.0}, float(t % 3))
    with pytest.raises(ValueError, match="orthogonal frequencies need a fixed set of features"):
        model.learn_one({"a": 1.0, "late": 2.0}, 0.0)


@pytest.mark.parametrize(
    ("cost", "inputs", "more", "orthogonal"),
    [
        (cheap, 70, {}, "structured"),
        (linear, 70, {}, None),  # of equals the usual ones
        (dear, 70, {}, None),
        (cheap, 63, {}, None),  # too few inputs
        (cheap, 70, {"orthogonal": False}, False),  # somebody has chosen
        (cheap, 70, {"kernels": [Laplacian(1.0)]}, None),
        (cheap, 70, {"algorithm": "leader"}, None),
        (cheap, 70, {"algorithm": "rf-oks++-newton"}, None),
    ],
)
def test_a_budget_chooses_them_where_they_are_faster(machine, cost, inputs, more, orthogonal):
    machine(cost)
    X, y = stream(40, inputs)
    model = KernelRegressor(**{"algorithm": "rf-oks++", "time_budget": "10us", "random_state": 0, **more}).fit(X, y)
    assert model._model.spec.orthogonal == orthogonal and model.orthogonal == more.get("orthogonal")
    if orthogonal == "structured":
        assert model.n_features_used_ == 2304  # 18 blocks of 128: 3 (8.5 us) - 2 us is time for 2,350


def test_of_two_that_have_all_there_may_be_the_faster_is_taken(machine):
    machine(cheap)
    with pytest.warns(UserWarning, match="is more than rf-oks.. can use: its largest model has 16,384 random features"):
        model = KernelRegressor("rf-oks++", time_budget="1ms", random_state=0).fit(*stream(8))
    assert model._model.spec.orthogonal == "structured"


def test_not_where_columns_may_come_late(machine):
    """Tables and River: such frequencies are for a fixed set of columns."""
    import pandas

    machine(cheap)
    X, y = stream(40)
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(70)])
    assert KernelRegressor("rf-oks++", time_budget="10us").fit(frame, y)._model.spec.orthogonal is None


def test_a_trace_with_a_budget(machine):
    machine(cheap)
    X, y = stream(40)
    given = {"loss": "square", "random_state": 0}
    run = kernelpick.trace("rf-oks++", X, y, time_budget="10us", **given)
    same = kernelpick.trace("rf-oks++", X, y, n_features=2304, orthogonal="structured", **given)
    assert np.array_equal(run.predictions, same.predictions)


def test_the_size_in_words():
    told = {"n_features": 2432, "orthogonal": "structured"}
    asked = {"algorithm": "rf-oks++", "size": "full", "forgetting": "auto", "companions": "auto"}
    assert planned.size_text(told, asked) == "2,432 structured frequencies"
