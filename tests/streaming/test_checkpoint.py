"""A checkpoint is a model file; what its metadata say is checked before it is believed."""

import pytest
from streaming_commands import run, write_numbers

import kernelpick
from kernelpick.streaming.checkpoint import KINDS, position_of


@pytest.fixture
def model(tmp_path):
    assert run(write_numbers(tmp_path / "s.csv", 50), "--target", "y", "--model", tmp_path / "m", "--quiet") == 0
    return tmp_path / "m"


def test_the_position_is_kept(model):
    position = position_of(kernelpick.load(model))
    assert position.records == 50 and position.finished and position.columns == ["a", "b", "city"]
    assert position.target == "y" and position.score["rows"] == 50


@pytest.mark.parametrize("name", [name for name in KINDS if name != "source"])
def test_metadata_that_somebody_has_written_are_no_position(name, model):
    changed = kernelpick.load(model)
    for value in (-1, "x", [1], {"rows": "x"}):
        changed.metadata["run"][name] = value
        assert position_of(changed) is None, value
    del changed.metadata["run"][name]
    assert position_of(changed) is None


def test_a_model_that_no_run_has_made_is_refused(model, tmp_path, capsys):
    changed = kernelpick.load(model)
    changed.metadata = {"run": {"format": 1, "records": 3}}
    changed.save(model)
    before = model.read_bytes()
    assert run(tmp_path / "s.csv", "--target", "y", "--model", model, "--resume") == 2
    assert "is no model of a run that could go on; --from" in capsys.readouterr().err and model.read_bytes() == before
    assert run(tmp_path / "s.csv", "--target", "y", "--model", tmp_path / "m2", "--from", model, "--quiet") == 0
    assert kernelpick.load(tmp_path / "m2").n_rounds_ == 100


def test_the_one_before_is_kept(tmp_path):
    path = write_numbers(tmp_path / "s.csv", 100)
    assert run(path, "--target", "y", "--model", tmp_path / "m", "--checkpoint-every", "40", "--quiet") == 0
    assert position_of(kernelpick.load(tmp_path / "m")).records == 100
    assert position_of(kernelpick.load(tmp_path / "m.previous")).records == 80
    assert sorted(one.name for one in tmp_path.iterdir()) == [".m.lock", "m", "m.previous", "s.csv"]
