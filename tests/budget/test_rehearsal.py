"""What a rehearsal leaves to be found by the rounds of a stream: nothing."""

import numpy as np
import pytest
from costly import linear, made_up_costs, quadratic

import kernelpick
from kernelpick import river
from kernelpick.budget import planned, rehearsal
from kernelpick.core.numerics import compilation, sequences

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2700, 4))
Y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=2700)


@pytest.fixture
def rehearsed(monkeypatch):
    """The plans of which small models played, in a process that has found nothing yet."""
    played, once = [], rehearsal.small
    monkeypatch.setattr(compilation, "_entry_points", {})
    monkeypatch.setattr(sequences, "_found", {})
    monkeypatch.setattr(rehearsal, "small", lambda plan: played.append(plan) or once(plan))
    monkeypatch.setattr(rehearsal, "_rehearsed", set())
    monkeypatch.setattr(planned, "rehearse", rehearsal.rehearse)
    return played


def found():
    """Machine code that was looked up, and sequences of calls."""
    return set(compilation._entry_points), set(sequences._found)


@pytest.mark.parametrize(("algorithm", "cost", "rows"), [("auto", quadratic, 2700), ("rf-oks++", linear, 800)])
def test_single_rows_find_all_that_they_call(algorithm, cost, rows, rehearsed, monkeypatch):
    monkeypatch.setattr(planned, "costs_for", made_up_costs(cost))
    model, before = river.KernelRegressor(algorithm, time_budget="200us", seed=0), None
    for row, y in zip(X[:rows].tolist(), Y[:rows].tolist(), strict=True):
        model.predict_one(dict(enumerate(row)))
        model.learn_one(dict(enumerate(row)), y)
        before = found() if before is None else before
    assert model._model.first is None and model.n_features_used_ > rehearsal.FEW
    assert found() == before
    river.KernelRegressor(algorithm, time_budget="190us", seed=1).learn_one({0: 1.0, 1: 2.0}, 1.0)
    assert len(rehearsed) == 1  # once for a process


def test_batches_do_so_too(rehearsed, monkeypatch):
    monkeypatch.setattr(planned, "costs_for", made_up_costs(linear))
    model = kernelpick.KernelRegressor("rf-oks++", time_budget="20us", random_state=0).partial_fit(X[:1], Y[:1])
    before = found()
    model.partial_fit(X[1:700], Y[1:700])
    assert found() == before and len(rehearsed) == 1
    kernelpick.KernelRegressor("rf-oks++", random_state=0).partial_fit(X[:1], Y[:1])  # without a budget there is none
    assert len(rehearsed) == 1


def test_models_of_several_targets_have_a_budget_too(rehearsed, monkeypatch):
    monkeypatch.setattr(planned, "costs_for", made_up_costs(linear))
    model = river.KernelRegressor("rf-oks++", time_budget="100us", seed=0)
    for row, y in zip(X[:200].tolist(), Y[:200].tolist(), strict=True):
        model.learn_one(dict(enumerate(row)), {"one": y, "other": -2.0 * y})
    said = model.predict_one(dict(enumerate(X[0].tolist())))
    assert set(said) == {"one", "other"} and all(map(np.isfinite, said.values())) and len(rehearsed) == 1
