"""What `kernelpick run` can't learn from, or can't do: a sentence, an exit code, and nothing is lost."""

import csv
import io
import os

import pytest
from streaming_commands import contents, events, run

import kernelpick
from kernelpick.streaming.checkpoint import lock_of

BAD = "a,b,city,y\n" + "".join(f"{i},{i % 5},Bonn,{i % 11}.5\n" for i in range(40)) + "1,2\n3,4,Bonn,many\n"
BAD += "".join(f"{i},{i % 5},Bonn,{i % 11}.5\n" for i in range(20))


def test_a_bad_row_stops_it_and_all_before_is_saved(tmp_path, capsys):
    path, model = tmp_path / "s.csv", tmp_path / "m"
    path.write_text(BAD)
    assert run(path, "--target", "y", "--model", model) == 3
    told = capsys.readouterr()
    assert "line 42" in told.err and told.err.count("kernelpick: ") == 1 and "40 learned" in told.out
    assert kernelpick.load(model).n_rounds_ == 40
    path.write_text(BAD.replace("1,2\n", ""))
    assert run(path, "--target", "y", "--model", model, "--overwrite") == 3
    told = capsys.readouterr().err
    assert "column 'y'" in told and "'many'" in told and "is no number" in told and "line 42" in told
    assert kernelpick.load(model).n_rounds_ == 40


def test_bad_rows_are_passed_over_and_told(tmp_path, capsys):
    path, rejects, model = tmp_path / "s.csv", tmp_path / "r.csv", tmp_path / "m"
    path.write_text(BAD)
    assert run(path, "--target", "y", "--model", model, "--on-error", "skip", "--rejects", rejects, "--json") == 0
    end = events(capsys.readouterr().out)["end"][0]
    assert (end["records"], end["learned"], end["rejected"]) == (62, 60, 2)
    rows = list(csv.DictReader(io.StringIO(rejects.read_text())))
    assert [(row["row"], row["line"], row["column"]) for row in rows] == [("41", "42", ""), ("42", "43", "y")]


def test_a_stopped_run_goes_on_past_the_row_if_it_may(tmp_path, capsys):
    path, model = tmp_path / "s.csv", tmp_path / "m"
    path.write_text(BAD)
    assert run(path, "--target", "y", "--model", model) == 3
    assert run(path, "--target", "y", "--model", model, "--resume") == 3
    assert run(path, "--target", "y", "--model", model, "--resume", "--on-error", "skip", "--quiet") == 0
    assert kernelpick.load(model).n_rounds_ == 60
    whole = tmp_path / "whole"
    assert run(path, "--target", "y", "--model", whole, "--on-error", "skip", "--quiet") == 0
    assert model.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        (None, (), "No such file"),
        ("", (), "empty"),
        ("a,y\n", (), "no rows"),
        ("a,yy\n1,2\n", (), "Did you mean 'yy'"),
        ("a,y\n1,\n", (), "'y' is blank in the first 1 rows"),
        ("y\n1\n", (), "no column is left"),
        ("a,y\n1,2\n", ("--algorithm", "oto"), "Unknown algorithm"),
        ("a,y\n1,2\n", ("--task", "clasification"), "did you mean 'classification'"),
        ("a,y\n1,2.5\n", ("--algorithm", "auto", "--loss", "hinge"), "Unknown loss"),
        ("a,y\n1,2\n", ("--resume", "--overwrite"), "leave one of them out"),
        ("a,y\n1,2\n", ("--checkpoint-every", "often"), "--checkpoint-every"),
        ("a,y\n1,2\n", ("--interval", "0.9"), "goes with --predictions"),
        ("a,y\n1,2\n", ("--model", "no/such/folder/m"), "There is no folder"),
        ("a,y\n1,2\n", ("--predictions", "old"), "are both"),
    ],
)
def test_refusals_are_one_sentence_and_leave_all_as_it_is(content, arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").write_bytes(b"an old model")
    if content is not None:
        (tmp_path / "s.csv").write_text(content)
    before = contents(tmp_path)
    first = () if "--overwrite" in arguments or "--model" in arguments else ("--overwrite",)
    assert (
        run("s.csv", "--target", "y", "--model", "old", *first, *arguments, quick="--algorithm" not in arguments) == 2
    )
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("kernelpick: ") and words in told
    assert contents(tmp_path) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission(stream, tmp_path, capsys):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    assert run(stream, "--target", "y", "--model", folder / "m") == 2
    assert "Permission denied" in capsys.readouterr().err


def test_two_runs_of_one_model_do_not_undo_each_other(stream, tmp_path, capsys):
    model = tmp_path / "m.kpick"
    with lock_of(model):
        assert run(stream, "--target", "y", "--model", model) == 2
    assert f"Another run is writing to {model}" in capsys.readouterr().err and not model.exists()
    assert run(stream, "--target", "y", "--model", model) == 0
