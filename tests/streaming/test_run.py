"""`kernelpick run`: what it learns, says and writes."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from streaming_commands import QUICK, contents, events, frame_of, run, write_numbers

import kernelpick


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
