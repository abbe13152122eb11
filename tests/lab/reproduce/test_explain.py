"""The search for what explains a cell, on made-up results, and the command that runs it."""

import csv
import itertools
import math
import xml.etree.ElementTree as ElementTree

import pytest

from kernelpick.cli import main
from kernelpick.lab.datasets.prepared import dataset
from kernelpick.lab.reproduce import explain, explained, missing
from kernelpick.lab.reproduce.cells import chosen
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.reproduce.summary import summarise

OTHER = (0.0, 1.0)
ASKED = ["reproduce", "--explain", "--tables", "9", "--datasets", "bank", "--algorithms", "rf-oks,rf-ioks"]


@pytest.fixture
def found(tmp_path, cell, result):
    """found(here, there) explains rf-oks, published as 0.2, from values by step scale in both ranges."""

    def found(here, there, algorithm="rf-oks"):
        mine = cell(algorithm, mean=0.2, std=0.0)
        with Results(tmp_path) as results:
            for inputs, values in ((None, here), (OTHER, there)):
                for (scale, value), j in itertools.product(values.items(), range(2)):
                    results.add(Run(mine, "published", j, scale, inputs), result(value), "-")
        lines = summarise([mine], ["published"], 2, results)
        return lines, explain.explain(lines, 2, results), results

    return found


FAR = {1.0: 0.4, 5.0: 0.3, 10.0: 0.1, 25.0: math.inf}


def test_a_cell_within_the_tolerance_needs_none(found):
    assert found(FAR | {10.0: 0.199}, FAR)[1] == []


def test_another_step_scale(found):
    _, (one,), _ = found(FAR | {5.0: 0.201}, FAR)
    assert one.explained and len(one.tried) == 7 and len(one.fitting) == 1
    assert explained.setting(one.nearest, one.ours) == "s = 5, not 10"


def test_another_range_with_its_best_step_scale(found):
    _, (one,), _ = found(FAR, FAR | {10.0: 0.202})
    assert explained.setting(one.nearest, one.ours) == "in [0, 1], s = 10"
    assert one.nearest.line.mean == 0.202


def test_of_those_that_fit_fewest_departures_come_first_then_the_nearest(found):
    lines, (one,), _ = found(FAR | {5.0: 0.208, 1.0: 0.193}, {1.0: 0.2, 5.0: 0.1, 10.0: 0.201, 25.0: 0.4})
    assert [(v.inputs, v.line.step_scale, v.departures) for v in one.fitting] == [
        (None, 1.0, 1), (None, 5.0, 1), (OTHER, 1.0, 2), (OTHER, 10.0, 2),
    ]  # fmt: skip
    assert (one.nearest.inputs, one.nearest.line.step_scale) == (None, 1.0)
    assert explain.doubtful(lines, [one]) == []


def test_where_nothing_fits_it_says_so(found):
    lines, (one,), _ = found(FAR, FAR)
    assert not one.explained and one.nearest.line.within is False
    assert explained.verdict(lines, [one]) == (
        "0 of 1 cells are within the tolerance; of the other 1, 0 come out within it in another setting, "
        "and 1 of them stay unexplained."
    )
    rows = list(csv.DictReader(explained.as_csv([one]).splitlines()))
    assert len(rows) == 8 and [row["within"] for row in rows] == ["False"] * 8
    assert [row["shown"] for row in rows].count("True") == 1


def test_an_algorithm_without_a_grid_has_only_the_other_range(found):
    lines, (one,), results = found({None: 0.3}, {None: 0.2}, "rf-oks++")
    assert one.explained and explained.setting(one.nearest, one.ours) == "in [0, 1]" and len(one.tried) == 1
    (whole,) = explain.rescaled(explain.doubtful(lines, [one]), 2, results)
    assert (whole.dataset, whole.inputs, whole.within(0), whole.within(1), whole.nearer) == ("bank", OTHER, 0, 1, 1)


def test_the_other_range_is_not_the_one_in_use(made_up):
    assert explain.other_range("bank") == OTHER and explain.other_range("a9a") == (-1.0, 1.0)
    usual, other = dataset("bank", made_up), dataset("bank", made_up, inputs=OTHER)
    assert other.X == pytest.approx((usual.X + 1) / 2, abs=1e-12) and (other.y == usual.y).all()
    assert usual.X.min() == -1 and dataset("bank", made_up).X.min() == -1


def test_which_runs_are_needed():
    runs = explain.needed(chosen("9", "bank", "rf-oks,rf-ioks"), 3)
    assert len(runs) == (4 + 1) * 3 and {(run.inputs, run.settings) for run in runs} == {(OTHER, "published")}


@pytest.fixture(scope="module")
def whole(made_up, tmp_path_factory):
    """What an undisturbed command writes, of made-up data that can't give the published numbers."""
    out = tmp_path_factory.mktemp("explained")
    assert main([*ASKED, "--repeats", "2", "--jobs", "1", "--data", str(made_up), "--out", str(out)]) == 0
    return out


def test_what_is_written(whole):
    done = list(csv.DictReader((whole / "results.csv").read_text().splitlines()))
    assert len(done) == 2 * (4 + 1) * 2 and [row["inputs"] for row in done].count("0 to 1") == 10
    rows = list(csv.DictReader((whole / "explained.csv").read_text().splitlines()))
    assert len(rows) == 8 + 2 and {row["algorithm"] for row in rows} == {"rf-oks", "rf-ioks"}
    document = ElementTree.fromstring((whole / "explained.html").read_text())
    assert len(document.findall(".//table")[0].findall("tr")) == 3
    assert (whole / "summary.csv").exists() and (whole / "report.html").exists()


@pytest.mark.parametrize("after", [4, 13])
def test_interrupted_in_either_half_it_goes_on(whole, made_up, tmp_path, monkeypatch, capsys, after):
    left = iter(range(after))
    undisturbed = missing.spread

    def interrupted(*arguments):
        for result in undisturbed(*arguments):
            if next(left, None) is None:
                raise KeyboardInterrupt
            yield result

    asked = [*ASKED, "--repeats", "2", "--jobs", "1", "--data", str(made_up), "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr(missing, "spread", interrupted)
        assert main(asked) == 130 and "the same command goes on" in capsys.readouterr().err
    before = (tmp_path / "results.csv").read_bytes()
    assert before.count(b"\n") == 1 + after and not (tmp_path / "explained.csv").exists()
    assert main(asked) == 0 and (tmp_path / "results.csv").read_bytes().startswith(before)
    assert (tmp_path / "explained.csv").read_text() == (whole / "explained.csv").read_text()
    told = capsys.readouterr().out
    assert "What explains the cells outside" in told and "in another setting" in told


def test_other_settings_are_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*ASKED, "--settings", "paper"]) == 2 and list(tmp_path.iterdir()) == []
    assert "--explain explains numbers by the published settings, not paper" in capsys.readouterr().err
