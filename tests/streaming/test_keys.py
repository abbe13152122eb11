"""`kernelpick run --key`: one model per key, as if each were alone; and what is read of the file that holds them."""

import csv
import io
import os
import signal

import numpy as np
import pandas
import pytest
from streaming_commands import contents, events, frame_of

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, KeyedModels, cli
from kernelpick.streaming import keyed
from kernelpick.streaming import session as loop

OPTIONS = {"size": "tiny", "forgetting": 1.0, "missing_label": "skip", "random_state": 0}


def command(name, *arguments):
    return cli.main([name, *map(str, arguments)])


def run(source, *arguments, target="y"):
    return command("run", source, "--target", target, "--key", "shop", "--size", "tiny", *arguments)


def files_of(folder):
    folder.mkdir(exist_ok=True)
    return ("--model", folder / "m", "--predictions", folder / "p.csv", "--rejects", folder / "r.csv")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def write(path, rows=600, seed=0):
    """Seven shops, of which three are numbers; y differs by shop, and is blank now and then; z are its signs."""
    rng = np.random.default_rng(seed)
    shops = np.array(["1", "2", "3.5", "Bonn", "Kiel, old", "ö", "Ulm"])[rng.integers(0, 7, rows)]
    a, b = rng.normal(size=(2, rows)).round(5)
    y = (np.sin(2 * a) + b * (shops < "A")).round(5)
    table = pandas.DataFrame({"a": a, "shop": shops, "b": b, "y": y, "z": np.where(y > 0, "up", "down")})
    table.loc[rng.random(rows) < 0.1, ["y", "z"]] = None
    table.to_csv(path, index=False)
    return path


@pytest.fixture
def stream(tmp_path):
    return write(tmp_path / "s.csv")


@pytest.fixture
def finished(stream, tmp_path):
    assert run(stream, *files_of(tmp_path / "whole"), "--quiet", "--drop", "z") == 0
    return tmp_path / "whole"


@pytest.mark.parametrize("task", ["numbers", "classes"])
def test_every_key_learns_as_an_estimator_of_its_own(task, stream, tmp_path, capsys):
    target, other, kind = ("y", "z", KernelRegressor) if task == "numbers" else ("z", "y", KernelClassifier)
    further = {} if task == "numbers" else {"new_classes": "accept"}
    assert run(stream, *files_of(tmp_path / "f"), "--json", "--drop", other, "--capacity", 3, target=target) == 0
    told = events(capsys.readouterr().out)
    frame = frame_of(stream)
    said = rows_of((tmp_path / "f" / "p.csv").read_text())
    with KeyedModels(path=tmp_path / "f" / "m", reads_only=True) as models:
        assert set(models.keys()) == {1, 2, 3.5, "Bonn", "Kiel, old", "ö", "Ulm"}
        for key in models:
            own = frame[frame["shop"] == str(key)]
            alone, expected = kind(**OPTIONS, **further), []
            for place in own.index:  # one row after the other; before a label there is nothing to say
                row, label = own.loc[[place], ["a", "b"]], own.loc[[place], target]
                if alone._model is None and label.isna().all():
                    expected.append("")
                    continue
                classes = {"classes": label} if task == "classes" and alone._model is None else {}
                expected.append(alone.progressive_fit(row, label, **classes)[0])
            found = [said[place]["prediction"] for place in own.index]
            assert found == [one if isinstance(one, str) else repr(float(one)) for one in expected]
            assert models.get(key).to_bytes() == alone.to_bytes()
    end = told["end"][0]
    assert end["keys"] == 7 and end["learned"] == frame[target].notna().sum() and end["leader"] is None
    known = [(row["prediction"], row["label"]) for row in said if row["label"]]
    off = [abs(float(p) - float(t)) if task == "numbers" else p != t for p, t in known]
    assert end["error"] == pytest.approx(np.mean(off)) and end["unlabelled"] == 600 - len(known)


