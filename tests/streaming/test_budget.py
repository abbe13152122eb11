"""`kernelpick run --time-budget`, on a machine whose costs are made up."""

import pytest
from costly import linear, made_up_costs
from streaming_commands import run

from kernelpick import load
from kernelpick.budget import planned


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    monkeypatch.setattr(planned, "costs_for", made_up_costs(linear))


def given(stream, model, *further):
    return (stream, "--target", "y", "--algorithm", "rf-oks++", "--model", model, *further)


def test_a_run_is_sized_and_told_how_it_was_kept(stream, tmp_path, capsys):
    model = tmp_path / "model.kpick"
    assert run(*given(stream, model, "--time-budget", "10us"), quick=False) == 0
    assert load(model).n_features_used_ == 648 and load(model).time_budget == "10us"
    told = capsys.readouterr().out
    assert "of 600 rounds over 10 us: p50 " in told


def test_a_run_that_goes_on_must_have_the_same_budget(stream, tmp_path, capsys):
    model = tmp_path / "model.kpick"
    assert run(*given(stream, model, "--time-budget", "10us"), quick=False) == 0
    assert run(*given(stream, model, "--time-budget", "20us", "--resume"), quick=False) == 2
    assert "was begun with --time-budget 10us, now it is --time-budget 20us" in capsys.readouterr().err
    assert run(*given(stream, model, "--resume"), quick=False) == 2
    assert "now it is no --time-budget" in capsys.readouterr().err
    assert run(*given(stream, model, "--time-budget", "10us", "--resume"), quick=False) == 0


@pytest.mark.parametrize(("further", "sentence"), [
    (["--time-budget", "1ms", "--features", "8"], "--features and --time-budget both decide the size of a model"),
    (["--time-budget", "soon"], "--time-budget is a time above 0"),
    (["--time-budget", "1us"], "the smallest that works here is '2.6us'"),
])  # fmt: skip
def test_refusals(stream, tmp_path, capsys, further, sentence):
    model = tmp_path / "model.kpick"
    assert run(*given(stream, model, *further), quick=False) == 2
    assert sentence in capsys.readouterr().err and not model.exists()
