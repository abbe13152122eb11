"""`kernelpick run`: what it learns, says, writes and refuses, and with which exit codes."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from streaming_commands import QUICK, contents, events, run, write_numbers

import kernelpick
from kernelpick.streaming import session as loop
from kernelpick.streaming.checkpoint import lock_of


@pytest.fixture
def stream(tmp_path):
    return write_numbers(tmp_path / "stream.csv")


def frame_of(path):
    import pandas

    return pandas.read_csv(path)


def test_a_run_is_what_the_estimator_does(stream, tmp_path, capsys):
    model, said = tmp_path / "m.kpick", tmp_path / "p.csv"
    assert run(stream, "--target", "y", "--model", model, "--predictions", said, "--json") == 0
    told = events(capsys.readouterr().out)
    frame = frame_of(stream)
    alone = kernelpick.KernelRegressor("rf-oks++", n_features=8, missing_label="skip", random_state=0)
    expected = alone.progressive_fit(frame[["a", "b", "city"]], frame["y"])
    rows = list(csv.DictReader(io.StringIO(said.read_text())))
    assert [float(row["prediction"]) for row in rows] == expected.tolist()
    assert [int(row["row"]) for row in rows] == list(range(1, 601))
    assert [float(row["label"]) for row in rows] == frame["y"].tolist()
    kept = kernelpick.load(model)
    assert (
        kept.n_rounds_ == 600
        and (kept.predict(frame[["a", "b", "city"]]) == alone.predict(frame.drop(columns="y"))).all()
    )
    end = told["end"][0]
    off = np.abs(expected - frame["y"])
    assert end["learned"] == end["records"] == 600 and end["finished"] and end["error"] == pytest.approx(off.mean())
    assert end["rmse"] == pytest.approx(np.sqrt((off**2).mean()))
    marks = [line["rows"] for line in told["progress"]]
    assert marks == [16, 32, 64, 128, 256, 512, 600]
    since = told["progress"][5]
    assert since["error"] == pytest.approx(off[:512].mean()) and since["since"] == pytest.approx(off[256:512].mean())


def test_bits_do_not_depend_on_blocks_and_checkpoints(stream, tmp_path):
    found = []
    for every in ("7", "100", "30s"):
        folder = tmp_path / every
        folder.mkdir()
        files = ("--model", folder / "m", "--predictions", folder / "p.csv")
        assert run(stream, "--target", "y", *files, "--checkpoint-every", every, "--quiet") == 0
        found.append(contents(folder))
    assert found[0] == found[1] == found[2]


def test_classes_may_come_as_they_like(tmp_path, capsys):
    """Texts, rows without a label before the first one and between, a class that comes late."""
    path, found = tmp_path / "s.csv", []
    rng = np.random.default_rng(0)
    labels = [
        "",
        "",
        *rng.choice(["no", "yes", ""], 200).tolist(),
        *rng.choice(["no", "yes", "perhaps, no"], 50).tolist(),
    ]
    rows = [f'{rng.normal():.4f},"{label}"' for label in labels]
    path.write_text("\n".join(["x,class", *rows, ""]))
    for every in ("9", "1000"):
        folder = tmp_path / every
        folder.mkdir()
        files = ("--model", folder / "m", "--predictions", folder / "p.csv")
        assert run(path, "--target", "class", *files, "--checkpoint-every", every, "--json") == 0
        found.append(contents(folder))
    assert found[0] == found[1]
    end = events(capsys.readouterr().out)["end"][0]
    assert end["unlabelled"] == labels.count("") and end["learned"] == len(labels) - labels.count("")
    model = kernelpick.load(tmp_path / "9" / "m")
    assert model.classes_.tolist() == ["no", "perhaps, no", "yes"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "9" / "p.csv").read_text())))
    assert [row["label"] for row in rows] == labels and rows[0]["prediction"] == rows[1]["prediction"] == ""


def test_two_whole_numbers_are_classes_and_that_is_said(tmp_path, capsys):
    path = tmp_path / "s.csv"
    path.write_text("x,y\n" + "".join(f"{i % 7},{i % 3 or ''}\n" for i in range(90)))
    assert run(path, "--target", "y", "--model", tmp_path / "m") == 0
    assert "y: classification, since it holds two whole numbers: 1, 2 (--task regression" in capsys.readouterr().err
    assert kernelpick.load(tmp_path / "m").classes_.dtype == np.int64
    assert run(path, "--target", "y", "--model", tmp_path / "m2", "--task", "regression") == 0
    assert "y: regression" in capsys.readouterr().err


@pytest.mark.parametrize("every", ["50", "1000"])
def test_intervals_are_those_before_each_row(every, tmp_path):
    stream = write_numbers(tmp_path / "s.csv", 120)
    said = tmp_path / "p.csv"
    assert (
        run(stream, "--target", "y", "--predictions", said, "--interval", 0.8, "--quiet", "--checkpoint-every", every)
        == 0
    )
    rows, frame = list(csv.DictReader(io.StringIO(said.read_text()))), frame_of(stream)
    model = kernelpick.KernelRegressor("rf-oks++", n_features=8, random_state=0)
    for place in range(120):
        one = frame[["a", "b", "city"]][place : place + 1]
        ends = [-np.inf, np.inf] if place == 0 else model.predict_interval(one, 0.8, "drawn")[0].tolist()
        assert [float(rows[place]["lower"]), float(rows[place]["upper"])] == ends
        model.partial_fit(one, frame["y"][place : place + 1])


# going on


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


# rows that can't be learned


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


# what can't be done


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


def test_the_messy_file_of_the_first_attempt(tmp_path, capsys):
    """A BOM, semicolons, quoted commas, a date, a city, blanks and an id; with "auto"."""
    rng = np.random.default_rng(0)
    rows = []
    for row in range(700):
        city, size = rng.choice(["Köln", "Paris, FR", ""]), rng.normal(50, 10)
        price = 100 + 2 * size + 30 * (city == "Köln") + rng.normal()
        rows.append(f'ev-{row:05};2024-{row % 12 + 1:02}-03;"{city}";{size:.1f};"a, b; c";{price:.2f}')
        if row % 50 == 0:
            rows[-1] = rows[-1].replace(f";{size:.1f};", ";;")
    (tmp_path / "events.csv").write_bytes("\r\n".join(["id;when;city;size;note;price", *rows, ""]).encode("utf-8-sig"))
    assert run(tmp_path / "events.csv", "--target", "price", "--model", tmp_path / "m", quick=False) == 0
    told = capsys.readouterr()
    assert "price: regression" in told.err and "'id' is ignored" in told.err and "700 learned" in told.out
    became = kernelpick.load(tmp_path / "m").inputs_
    assert (
        sorted(became["city"]) == ["city is missing", "city=Köln", "city=Paris, FR"]
        and "when seconds" in became["when"]
    )


def test_memory_does_not_grow_with_the_stream(tmp_path):
    """As a process of its own tells it, from a pipe."""
    rows = [f"{a:.3f},{b:.3f},{a - b:.3f}\n" for a, b in np.random.default_rng(0).normal(size=(2048, 2)).tolist()]
    command = [sys.executable, "-m", "kernelpick.cli", "run", "-", "--target", "y", "--json", *QUICK]
    environment = os.environ | {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, text=True, **streams) as process:
        process.stdin.write("a,b,y\n")
        for _ in range(128):
            process.stdin.writelines(rows)
        process.stdin.close()
        told = events(process.stdout.read())
    memory = {line["rows"]: line["memory"] for line in told["progress"]}
    assert told["end"][0]["learned"] == 2**18 and memory[2**18] - memory[2**15] < 50


def test_columns_that_come_late_are_left_out_and_told_of(tmp_path, capsys):
    rows = [{"x": row % 7, "y": row % 5 / 2, **({"early": 1} if row > 9 else {}), **({"late": 1} if row > 300 else {})}
            for row in range(400)]  # fmt: skip
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = []
    for every in ("50", "1000"):
        model = tmp_path / every
        assert run(tmp_path / "s.jsonl", "--target", "y", "--model", model, "--checkpoint-every", every) == 0
        assert "From row 302 on there is 'late', which is left out" in capsys.readouterr().err
        found.append(model.read_bytes())
    assert found[0] == found[1] and list(kernelpick.load(model).inputs_) == ["x", "early"]


def test_two_runs_of_one_model_do_not_undo_each_other(stream, tmp_path, capsys):
    model = tmp_path / "m.kpick"
    with lock_of(model):
        assert run(stream, "--target", "y", "--model", model) == 2
    assert f"Another run is writing to {model}" in capsys.readouterr().err and not model.exists()
    assert run(stream, "--target", "y", "--model", model) == 0