def test_bits_depend_neither_on_blocks_nor_on_checkpoints_nor_on_the_memory(stream, finished, tmp_path):
    for every, capacity in (("50", 2), ("3", 1000)):
        files = files_of(tmp_path / every)
        further = ("--checkpoint-every", every, "--capacity", capacity, "--quiet", "--drop", "z")
        assert run(stream, *files, *further) == 0
        assert contents(tmp_path / every) == contents(finished)


def test_a_signal_ends_it_after_the_block_and_it_goes_on(stream, finished, tmp_path, monkeypatch, capsys):
    learn, seen = loop.Session._learn_block, []

    def hear(self, block):
        learn(self, block)
        seen.append(block.first)
        if len(seen) in (2, 5):
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(loop.Session, "_learn_block", hear)
    files = files_of(tmp_path / "again")
    again = (stream, *files, "--checkpoint-every", "90", "--resume", "--drop", "z", "--capacity", 2)
    assert run(*again) == 143 and "SIGTERM after 180 rows; saved to" in capsys.readouterr().err
    assert run(*again) == 143 and run(*again) == 0
    assert seen == list(range(0, 600, 90)) and contents(tmp_path / "again") == contents(finished)
    before = {path: path.stat().st_mtime_ns for path in finished.iterdir()}
    assert run(stream, *files_of(finished), "--resume", "--drop", "z") == 0
    assert {path: path.stat().st_mtime_ns for path in finished.iterdir()} == before


