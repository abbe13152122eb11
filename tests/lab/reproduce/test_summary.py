"""The comparison with the published numbers, on made-up ones."""

import math

import pytest

from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.reproduce.summary import as_csv, summarise, tolerance


@pytest.fixture
def results(tmp_path):
    with Results(tmp_path) as results:
        yield results


def fill(results, cell, result, values):
    """values maps a step scale to the values of its permutations."""
    for scale, row in values.items():
        for permutation, value in enumerate(row):
            results.add(Run(cell, "published", permutation, scale), result(value), "-")


def test_the_tolerance():
    assert tolerance(0.0, 0.2, 0.0) == pytest.approx(0.01)
    assert tolerance(0.03, 0.2, 0.04) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("values", "within"),
    [
        ((0.2099, 0.2099), True),
        ((0.2101, 0.2101), False),
        ((0.1901, 0.1901), True),
        ((0.1, 0.34), True),
        ((0.22, 0.23), False),
    ],
)
def test_within(results, cell, result, values, within):
    mine = cell("rf-oks++", mean=0.2, std=0.0)
    fill(results, mine, result, {None: values})
    (line,) = summarise([mine], ["published"], 2, results)
    assert line.within is within and line.step_scale is None and line.seconds == 0.5
    assert line.std == pytest.approx(abs(values[0] - values[1]) / math.sqrt(2))


def test_hindsight_takes_the_best_mean_over_all_permutations(results, cell, result):
    mine = cell("rf-oks")
    fill(results, mine, result, {1.0: (0.5, 0.5), 5.0: (0.1, 0.7), 10.0: (0.3, 0.4), 25.0: (0.01, math.inf)})
    (line,) = summarise([mine], ["published"], 2, results)
    assert line.step_scale == 10.0 and line.mean == pytest.approx(0.35)
    (line,) = summarise([mine], ["published"], 1, results)
    assert line.step_scale == 25.0 and line.std == 0.0


def test_where_all_diverge_nothing_is_within(results, cell, result):
    mine = cell("rf-oks")
    fill(results, mine, result, dict.fromkeys(mine.step_scales, (math.inf, 0.1)))
    (line,) = summarise([mine], ["published"], 2, results)
    assert line.mean == math.inf and not line.within


def test_the_csv(results, cell, result):
    mine = cell("rf-oks++", mean=0.2, std=0.001)
    fill(results, mine, result, {None: (0.2, 0.3)})
    assert as_csv(summarise([mine], ["published"], 2, results)) == (
        "table,algorithm,loss,dataset,settings,mean,std,paper_mean,paper_std,within\n"
        "9,rf-oks++,square,bank,published,0.25,0.0707107,0.2,0.001,True\n"
    )
