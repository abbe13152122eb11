"""Algorithms beside the paper's tables: run like the others, shown, never counted."""

import csv
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from kernelpick.cli import main
from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.reproduce import plan
from kernelpick.lab.reproduce.added import with_guests
from kernelpick.lab.reproduce.cells import all_cells, chosen
from kernelpick.lab.reproduce.runs import Run, specification

PLUGIN = """
import kernelpick
kernelpick.register("mine", kernelpick.Algorithm("features", "constant", "exp3"))
"""
ASKED = ["reproduce", "--datasets", "bank", "--tables", "9", "--algorithms", "rf-oks++"]


def test_one_line_for_each_dataset_of_each_table_after_the_others():
    cells, left_out = with_guests(all_cells(), "rf-ioks-adagrad", ["published"])
    added = [cell for cell in cells if cell.published is None]
    groups = {(cell.table, cell.dataset) for cell in all_cells()}
    assert len(added) == len(groups) == len({cell[:4] for cell in added}) and left_out == []
    assert [cell for cell in cells if cell.published] == list(all_cells())
    for before, cell, after in zip(cells, cells[1:], [*cells[2:], None], strict=False):
        if cell.published is None:
            assert before[0] == cell[0] and before[2:4] == cell[2:4] and before.metric == cell.metric
            assert after is None or after[2:4] != cell[2:4] or after[0] != cell[0]


@pytest.mark.parametrize(
    ("guest", "table", "dataset", "size"),
    [
        ("leader", "6", "elevators", 400),  # rf-oks++
        ("leader", "9", "bank", 400),
        ("rf-ioks-newton", "5", "a9a", 400),
        ("leader", "8", "SUSY", 400),
        ("oks", "9", "bank", None),
        ("lkmbooks", "3", "bank", None),
    ],
)
def test_the_size_is_that_of_the_papers_own(guest, table, dataset, size):
    cells, _ = with_guests(chosen(table, dataset), guest, ["published"])
    assert cells[-1].algorithm == guest and cells[-1].size == size


def test_without_a_size_a_guest_has_the_usual_one():
    cells, _ = with_guests(chosen("3", "bank"), "leader,auto,lkmbooks", ["published"])
    sizes = [specification(Run(cell, "published", 0, None), 10, 32).n_features for cell in cells[-3:]]
    assert sizes[0] == 400 and 64 <= sizes[1] <= 256


def test_what_an_algorithm_refuses_is_left_out_with_a_sentence():
    cells, left_out = with_guests(chosen("3,4,7", "bank,elevators"), "rf-oks++", ["published"])
    assert {cell.table for cell in cells if cell.published is None} == {3}
    (sentence,) = left_out
    assert sentence.startswith("rf-oks++ is not added to tables 4, 7: rf-oks++ needs a smooth loss and absolute is not")
    cells, left_out = with_guests(chosen("9", "bank"), "raker", ["published"])
    assert left_out == ["raker is not added to table 9: the paper has it there."] and len(cells) == 5


def test_nothing_is_assumed_of_the_settings_of_a_guest():
    cells, _ = with_guests(chosen("9", "bank"), "rf-oks-adagrad", ["published", "paper"])
    (run,) = plan.runs(cells[-1:], ["paper"], 1)
    assert plan.twin(run) == run and plan.seconds(run) > 0 and lookup(run.cell.dataset).rows == 8192


@pytest.fixture
def command(made_up, tmp_path, write):
    """command(*more) runs it in a process of its own, as plugins stay in a process."""
    path = write("mine.py", PLUGIN)

    def command(*more, plugin=path):
        arguments = [*ASKED, "--data", str(made_up), "--out", str(tmp_path / "out"), "--plugin", str(plugin), *more]
        return subprocess.run(
            [sys.executable, "-m", "kernelpick.cli", *arguments], capture_output=True, text=True, timeout=300
        )

    return command


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.programs
def test_a_plugins_algorithm_runs_in_workers_and_is_shown_but_not_counted(command, tmp_path):
    out = tmp_path / "out"
    done = command("--add", "mine,leader", "--repeats", "2", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "published settings: " in done.stdout and " of 1 cells are within" in done.stdout
    assert [line.split()[1] for line in done.stdout.splitlines() if " bank " in line] == [
        "rf-oks++", "mine", "leader",
    ]  # fmt: skip
    own, mine, leader = rows(out / "summary.csv")
    assert mine["algorithm"] == "mine" and mine["paper_mean"] == mine["paper_std"] == mine["within"] == ""
    assert own["within"] in ("True", "False") and float(mine["mean"]) > 0 and leader["algorithm"] == "leader"
    document = ElementTree.fromstring((out / "report.html").read_text())
    assert len(document.findall(".//tr[td]")) == 3 and len(document.findall(".//td[@title]")) == 1
    assert document.find(".//div[@class='verdict']/div/b").text.endswith(" of 1")
    stamps = {row["algorithm"]: row["stamp"] for row in rows(out / "results.csv")}
    assert stamps["mine"] == f"{stamps['leader']}-{stamps['mine'][-12:]}" and stamps["leader"] == stamps["rf-oks++"]

    first = (out / "results.csv").read_bytes()
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN + "# edited\n")
    again = command("--add", "mine,leader", "--repeats", "2", "--jobs", "1")
    assert again.returncode == 0 and "2 runs of added algorithms in" in again.stderr
    after = (out / "results.csv").read_bytes()
    assert after.startswith(first) and len(rows(out / "results.csv")) == 8
    third = command("--add", "mine,leader", "--repeats", "2", "--jobs", "1")
    assert third.returncode == 0 and (out / "results.csv").read_bytes() == after


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--add", "leeder"], "Unknown algorithm 'leeder': did you mean 'leader'"),
        (["--plugin", "absent.py"], "absent.py is not a file; correct --plugin"),
    ],
)
def test_errors_are_one_sentence(more, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", *more]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and words in told.err and list(tmp_path.iterdir()) == []
