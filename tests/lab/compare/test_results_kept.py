"""kernelpick compare: results that are used again, and those that are not."""

import json
import re

import pytest
from lab.compare.quickly import QUICK, rows

from kernelpick.cli import main
from kernelpick.lab.compare import book, command, contest, stamps


def test_what_is_done_is_not_done_again(table, tmp_path, monkeypatch, capsys):
    arguments = ["compare", str(table()), *QUICK, "--repeats", "2", "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    first, told = (tmp_path / "out" / "results.csv").read_bytes(), capsys.readouterr().out
    monkeypatch.setattr(command, "hold", None)
    assert main(arguments) == 0
    assert (tmp_path / "out" / "results.csv").read_bytes() == first and capsys.readouterr().out == told


@pytest.mark.parametrize("kept", [2, 3])
def test_results_from_before_there_were_further_measures(table, tmp_path, monkeypatch, capsys, kept):
    arguments = ["compare", str(table()), *QUICK, "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    curves = tmp_path / "out" / "curves.jsonl"
    lines = [json.loads(line) for line in curves.read_text().splitlines()]
    assert all(len(line) == 4 for line in lines)
    older = [[*line[:2], line[2][:2]][:kept] for line in lines]  # a coverage and a width came first
    curves.write_text("".join(json.dumps(line) + "\n" for line in older))
    monkeypatch.setattr(command, "hold", None)
    capsys.readouterr()
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert len(re.findall(r"\d +- +- +\d", told)) == 4 and len(re.findall("- +- *$", told, re.M)) == {2: 4, 3: 2}[kept]


def test_results_of_other_code_or_data_are_not_used(table, tmp_path, monkeypatch, capsys):
    path, out = table(), tmp_path / "out"
    arguments = ["compare", str(path), *QUICK, "--out", str(out)]
    assert main(arguments) == 0
    stamps.stamp.cache_clear()
    changed = dict.fromkeys(["rf-oks++", "raker"], "other")
    monkeypatch.setattr(book, "stamp", lambda *told: changed.get(told[1]) or stamps.stamp(*told))
    capsys.readouterr()
    assert main(arguments) == 0
    assert "2 results in" in capsys.readouterr().err and len(rows(out)) == 6
    assert [row["stamp"] == "other" for row in rows(out)] == [False] * 4 + [True] * 2


def test_a_stamp_is_of_the_code_and_the_file(table, tmp_path, monkeypatch):
    wanted = contest.Wanted(str(table()))
    ours, peer = (stamps.stamp(wanted, name) for name in ("rf-oks++", "river-tree"))
    assert ours != peer
    with open(wanted.name, "a") as file:
        file.write("\n")
    stamps.stamp.cache_clear()
    assert stamps.stamp(wanted, "rf-oks++") != ours
