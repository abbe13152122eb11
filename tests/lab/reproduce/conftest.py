"""Cells and results, made up."""

import pytest

from kernelpick.lab.reproduce.cells import Cell, chosen
from kernelpick.lab.reproduce.runs import RunResult


@pytest.fixture
def cell():
    """cell(algorithm, mean=..., ...) is a cell of table 9 on bank, with other numbers if given."""

    def cell(algorithm, **changes) -> Cell:
        found = chosen("9", "bank", algorithm)[0]
        numbers = {name: changes.pop(name) for name in ("mean", "std") if name in changes}
        return found._replace(published=found.published._replace(**numbers), **changes)

    return cell


@pytest.fixture
def result():
    """result(value) has curves for two kernels."""
    return lambda value, points=60: RunResult(value, 0.5, [value] * points, [[0.25, 0.75]] * points)
