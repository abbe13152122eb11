"""What is told of a time budget: the size that it has bought, rounds over it, and parameters that contradict it."""

import json
import warnings

import numpy as np
import pytest
from costly import made_up_costs

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, cli, river
from kernelpick.budget import planned
from kernelpick.budget.planned import size_of
from kernelpick.lab.compare.budgets import budgets
from kernelpick.streaming import facts

X = np.random.default_rng(0).normal(size=(120, 4))
y = X[:, 0] + X[:, 1] ** 2


@pytest.fixture(autouse=True)
def machine(monkeypatch, costs):
    monkeypatch.setattr(planned, "costs_for", made_up_costs(costs["linear"]))


@pytest.mark.parametrize("face", [KernelRegressor, KernelClassifier, river.KernelRegressor, river.KernelClassifier])
def test_stored_examples_beside_a_budget_are_refused(face):
    model = face("lkmbooks", budget=60, time_budget="1ms")
    with pytest.raises(ValueError, match="budget, the number of stored examples, and time_budget both decide"):
        model.learn_one({"a": 1.0}, 1.0) if face.__module__.startswith("kernelpick.river") else model.fit(X, y > 0)


def test_the_size_is_told_by_models_and_traces():
    model = KernelRegressor("rf-oks++", time_budget="10us", random_state=0).partial_fit(X, y)
    assert size_of(model) == f"{model.n_features_used_:,} frequencies"
    run = kernelpick.trace("rf-oks++", X, y, loss="square", time_budget="10us")
    assert run.size == size_of(model) and repr(run).endswith(f" kernels, {run.size})")
    assert ("time_budget", f"10us: {size_of(model)}") in facts.asked_for(model)
    assert kernelpick.trace("rf-oks++", X, y, loss="square").size == ""


def test_overruns_start_again_with_fit():
    model = KernelRegressor("rf-oks++", time_budget="10us", passes=1)
    assert model.fit(X, y).fit(X, y).overruns_.rounds == len(X)


@pytest.mark.parametrize("face", [KernelRegressor, river.KernelRegressor])
def test_a_ticket_and_what_is_told_are_a_round(face):
    model = face("rf-oks++", time_budget="10us")
    row = [0.5, 1.0] if face is KernelRegressor else {"a": 0.5, "b": 1.0}
    first = model.ask(row)
    tickets = [model.ask(row) for _ in range(3)]
    for rounds, ticket in enumerate([tickets[2], tickets[0].id, first, tickets[1]], start=1):
        assert model.tell(ticket, 1.0).overruns_.rounds == rounds
    assert not model._timer.asked and model.overruns_.worst > 0.0


def test_a_warning_names_the_line_of_the_program():
    model = KernelRegressor("rf-oks++", time_budget="1s")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(X, y)
    assert [warning.filename for warning in told] == [__file__]


def test_run_tells_the_size_and_the_overruns(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    lines = [",".join(map(str, row)) for row in np.column_stack([X, np.arange(len(X)) % 3, y]).tolist()]
    path.write_text("\n".join(["a,b,c,d,shop,y", *lines]) + "\n")
    asked = ["run", str(path), "--target", "y", "--algorithm", "rf-oks++", "--time-budget", "10us", "--seed", "0"]
    cli.main(asked)
    assert " frequencies; " in capsys.readouterr().out
    cli.main([*asked, "--json"])
    end = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert end["size"].endswith(" frequencies") and end["overruns"].keys() >= {"over", "p99", "worst"}
    cli.main([*asked, "--json", "--key", "shop"])
    of_keys = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert of_keys["overruns"]["rounds"] == end["overruns"]["rounds"] == len(X) and "size" not in of_keys


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "--budgets is empty"), (" , ", "--budgets is empty"), ("1ms,20us,1ms", "twice, 1ms and 1ms"),
     ("1ms,1000us", "twice, 1ms and 1000us")],
)  # fmt: skip
def test_budgets_that_are_none_or_the_same(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        budgets(text)
