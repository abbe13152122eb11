"""`kernelpick run --resume`, signals, and what is there already."""

import io
import os
import signal
import sys

import pytest
from streaming_commands import contents, events, frame_of, run, write_numbers

import kernelpick
from kernelpick.streaming import session as loop


def files_of(folder):
    return ("--model", folder / "m", "--predictions", folder / "p.csv", "--rejects", folder / "r.csv")


@pytest.fixture
def finished(stream, tmp_path):
    """A folder that a run has left."""
    folder = tmp_path / "whole"
    folder.mkdir()
    assert run(stream, "--target", "y", *files_of(folder), "--quiet") == 0
    return folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_after_the_block_and_it_goes_on(number, stream, finished, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "again"
    folder.mkdir()
    learn, seen = loop.Session._learn_block, []

    def hear(self, block):
        learn(self, block)
        seen.append(block.first)
        if len(seen) in (2, 5):
            os.kill(os.getpid(), number)

    monkeypatch.setattr(loop.Session, "_learn_block", hear)
    again = (stream, "--target", "y", *files_of(folder), "--checkpoint-every", "90", "--resume")
    assert run(*again) == 128 + number
    assert f"{number.name} after 180 rows; saved to" in capsys.readouterr().err
    assert kernelpick.load(folder / "m").n_rounds_ == 180
    assert run(*again) == 128 + number and run(*again) == 0
    assert seen == list(range(0, 600, 90)) and contents(folder) == contents(finished)


def test_a_signal_while_rows_are_waited_for(tmp_path):
    """A pipe from which nothing comes."""
    from kernelpick.streaming.signals import Signals

    def never():
        os.kill(os.getpid(), signal.SIGTERM)
        yield from ()

    class Silent:
        def blocks(self, skip, rows):
            return never()

    with Signals() as signals:
        assert list(loop.blocks_of(Silent(), 0, 1, signals)) == [] and signals.heard == signal.SIGTERM


def test_a_finished_run_changes_nothing(stream, finished, capsys):
    before = {path: path.stat().st_mtime_ns for path in finished.iterdir()}
    assert run(stream, "--target", "y", *files_of(finished), "--resume") == 0
    assert {path: path.stat().st_mtime_ns for path in finished.iterdir()} == before
    assert "all 600 rows were learned before; nothing is changed" in capsys.readouterr().err


def test_a_damaged_checkpoint_is_replaced_by_the_one_before(stream, finished, tmp_path, capsys):
    folder = tmp_path / "again"
    folder.mkdir()
    assert run(stream, "--target", "y", *files_of(folder), "--quiet", "--checkpoint-every", "200") == 0
    (folder / "m").write_bytes((folder / "m").read_bytes()[:-9])
    assert run(stream, "--target", "y", *files_of(folder), "--resume") == 0
    assert "m.previous" in capsys.readouterr().err and contents(folder) == contents(finished)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: path.write_text(path.read_text() + "1,2,Bonn,3\n"), "size was"),
        (lambda path: path.write_text(path.read_text().replace("a,b", "a,c", 1)), "names was|names"),
        (lambda path: path.write_text(path.read_text().replace("Bonn", "Kiel", 1)), "first was"),
    ],
)
def test_a_source_that_has_changed_is_refused(change, words, stream, finished, capsys):
    before = contents(finished)
    change(stream)
    assert run(stream, "--target", "y", *files_of(finished), "--resume") == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "The source has changed since" in told and any(word in told for word in words.split("|"))
    assert contents(finished) == before


def test_other_options_are_refused(stream, finished, capsys):
    for option, words in (
        (("--seed", 1), "was begun with --seed 0, now it is --seed 1"),
        (("--drop", "a"), "was begun with no --drop, now it is --drop a"),
    ):
        assert run(stream, "--target", "y", *files_of(finished), "--resume", *option) == 2
        assert words in capsys.readouterr().err
    assert run(stream, "--target", "y", *files_of(finished)[:2], "--resume") == 2
    assert "predictions" in capsys.readouterr().err


def test_what_is_there_is_not_replaced_unasked(stream, finished, capsys):
    before = contents(finished)
    assert run(stream, "--target", "y", *files_of(finished)) == 2
    assert "is there already: --resume goes on with it, --overwrite replaces it" in capsys.readouterr().err
    assert run(stream, "--target", "y", *files_of(finished)[2:]) == 2
    assert contents(finished) == before
    assert run(stream, "--target", "y", *files_of(finished), "--overwrite", "--seed", 1, "--quiet") == 0
    assert contents(finished) != before


def test_standard_input_passes_over_what_was_learned(stream, finished, tmp_path, monkeypatch):
    folder, content = tmp_path / "again", stream.read_bytes()
    folder.mkdir()

    def feed(piece):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piece)))
        return run("-", "--target", "y", *files_of(folder), "--quiet", "--resume", "--checkpoint-every", "100")

    learn = loop.Session._learn_block

    def hear(self, block):
        learn(self, block)
        if block.first == 300:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(loop.Session, "_learn_block", hear)
    assert feed(content) == 143
    monkeypatch.setattr(loop.Session, "_learn_block", learn)
    assert feed(content) == 0
    assert contents(folder)["p.csv"] == contents(finished)["p.csv"]
    assert kernelpick.load(folder / "m").n_rounds_ == 600


def test_a_model_goes_on_with_another_source(stream, finished, tmp_path, capsys):
    more = write_numbers(tmp_path / "more.csv", 100, seed=1)
    assert run(more, "--target", "y", "--from", finished / "m", "--model", tmp_path / "m2", "--json") == 0
    assert events(capsys.readouterr().out)["end"][0]["learned"] == 100
    both, frame = kernelpick.load(finished / "m"), frame_of(more)
    both.partial_fit(frame[["a", "b", "city"]], frame["y"])
    kept = kernelpick.load(tmp_path / "m2")
    both.metadata = kept.metadata
    assert kept.n_rounds_ == 700 and kept.to_bytes() == both.to_bytes()
    assert run(more, "--target", "a", "--from", finished / "m", "--model", tmp_path / "m3") == 2
    assert "has no column 'a'" in capsys.readouterr().err and not (tmp_path / "m3").exists()
