"""The whole command on made-up files."""

import io
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import pytest
from browser import assert_readable
from lab.compare.quickly import QUICK, rows
from rich.console import Console

from kernelpick.cli import main
from kernelpick.lab.compare import book, command, contest, peers, stamps
from kernelpick.lab.compare import table as tables
from kernelpick.lab.compare.contest import Score
from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.datasets.registry import REGISTRY


def without_times(folder):
    return [{k: v for k, v in row.items() if k != "seconds_per_round"} for row in rows(folder)]


def test_what_is_shown_and_written(table, tmp_path, capsys):
    out, path = tmp_path / "out", table()
    assert main(["compare", str(path), *QUICK, "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert (
        f"{path}: regression, 120 rows of 4 columns, in windows of 6; mean squared error of the target scaled to [0, 1]"
        in told
    )
    for name in ("rf-oks++", "raker", "constant", "sklearn-rbf"):
        held = r"0\.\d{4} +\d\.\d{4}" if name in ("rf-oks++", "raker") else "- +-"
        errors = r"( +\d\.\d{6}){2} +-?\d\.\d{4}"  # so far, in the last window, and kappa
        assert re.search(rf"^ +{re.escape(name)}{errors} +[\d,.]+ +[\d.]+ k?M?B +{held}", told, re.M)
    assert re.search(r"^rf-oks\+\+ is better than [01] of 1 peers\.$", told, re.M)
    assert sorted(file.name for file in out.iterdir()) == [".lock", "compare.html", "curves.jsonl", "results.csv"]
    assert [row["contestant"] for row in rows(out)] == ["rf-oks++", "raker", "constant", "sklearn-rbf"]
    assert {row["order"] for row in rows(out)} == {"file"} and {row["rows"] for row in rows(out)} == {"120"}


def test_an_algorithm_of_classifiers(table, tmp_path, capsys):
    """It has the loss that it is made for; a stream of numbers is refused before anything is held."""
    labels, numbers, out = table(name="labels.csv", labels=("l", "h")), table(name="numbers.csv"), tmp_path / "out"
    given = ["--algorithms", "rf-bao2ks", "--peers", "constant", "--out", str(out)]
    assert main(["compare", str(labels), str(numbers), *given]) != 0
    assert "rf-bao2ks learns labels by the hinge loss alone" in capsys.readouterr().err and rows(out) == []
    assert main(["compare", str(labels), *given]) == 0
    assert [row["contestant"] for row in rows(out)] == ["rf-bao2ks", "constant"]


def test_the_page_is_well_formed_and_alone(table, tmp_path):
    paths = [str(table(name=name, labels=labels)) for name, labels in {"a & b.csv": None, "c": ("l", "h")}.items()]
    assert main(["compare", *paths, *QUICK, "--repeats", "2", "--shuffle", "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "compare.html").read_text()
    document = ElementTree.fromstring(page)
    assert len(document.findall(".//h2")) == 2 and len(document.findall(".//tr[td]")) == 8
    assert [chart.get("aria-label") for chart in document.findall(".//svg[@aria-label]")] == [
        f"error {how} on {path}" for path in paths for how in ("over the rounds", "by windows")
    ]
    assert page.count(" ± ") >= 8 and "Error in each window of 6 rows." in page
    assert not re.search(r"https?:|//[a-z]|@import|url\(|<script|<link|\bsrc=", page)
    assert "is better than every peer on" in page
    assert_readable(page, tmp_path)


def test_a_dataset_of_the_paper_is_permuted(tmp_path):
    if not os.environ.get("KERNELPICK_DATA"):
        pytest.skip("KERNELPICK_DATA is not set")
    if not any((REGISTRY["bank"].files[0] in name) for name in os.listdir(os.environ["KERNELPICK_DATA"])):
        pytest.skip("the dataset bank is not in the folder KERNELPICK_DATA")
    few = ["--rows", "300", "--algorithms", "raker", "--peers", "constant", "--out", str(tmp_path)]
    assert main(["compare", "bank", *few, "--seed", "3"]) == 0
    assert [(row["order"], row["seed"], row["rows"]) for row in rows(tmp_path)] == [("shuffled", "3", "300")] * 2


@pytest.mark.programs
def test_errors_do_not_depend_on_the_number_of_jobs(table, tmp_path):
    path = str(table())
    for jobs in ("1", "2"):
        arguments = ["compare", path, *QUICK, "--repeats", "2", "--out", str(tmp_path / jobs), "--jobs", jobs]
        assert main(arguments) == 0
    one, two = (sorted(without_times(tmp_path / jobs), key=str) for jobs in ("1", "2"))
    assert one == two and len(one) == 8


@pytest.mark.programs
def test_interrupted_and_started_again(table, tmp_path):
    out = tmp_path / "out"
    arguments = ["compare", str(table(400)), *QUICK, "--repeats", "12", "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "kernelpick.cli", *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    while process.poll() is None and len(rows(out)) < 40:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    if process.returncode == 0:
        pytest.skip("it was faster than the interruption")
    last = told.strip().splitlines()[-1]
    assert process.returncode == 130 and "Traceback" not in told
    assert last == f"kernelpick: Interrupted: what is done is kept in {out}, and the same command goes on."
    before = (out / "results.csv").read_bytes()
    assert main(arguments) == 0 and len(rows(out)) == 48
    assert (out / "results.csv").read_bytes().startswith(before)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "The following arguments are required: DATA"),
        (["nowhere.csv"], "There is no dataset 'nowhere.csv'"),
        (["bank", "--algorithms", "rf-oks+"], "did you mean 'rf-oks++'"),
        (["bank", "--peers", "river"], "Unknown peer 'river'"),
        (["bank", "--task", "clasification"], "did you mean 'classification'"),
        (["bank", "--repeats", "0"], "--repeats must be a whole number from 1 up, not 0."),
        (["bank", "--rows", "1"], "--rows must be a whole number from 2 up, not 1."),
        (["bank", "--jobs", "0"], "--jobs must be a whole number from 1 up, not 0."),
        (["bank", "--seed", "-1"], "--seed must be a whole number from 0 up, not -1."),
        (["bank", "--target", "x"], "--target is for files"),
        (["bank", "--data", "no/such/folder"], "--data names"),
        (["."], "a folder without files; name one that holds some."),
        (["river:Sin"], "did you mean 'Sine'"),
        (["river:Bananas", "--target", "x"], "leave --target and --task out"),
    ],
)
def test_errors_are_one_sentence(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["compare", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("kernelpick: ") and told.err.count("\n") == 1 and words in told.err
    assert list(tmp_path.iterdir()) == []


def score(error, lost=0, note=""):
    return Score(error, 1e-5, 1234, lost, note, [error] * 60)


def test_the_best_comes_first_and_failures_are_told(regression, classification):
    def stand(name, *errors):
        return Standing(name, tuple(map(score, errors)))

    first = [stand("raker", 0.1, 0.2), stand("river-tree", 0.2, 0.2), stand("constant", 0.3, 0.3)]
    lost = Standing("vw", (score(float("inf"), 3, "stopped after 4 rows: overflow"), score(0.1)))
    second = [stand("river-tree", 0.01), stand("raker", 0.02), stand("river-linear", 12345.0)]
    boards = [Board(regression, [*first, lost], "raker"), Board(classification, second, "raker")]
    console = Console(file=io.StringIO(), width=120)
    tables.show(boards, ["Skipped: all."], console)
    shown = " ".join(console.file.getvalue().split())
    for words in (
        "0.150000 ± 0.070711", "infinite", "1.2e+04", "vw: 3 answers were no finite number", "1.23 kB",
        "vw stopped after 4 rows: overflow.", "raker is better than 2 of 2 peers.", "mean of 2 runs",
        "raker is better than 1 of 2 peers.", "raker is better than every peer on 1 of 2 streams. Skipped: all.",
    ):  # fmt: skip
        assert words in shown, words


def test_peers_that_learn_labels_only_are_skipped_with_a_word(table, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(peers.PEERS, "constant", peers.PEERS["constant"]._replace(labels_only=True))
    labels, numbers = (str(table(name=name, labels=to)) for name, to in {"l.csv": ("a", "b"), "n.csv": None}.items())
    given = ["--algorithms", "raker", "--peers", "constant,no-change", "--out", str(tmp_path / "out")]
    assert main(["compare", labels, numbers, *given]) == 0
    played = [(row["dataset"], row["contestant"]) for row in rows(tmp_path / "out")]
    assert played == [(labels, name) for name in ("raker", "constant", "no-change")] + [
        (numbers, name) for name in ("raker", "no-change")
    ]
    assert f"Skipped on {numbers}: constant, which learn labels only." in capsys.readouterr().out


def test_the_streams_of_river(tmp_path, capsys):
    pytest.importorskip("river")
    given = ["--rows", "60", "--algorithms", "raker", "--peers", "no-change", "--out", str(tmp_path / "out")]
    assert main(["compare", "river:Bananas", "river:Planes2D", *given]) == 0
    played = [(row["dataset"], row["task"], row["rows"], row["order"]) for row in rows(tmp_path / "out")]
    assert played[::2] == [
        ("river:Bananas", "classification", "60", "file"),
        ("river:Planes2D", "regression", "60", "file"),
    ]
    assert "river:Planes2D: regression, 60 rows of 10 columns" in capsys.readouterr().out
    names = command.expanded(["a.csv", "river:streams"])
    assert len(names) == 13 and names[0] == "a.csv" and "river:FriedmanDrift-gsg" in names


def test_a_stamp_of_a_stream_without_a_file_is_of_its_rows():
    pytest.importorskip("river")
    first, again, other = (
        contest.Wanted(name, rows=rows) for name, rows in [("river:Sine", 50), ("river:Sine", 60), ("river:Mixed", 50)]
    )
    assert stamps.stamp(first, "raker") == stamps.stamp(again, "raker") != stamps.stamp(other, "raker")


def test_without_peers(table, tmp_path, capsys):
    path = str(table())
    assert main(["compare", path, "--algorithms", "raker", "--peers", "none", "--out", str(tmp_path / "a")]) == 0
    assert "better" not in capsys.readouterr().out


@pytest.mark.programs
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_plugins_algorithm_takes_part(table, tmp_path, write, jobs):
    plugin = "import kernelpick\nkernelpick.register('my <own>', kernelpick.Algorithm('features', 'ridge', 'hedge'))\n"
    arguments = ["compare", str(table()), "--algorithms", "my <own>,raker", "--peers", "constant", "--jobs", jobs]
    arguments += ["--plugin", str(write("mine.py", plugin)), "--out", str(tmp_path / "out")]
    command = [sys.executable, "-m", "kernelpick.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = {row["contestant"]: row for row in rows(tmp_path / "out")}
    assert found["my <own>"]["error"] == found["raker"]["error"] and len(found) == 3
    assert found["my <own>"]["stamp"].startswith(found["raker"]["stamp"] + "-")
    ElementTree.fromstring((tmp_path / "out" / "compare.html").read_text())


def test_two_commands_do_not_write_to_one_folder(table, tmp_path, capsys):
    arguments = ["compare", str(table()), *QUICK, "--out", str(tmp_path / "out")]
    with book.ScoreBook(tmp_path / "out").journal:
        assert main(arguments) == 2
    told = capsys.readouterr().err
    assert "Another kernelpick command is writing to" in told and told.count("\n") == 1
    assert main(arguments) == 0