@pytest.mark.parametrize("moment", ["say_and_learn", "write", "finish", "begun"])
def test_a_run_that_is_killed_goes_on(moment, stream, finished, tmp_path, monkeypatch):
    """SIGKILL in the middle of a block, before and after a checkpoint, and while the last file is written."""
    files = files_of(tmp_path / "again")
    again = (stream, *files, "--checkpoint-every", "90", "--resume", "--drop", "z", "--capacity", 2, "--quiet")
    place = {"say_and_learn": keyed.KeyedLearner, "write": keyed.KeyedLearner}.get(moment, keyed.files_by_key)
    real, calls = getattr(place, moment), []

    def fails(*arguments):
        calls.append(1)
        if len(calls) == 3 or place is keyed.files_by_key:
            monkeypatch.setattr(keyed.files_by_key, "move", lambda *paths: os.kill(os.getpid(), signal.SIGKILL))
            real(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr(place, moment, fails)
        try:
            run(*again)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert run(*again) == 0 and contents(tmp_path / "again") == contents(finished)


def test_rows_without_a_key_are_refused(tmp_path, capsys):
    path = tmp_path / "s.csv"
    path.write_text("x,shop,y\n" + "".join(f"{i},{'' if i == 40 else i % 3},{i % 7 / 2}\n" for i in range(60)))
    assert run(path, *files_of(tmp_path / "a")) == 3
    assert "line 42, column 'shop': is blank, and every row needs a key" in capsys.readouterr().err
    with KeyedModels(path=tmp_path / "a" / "m", reads_only=True) as models:
        assert sum(models.get(key).n_rounds_ for key in models) == 40
    assert run(path, *files_of(tmp_path / "a"), "--resume", "--on-error", "skip", "--quiet") == 0
    assert run(path, *files_of(tmp_path / "b"), "--on-error", "skip", "--quiet") == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert [(one["row"], one["column"]) for one in rows_of((tmp_path / "a" / "r.csv").read_text())] == [("41", "shop")]


def test_predictions_are_those_of_the_models(stream, finished, tmp_path, capsys):
    more = write(tmp_path / "more.csv", 60, seed=1)
    more.write_text(more.read_text() + "0.5,nowhere,0.5,1.0,up\n")
    before = (finished / "m").read_bytes()
    assert command("predict", finished / "m", more, "--interval", 0.8) == 0
    told = capsys.readouterr()
    said, frame = rows_of(told.out), frame_of(more)
    assert "61 rows predicted, 1 of keys that have learned nothing; mean absolute error" in told.err
    assert [said[-1][name] for name in ("prediction", "label", "lower", "upper")] == ["", "1.0", "", ""]
    with KeyedModels(path=finished / "m", reads_only=True) as models:
        for place in range(60):
            row, shop = frame.loc[[place], ["a", "b"]], frame.loc[place, "shop"]
            model = models.get(int(shop) if shop in "12" else float(shop) if shop == "3.5" else shop)
            assert float(said[place]["prediction"]) == model.predict(row)[0]
            assert float(said[place]["upper"]) == model.predict_interval(row, 0.8)[0, 1]
    assert (finished / "m").read_bytes() == before and len(list(finished.iterdir())) == 4


def test_what_the_models_are_is_told(finished, tmp_path, capsys):
    assert command("inspect", finished / "m") == 0
    told = capsys.readouterr().out
    for words in ("shop: 7 keys", "tiny", "y, regression", "600, to the end", "Kiel, old", "mean loss"):
        assert words in told
    for key in ("Bonn", "1", "3.5"):
        assert command("inspect", finished / "m", "--key", key) == 0
        assert f"key           {key}" in capsys.readouterr().out
    page = tmp_path / "page.html"
    for options, figures in (((), 0), (("--key", "Bonn"), 3)):
        assert command("inspect", finished / "m", "--html", page, *options) == 0
        assert page.read_text(encoding="utf-8").count("<figure") == figures
    capsys.readouterr()
    assert command("inspect", finished / "m", "--key", "Rome") == 2
    assert "has no model of the key Rome; there are 7 keys" in capsys.readouterr().err
    with pytest.raises(ValueError, match="one model per key"):
        kernelpick.load(finished / "m")


def test_new_keys_may_begin_with_what_a_model_knows(stream, tmp_path):
    common = tmp_path / "common"
    assert (
        command("run", stream, "--target", "y", "--size", "tiny", "--drop", "z,shop", "--model", common, "--quiet") == 0
    )
    assert run(stream, *files_of(tmp_path / "f"), "--drop", "z", "--from", common, "--quiet") == 0
    frame, said = frame_of(stream), rows_of((tmp_path / "f" / "p.csv").read_text())
    own = frame[frame["shop"] == "Bonn"]
    expected = kernelpick.load(common).blank(32.0).progressive_fit(own[["a", "b"]], own["y"])
    assert [float(said[place]["prediction"]) for place in own.index] == expected.tolist()


def test_models_go_on_with_another_source(stream, finished, tmp_path, capsys):
    more, both = write(tmp_path / "more.csv", 200, seed=1), tmp_path / "both"
    assert run(more, *files_of(both), "--drop", "z", "--from", finished / "m", "--json") == 0
    learned = frame_of(more)["y"].notna().sum()
    assert events(capsys.readouterr().out)["end"][0]["learned"] == learned
    frame = pandas.concat([frame_of(stream), frame_of(more)])
    own = frame[(frame["shop"] == "Bonn") & frame["y"].notna()]
    alone = KernelRegressor(**OPTIONS).partial_fit(own[["a", "b"]], own["y"])
    with KeyedModels(path=both / "m", reads_only=True) as models:
        assert models.get("Bonn").to_bytes() == alone.to_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--key", "y", "--overwrite"), "--key names 'y', which is the target"),
        (("--key", "shopp", "--overwrite"), "has no column 'shopp' for --key. Did you mean 'shop'?"),
        (("--key", "shop", "--size", "huge"), "Unknown size 'huge'"),
        (("--key", "shop", "--capacity", "0"), "capacity"),
        (("--key", "a", "--resume"), "was begun with --key shop, now it is --key a"),
        (("--resume",), "was begun with --key shop, now it is no --key"),
        (("--overwrite", "--from", "same"), "both"),
    ],
)
def test_what_contradicts_itself_is_refused(arguments, words, stream, finished, capsys):
    before = contents(finished)
    arguments = [finished / "m" if one == "same" else one for one in arguments]
    size = () if "--size" in arguments else ("--size", "tiny")
    assert command("run", stream, "--target", "y", *files_of(finished), "--drop", "z", *size, *arguments) == 2
    assert words in capsys.readouterr().err.splitlines()[-1] and contents(finished) == before
