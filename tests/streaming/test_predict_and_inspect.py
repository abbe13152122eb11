"""`kernelpick predict` and `kernelpick inspect`."""

import csv
import io
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from browser import assert_readable
from streaming_commands import run, write_numbers

import kernelpick
from kernelpick import cli

QUOTED = '"in, or so"'


@pytest.fixture
def numbers(tmp_path):
    """A model, and rows that it has not seen."""
    assert run(write_numbers(tmp_path / "s.csv"), "--target", "y", "--model", tmp_path / "m.kpick", "--quiet") == 0
    return tmp_path / "m.kpick", write_numbers(tmp_path / "new.csv", 50, seed=1)


@pytest.fixture
def classes(tmp_path):
    path = tmp_path / "c.csv"
    rng = np.random.default_rng(0)
    path.write_text("x,kind\n" + "".join(f"{x:.3f},{QUOTED if abs(x) < 1 else 'out'}\n" for x in rng.normal(size=300)))
    assert run(path, "--target", "kind", "--model", tmp_path / "c.kpick", "--quiet") == 0
    return tmp_path / "c.kpick", path


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def predict(*arguments):
    return cli.main(["predict", *map(str, arguments)])


def test_predictions_are_those_of_the_model(numbers, tmp_path, capsys):
    import pandas

    model, path = numbers
    before, frame = model.read_bytes(), pandas.read_csv(path)
    assert predict(model, path, "--interval", 0.8) == 0
    told = capsys.readouterr()
    rows, kept = rows_of(told.out), kernelpick.load(model)
    expected = kept.predict(frame[["a", "b", "city"]])
    assert [float(row["prediction"]) for row in rows] == expected.tolist()
    ends = [[float(row["lower"]), float(row["upper"])] for row in rows]
    assert ends == kept.predict_interval(frame[["a", "b", "city"]], 0.8).tolist()
    assert (
        f"50 rows predicted; mean absolute error {np.abs(expected - frame['y']).mean():.4g} where y is known"
        in told.err
    )
    assert model.read_bytes() == before
    frame[["city", "b", "a"]].to_csv(tmp_path / "other.csv", index=False)  # in another order, without the target
    assert predict(model, tmp_path / "other.csv", "--predictions", tmp_path / "p.csv") == 0
    rows = rows_of((tmp_path / "p.csv").read_text())
    assert [float(row["prediction"]) for row in rows] == expected.tolist() and {row["label"] for row in rows} == {""}
    assert predict(model, tmp_path / "other.csv", "--predictions", tmp_path / "p.csv") == 2
    assert "is there already" in capsys.readouterr().err


def test_a_bad_row_stops_it_and_all_before_is_written(numbers, tmp_path, capsys):
    model, path = numbers
    path.write_text(path.read_text() + "1,2\n")
    for to in ((), ("--predictions", tmp_path / "p.csv")):
        assert predict(model, path, *to) == 3
        told = capsys.readouterr()
        assert "line 52" in told.err and told.err.count("kernelpick: ") == 1
        assert len(rows_of((tmp_path / "p.csv").read_text() if to else told.out)) == 50
    assert predict(model, path, "--on-error", "skip") == 0
    assert "50 rows predicted, 1 refused" in capsys.readouterr().err


def test_classes_and_their_sets(classes, capsys):
    model, path = classes
    assert predict(model, path, "--interval", 0.9) == 0
    rows = rows_of(capsys.readouterr().out)
    assert {row["prediction"] for row in rows} == {"in, or so", "out"} and len(rows) == 300
    assert {"in, or so", "out"} <= {row["set"] for row in rows} <= {"", "in, or so", "out", "in, or so|out"}


def test_a_model_of_another_shape_is_refused(numbers, classes, tmp_path, capsys):
    path = numbers[1]
    assert predict(classes[0], path) == 2
    assert "is no table for the model" in capsys.readouterr().err
    kernelpick.KernelRegressor("rf-oks++", n_features=8, random_state=0).fit(np.eye(3), np.arange(3)).save(
        tmp_path / "a"
    )
    assert predict(tmp_path / "a", path) == 2
    assert "began with an array" in capsys.readouterr().err
    (tmp_path / "junk").write_bytes(b"junk" * 100)
    for command in (
        ["predict", tmp_path / "junk", path],
        ["inspect", tmp_path / "junk"],
        ["inspect", tmp_path / "none"],
    ):
        assert cli.main(list(map(str, command))) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_reader_that_goes_away_is_no_failure(numbers):
    """As head does."""
    command = [sys.executable, "-m", "kernelpick.cli", "predict", str(numbers[0]), str(numbers[1])]
    environment = os.environ | {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(120) == 141


def test_what_a_model_holds_is_told(numbers, classes, capsys):
    assert cli.main(["inspect", str(numbers[0])]) == 0
    told = capsys.readouterr().out
    for words in ("rows learned  600", "y, regression", "city=Bonn", "in the lead", "row 512", "600, to the end"):
        assert words in told
    assert cli.main(["inspect", str(classes[0])]) == 0
    assert "in, or so, out" in capsys.readouterr().out


def test_models_of_python_are_told_too(tmp_path, capsys):
    from kernelpick.river import KernelRegressor

    model = KernelRegressor("rf-oks++", n_features=8, seed=0)
    for row in range(40):
        model.learn_one({"x": row / 7, "city": "ab"[row % 2]}, row / 5)
    model.metadata = {"owner": "me"}
    model.save(tmp_path / "m")
    kernelpick.KernelRegressor().save(tmp_path / "fresh")
    for name, words in (("m", "{'owner': 'me'}"), ("fresh", "none yet")):
        assert cli.main(["inspect", str(tmp_path / name)]) == 0
        assert words in capsys.readouterr().out
        assert cli.main(["inspect", str(tmp_path / name), "--html", str(tmp_path / "p.html")]) == 0


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)


def test_a_process_of_its_own_can_do_it(numbers):
    """Where nothing else has been imported."""
    command = [sys.executable, "-m", "kernelpick.cli", "inspect", str(numbers[0])]
    environment = os.environ | {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0 and "rows learned  600" in done.stdout, done.stderr


def test_the_page_has_the_plots(numbers, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert cli.main(["inspect", str(numbers[0]), "--html", str(page)]) == 0
    tags = Tags()
    tags.feed(page.read_text(encoding="utf-8"))
    assert tags.seen.count("figure") == 3 and tags.seen.count("table") >= 4
    assert "http" not in page.read_text(encoding="utf-8").replace("http://www.w3.org", "")
    assert_readable(page.read_text(encoding="utf-8"), tmp_path)
