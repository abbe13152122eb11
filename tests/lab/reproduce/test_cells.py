"""The paper's numbers, and the choice among them."""

from collections import Counter

import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets.registry import REGISTRY
from kernelpick.lab.reproduce.cells import GRID, all_cells, chosen, read, title


def test_all_88_cells_are_there_once():
    cells = all_cells()
    assert Counter(cell.table for cell in cells) == {2: 12, 3: 12, 4: 8, 5: 10, 6: 10, 7: 8, 8: 10, 9: 10, 10: 8}
    assert len({cell[:4] for cell in cells}) == 88 and {cell.dataset for cell in cells} == set(REGISTRY)
    for cell in cells:
        run, each = cell.published.seconds_per_run, cell.published.seconds_per_round
        assert (run is None) == (each is not None) == (cell.size is not None)
        assert cell.metric == ("mistake_rate" if cell.loss == "logistic" else "mean_loss")
        assert cell.step_scales == (GRID if cell.algorithm in ("oks", "rf-oks", "raker") else (None,))


def test_a_choice():
    assert {cell.table for cell in chosen("6, 2")} == {2, 6} and len(chosen()) == 88
    pairs = [(cell.algorithm, cell.dataset) for cell in chosen("9", "bank", "raker,rf-oks")]
    assert pairs == [("rf-oks", "bank"), ("raker", "bank")]
    assert title(2) == "Table 2: logistic loss, without a time constraint"
    assert title(10) == "Table 10: absolute loss, with a time constraint"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tables": "1"}, "Unknown table '1'"),
        ({"datasets": "bnak"}, "Unknown dataset 'bnak': did you mean 'bank'"),
        ({"algorithms": "oks+"}, "Unknown algorithm 'oks\\+': did you mean 'oks\\+\\+'"),
        ({"tables": "2", "datasets": "bank"}, "No cell"),
    ],
)
def test_a_choice_that_is_none(options, words):
    with pytest.raises(ValueError, match=words):
        chosen(**options)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ("2,oks,logistic,a9a,,mistake_rate,,0.1,1,", "the column mean is blank"),
        ("2,oks,logistic,a9a,,mistake_rate,0.1, ,1,", "the column std is blank"),
        ("2,oks,logistic,a9a,,mistake_rate,0.1,o.1,1,", "'o.1' in the column std is not a finite number"),
        ("2,oks,logistic,a9a,,mistake_rate,nan,0.1,1,", "'nan' in the column mean is not a finite number"),
        ("two,oks,logistic,a9a,,mistake_rate,0.1,0.1,1,", "'two' in the column table is not a finite number"),
        ("2,oks,logistic,a9a,many,mistake_rate,0.1,0.1,1,", "'many' in the column features_or_budget is not"),
        ("2,oks,,a9a,,mistake_rate,0.1,0.1,1,", "the column loss is blank"),
        ("2,oks,logistic", "the column dataset is blank"),
    ],
)
def test_a_bad_value_in_the_table_is_told_with_its_place(tmp_path, values, words):
    header = "table,algorithm,loss,dataset,features_or_budget,metric,mean,std,seconds_per_run,seconds_per_round"
    path = tmp_path / "paper.csv"
    path.write_text(f"{header}\n2,oks,logistic,a9a,,mistake_rate,0.1,0.1,1,\n{values}\n")
    with pytest.raises(DataError) as told:
        read(path)
    assert f"{path}, line 3: {words}" in str(told.value)
