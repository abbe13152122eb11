"""The paper's numbers, and the choice among them."""

from collections import Counter

import pytest

from kernelpick.lab.datasets.registry import REGISTRY
from kernelpick.lab.reproduce.cells import GRID, all_cells, chosen, title


def test_all_88_cells_are_there_once():
    cells = all_cells()
    assert Counter(cell.table for cell in cells) == {2: 12, 3: 12, 4: 8, 5: 10, 6: 10, 7: 8, 8: 10, 9: 10, 10: 8}
    assert len({cell[:4] for cell in cells}) == 88 and {cell.dataset for cell in cells} == set(REGISTRY)
    for cell in cells:
        assert (cell.seconds_per_run is None) == (cell.seconds_per_round is not None) == (cell.size is not None)
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
