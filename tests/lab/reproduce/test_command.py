"""The whole command on a made-up file: the same numbers however it is run."""

import csv
import os
import signal
import subprocess
import sys
import time

import pytest

from kernelpick.cli import main

CELLS = ["--datasets", "bank", "--tables", "9", "--algorithms", "rf-oks,raker", "--repeats", "4"]
RUNS = 2 * 4 * 4


@pytest.fixture(scope="module")
def expected(made_up, tmp_path_factory):
    """The summary of an undisturbed run in this process."""
    out = tmp_path_factory.mktemp("whole")
    assert main(["reproduce", *CELLS, "--jobs", "1", "--data", str(made_up), "--out", str(out)]) == 0
    return out


def rows(folder):
    path = folder / "results.csv"
    return list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []


def same(folder, expected):
    def values(folder):
        return {(r["algorithm"], r["permutation"], r["step_scale"]): r["value"] for r in rows(folder)}

    assert values(folder) == values(expected) and len(rows(folder)) == RUNS
    assert (folder / "summary.csv").read_text() == (expected / "summary.csv").read_text()


def test_what_is_written(expected, capsys):
    assert len(rows(expected)) == RUNS and {row["step_scale"] for row in rows(expected)} == {"1", "5", "10", "25"}
    assert len((expected / "summary.csv").read_text().splitlines()) == 3
    assert (expected / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in expected.iterdir()) == [
        ".lock", "curves.jsonl", "report.html", "results.csv", "summary.csv",
    ]  # fmt: skip


@pytest.mark.programs
def test_errors_do_not_depend_on_the_number_of_jobs(expected, made_up, tmp_path):
    assert main(["reproduce", *CELLS, "--jobs", "2", "--data", str(made_up), "--out", str(tmp_path)]) == 0
    same(tmp_path, expected)


def test_what_is_done_is_not_done_again(expected, made_up, tmp_path, capsys):
    few = [*CELLS[:-1], "2", "--jobs", "1", "--data", str(made_up), "--out", str(tmp_path)]
    assert main(["reproduce", *few]) == 0 and len(rows(tmp_path)) == RUNS // 2
    first = (tmp_path / "results.csv").read_bytes()
    assert main(["reproduce", *few]) == 0 and (tmp_path / "results.csv").read_bytes() == first
    assert "raker" in capsys.readouterr().out
    assert main(["reproduce", *CELLS, "--jobs", "1", "--data", str(made_up), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "results.csv").read_bytes().startswith(first)
    same(tmp_path, expected)


def test_both_settings_compute_once_what_is_the_same(expected, made_up, tmp_path):
    more = [*CELLS[:-1], "1", "--jobs", "1", "--data", str(made_up), "--out", str(tmp_path), "--settings"]
    assert main(["reproduce", *more, "paper"]) == 0
    assert {row["settings"] for row in rows(tmp_path)} == {"paper"} and len(rows(tmp_path)) == 8
    assert main(["reproduce", *more, "both"]) == 0 and len(rows(tmp_path)) == 16
    values = {name: [set(), set()] for name in ("rf-oks", "raker")}
    for row in rows(tmp_path):
        values[row["algorithm"]][row["settings"] == "paper"].add((row["step_scale"], row["value"], row["seconds"]))
    assert values["rf-oks"][0] == values["rf-oks"][1] and not values["raker"][0] & values["raker"][1]


def test_results_of_other_code_or_data_are_not_mixed(expected, made_up, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    for name in ("results.csv", "curves.jsonl"):
        (out / name).write_bytes((expected / name).read_bytes())
    (tmp_path / "bank32nh.arff").write_bytes((made_up / "bank32nh.arff").read_bytes() + b"\n")
    assert main(["reproduce", *CELLS, "--data", str(tmp_path), "--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert "holds runs on bank by another version of kernelpick or on other data" in told and told.count("\n") == 1
    assert (out / "results.csv").read_bytes() == (expected / "results.csv").read_bytes()


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.programs)])
def test_interrupted_and_started_again(expected, made_up, tmp_path, jobs):
    command = [sys.executable, "-m", "kernelpick.cli", "reproduce", *CELLS, "--jobs", jobs]
    command += ["--data", str(made_up), "--out", str(tmp_path)]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and len(rows(tmp_path)) < 5:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C on a terminal: to the workers, too
    told = process.communicate(timeout=60)[1]
    done = len(rows(tmp_path))
    if process.returncode == 0:
        pytest.skip("it was faster than the interruption")
    last = told.strip().splitlines()[-1]
    assert process.returncode == 130 and "Traceback" not in told
    assert last == f"kernelpick: Interrupted: what is done is kept in {tmp_path}, and the same command goes on."
    assert 5 <= done < RUNS and not (tmp_path / "summary.csv").exists()
    before = (tmp_path / "results.csv").read_bytes()
    assert main(["reproduce", *CELLS, "--jobs", "1", "--data", str(made_up), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "results.csv").read_bytes().startswith(before)
    same(tmp_path, expected)
