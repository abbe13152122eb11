"""The command on sources of all kinds, with errors in units of the target."""

import csv
import io
import math
import re
import sys

import numpy as np
import pytest
from tables import numbers

from kernelpick.cli import main

QUICK = ["--algorithms", "raker", "--peers", "constant"]


def rows(folder):
    return list(csv.DictReader((folder / "results.csv").read_text().splitlines()))


def test_errors_in_units_of_the_target(table, tmp_path, capsys):
    """The mean so far is the constant's answer, so its error can be told beforehand."""
    arguments = ["compare", str(table()), *QUICK, "--out", str(tmp_path / "out")]
    assert main([*arguments, "--units", "target"]) == 0
    told = capsys.readouterr().out
    y = np.array([float(row.rsplit(",", 1)[1]) for row in table().read_text().splitlines()[1:]])
    answers = np.append(0.0, np.cumsum(y)[:-1] / np.arange(1, len(y)))
    low, high = np.minimum.accumulate(y)[:-1], np.maximum.accumulate(y)[:-1]
    answers[1:] = np.clip(answers[1:], low, high)
    expected = math.sqrt(np.mean((answers - y) ** 2))
    assert "root of the mean squared error, in the target's own units" in told
    assert float(re.search(r"constant +([\d.,]+)", told)[1].replace(",", "")) == pytest.approx(expected, rel=1e-4)
    assert main(arguments) == 0  # what was held is the same, and is shown in units of the range again
    assert "scaled to [0, 1]" in capsys.readouterr().out and len(rows(tmp_path / "out")) == 2


def test_a_messy_table_from_a_pipe(tmp_path, capsys, monkeypatch):
    X, y = numbers(80)
    lines = [f'{i};"x;{i % 3}";{"" if i % 7 else X[i, 0]};{X[i, 1]};{y[i]}' for i in range(80)]
    text = "\ufeffid;kind;a;b;price\r\n" + "\r\n".join([*lines[:40], "broken", *lines[40:]])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    arguments = ["compare", "-", "--target", "price", "--drop", "id", "--out", str(tmp_path / "out"), *QUICK]
    assert main(arguments) == 2
    assert "line 42: 1 field(s) where 5 are expected" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([*arguments, "--on-error", "skip"]) == 0
    told = capsys.readouterr()
    assert "parted by semicolons" in told.err and "1 rows were left out" in told.err and "80 rows of" in told.out
    first = {row["stamp"] for row in rows(tmp_path / "out")}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([*arguments, "--on-error", "skip", "--drop", "kind"]) == 0
    assert len(rows(tmp_path / "out")) == 4 and first < {row["stamp"] for row in rows(tmp_path / "out")}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--units", "euros"], "Unknown units 'euros'"),
        (["--target", "prize"], "Did you mean 'price'?"),
        (["--drop", "z"], "no column 'z' for --drop"),
        (["--header", "maybe"], "--header is yes or no"),
        (["--delimiter", "xx"], "A delimiter is a single character"),
        (["--encoding", "klingon"], "no encoding 'klingon'"),
    ],
)
def test_options_that_cannot_be(table, tmp_path, capsys, given, told):
    assert main(["compare", str(table()), *QUICK, "--out", str(tmp_path / "out"), *given]) == 2
    assert told in capsys.readouterr().err
