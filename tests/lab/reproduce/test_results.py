"""Results on disk: what was done stays done."""

import csv
import math

import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run


@pytest.fixture
def runs(cell):
    return [Run(cell("rf-oks"), "published", permutation, 5.0) for permutation in range(3)]


@pytest.fixture
def folder(tmp_path, runs, result):
    with Results(tmp_path / "new") as results:
        results.add(runs[0], result(0.1 + 0.2), "one")
        results.add(runs[1], result(math.inf), "one")
    return tmp_path / "new"


def test_results_are_read_back_exactly(folder, runs, result):
    results = Results(folder)
    assert results[runs[0]] == result(0.1 + 0.2)._replace(losses=[0.3] * 60) and results[runs[1]].value == math.inf
    for other in (
        runs[2],
        runs[0]._replace(step_scale=1.0),
        runs[0]._replace(inputs=(0.0, 1.0)),
        runs[0]._replace(cell=runs[0].cell._replace(size=7)),
    ):
        assert other not in results


def test_the_columns(folder):
    rows = list(csv.DictReader((folder / "results.csv").open()))
    header = "table,algorithm,loss,dataset,settings,permutation,metric,value,seconds,step_scale,inputs,size,stamp"
    assert ",".join(rows[0]) == header
    first = "9,rf-oks,square,bank,published,0,mean_loss,0.30000000000000004,0.500000,5,,450,one"
    assert ",".join(rows[0].values()) == first


@pytest.mark.parametrize("name", ["results.csv", "curves.jsonl"])
def test_a_torn_line_is_cut_off_and_its_run_done_again(folder, runs, result, name):
    path = folder / name
    path.write_bytes(path.read_bytes()[:-7])
    results = Results(folder)
    assert runs[0] in results and runs[1] not in results
    with results:
        results.add(runs[1], result(0.5), "one")
    assert Results(folder)[runs[1]].value == 0.5
    assert "\n\n" not in path.read_text()


def test_a_file_without_a_whole_line(folder, runs):
    (folder / "results.csv").write_text("table,algo")
    with Results(folder) as results:
        assert runs[0] not in results
    assert (folder / "results.csv").read_text().startswith("table,algorithm,")


def test_results_of_other_code_are_told(folder, runs):
    results = Results(folder)
    assert results.foreign(runs, lambda run: "one") == []
    assert results.foreign(runs, lambda run: "two") == runs[:2]


@pytest.mark.parametrize(("name", "line"), [("results.csv", 4), ("curves.jsonl", 3)])
def test_a_damaged_file_is_told_with_its_line(folder, name, line):
    with (folder / name).open("a") as file:
        file.write("9,rubbish\n")
    with pytest.raises(DataError, match=rf"{name}, line {line}: this is no"):
        Results(folder)
