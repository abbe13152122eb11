"""The tables in equal time: who is the reference, how it is timed, and sizes that stay."""

import csv
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from kernelpick.cli import main
from kernelpick.lab.reproduce import equal_time
from kernelpick.lab.reproduce.cells import all_cells, chosen
from kernelpick.lab.reproduce.sizes import keep, name, sizes_in
from kernelpick.lab.reproduce.sizing import SideBySide, Sizing

ASKED = ["reproduce", "--equal-time", "--tables", "9", "--datasets", "bank", "--repeats", "1", "--jobs", "1"]


def test_the_reference_of_each_table():
    for cell in equal_time.constrained(all_cells()):
        reference = equal_time.reference(cell)
        assert reference.size == 400 and reference.table == cell.table and reference[2:4] == cell[2:4]
        assert reference.algorithm == ("rf-ioks" if cell.loss == "absolute" else "rf-oks++")


def test_exact_hypotheses_have_no_size(capsys, cell):
    assert len(equal_time.constrained(all_cells())) == 56
    guest = cell("rf-oks")._replace(algorithm="oks", size=None, published=None)
    assert equal_time.constrained([cell("rf-oks"), guest]) == [cell("rf-oks")]
    assert capsys.readouterr().err.startswith("oks is left out: its time a round grows with the stream")
    with pytest.raises(ValueError, match="tables with a time constraint, 5 to 10"):
        equal_time.constrained(chosen("2"))


def test_the_reference_is_measured_each_time(monkeypatch, cell):
    asked = []

    def timed(runs, X, y):
        asked.append([(run.cell.algorithm, run.cell.size, run.settings, run.step_scale) for run in runs])
        return [float(run.cell.size) for run in runs]

    monkeypatch.setattr(equal_time, "seconds_a_round", timed)
    clock = equal_time.clock_over(cell("raker"), "paper", np.zeros((10, 2)), np.zeros(10))
    assert clock([30, 60]) == SideBySide(400.0, [30.0, 60.0])
    assert asked == [[("rf-oks++", 400, "paper", None), ("raker", 30, "paper", 1.0), ("raker", 60, "paper", 1.0)]]


def test_sizes_are_read_back(tmp_path, cell):
    found = Sizing(37, 3.25e-6, 3.2e-6, [(20, 0.5), (37, 1.0156)])
    with sizes_in(tmp_path) as journal:
        keep(journal, cell("raker"), "paper", found, "one")
    again = sizes_in(tmp_path)
    assert again[name(cell("raker", size=99), "paper")] == ("one", found) and len(list(again)) == 1


@pytest.fixture
def machine(monkeypatch):
    """Sizes by a fake clock; the list of the algorithms that were measured."""
    asked = []

    def measured(cell, settings, data_dir):
        asked.append(cell.algorithm)
        size = {"rf-oks++": 400, "raker": 12, "lkmbooks": 16}.get(cell.algorithm, 24)
        return Sizing(size, 2e-6, 2e-6, [(size, 1.0)])

    monkeypatch.setattr(equal_time, "measured", measured)
    return asked


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_command_keeps_its_sizes_and_goes_on_with_them(machine, made_up, tmp_path, capsys):
    out = tmp_path / "out"
    asked = [*ASKED, "--data", str(made_up), "--out", str(out)]
    assert main([*asked, "--algorithms", "raker,rf-oks++"]) == 0
    assert machine == ["raker", "rf-oks++"]
    first = (out / "sizes" / "results.csv").read_bytes()
    assert main(asked) == 0
    assert machine[2:] == ["rf-oks", "lkmbooks", "rf-ioks"]
    assert (out / "sizes" / "results.csv").read_bytes().startswith(first)
    done = (out / "results.csv").read_bytes()
    assert main(asked) == 0 and len(machine) == 5 and (out / "results.csv").read_bytes() == done

    told = capsys.readouterr().out
    assert (
        "Table 9: square loss, with a time constraint, in equal time" in told and "From the best to the worst" in told
    )
    table = {row["algorithm"]: row for row in rows(out / "equal-time.csv")}
    assert {name: row["size"] for name, row in table.items()} == {
        "rf-oks": "24", "lkmbooks": "16", "raker": "12", "rf-ioks": "24", "rf-oks++": "400",
    }  # fmt: skip
    assert {row["settings"] for row in table.values()} == {"paper"} and table["raker"]["paper_size"] == "50"
    assert {(row["algorithm"], row["size"]) for row in rows(out / "results.csv")} == {
        (name, row["size"]) for name, row in table.items()
    }
    document = ElementTree.fromstring((out / "equal-time.html").read_text())
    assert len(document.findall(".//tr[td]")) == 5 + 1


def test_sizes_of_other_code_or_data_are_not_mixed(machine, made_up, tmp_path, capsys):
    out = tmp_path / "out"
    asked = [*ASKED, "--algorithms", "raker", "--out", str(out)]
    assert main([*asked, "--data", str(made_up)]) == 0
    (tmp_path / "bank32nh.arff").write_bytes((made_up / "bank32nh.arff").read_bytes() + b"\n")
    capsys.readouterr()
    assert main([*asked, "--data", str(tmp_path)]) == 2 and machine == ["raker"]
    told = capsys.readouterr().err
    assert "holds sizes on bank by another version of kernelpick or on other data" in told and told.count("\n") == 1


def test_of_an_added_algorithm_that_was_edited_the_size_is_measured_again(machine, made_up, tmp_path, monkeypatch):
    asked = [*ASKED, "--algorithms", "raker", "--add", "leader", "--data", str(made_up), "--out", str(tmp_path)]
    assert main(asked) == 0 and machine == ["raker", "leader"]
    stamp_of = equal_time.stamp_of
    edited = {"leader": "-edited"}
    monkeypatch.setattr(
        equal_time, "stamp_of", lambda run, *rest: stamp_of(run, *rest) + edited.get(run.cell.algorithm, "")
    )
    assert main(asked) == 0 and machine == ["raker", "leader", "leader"]


def test_an_interruption_keeps_the_sizes_that_are_known(machine, monkeypatch, made_up, tmp_path, capsys):
    calm = equal_time.measured

    def interrupted(cell, settings, data_dir):
        if cell.algorithm == "raker":
            raise KeyboardInterrupt
        return calm(cell, settings, data_dir)

    asked = [*ASKED, "--algorithms", "rf-oks,raker", "--data", str(made_up), "--out", str(tmp_path)]
    monkeypatch.setattr(equal_time, "measured", interrupted)
    assert main(asked) == 130 and "the same command goes on" in capsys.readouterr().err
    monkeypatch.setattr(equal_time, "measured", calm)
    assert main(asked) == 0 and machine == ["rf-oks", "raker"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--explain"], "--explain and --equal-time are two commands"),
        (["--settings", "both"], "--equal-time takes one of the settings"),
        (["--tables", "2", "--datasets", "a9a"], "tables with a time constraint, 5 to 10"),
    ],
)
def test_what_is_refused(more, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*ASKED, *more]) == 2
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1 and list(tmp_path.iterdir()) == []


def test_a_real_clock(made_up, cell):
    """Whatever the machine does: a size, and what was measured with it."""
    found = equal_time.measured(cell("raker"), "paper", str(made_up))
    assert found.size > 0 and found.seconds > 0 < found.reference and len(found.points) > 4
    assert equal_time.measured(cell("lkmbooks"), "paper", str(made_up)).size % 128 == 0
