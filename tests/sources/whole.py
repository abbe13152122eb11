"""A source read from end to end, checked on the way."""

import sys

import numpy as np

from kernelpick.sources import Reading, open_source


def hide_arrow(monkeypatch):
    for name in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)


def everything(path, rows=1024, skip=0, **reading):
    """All rows as lists of values, all rejects, and the source."""
    source = open_source(path, Reading(on_error="skip", **reading))
    found, rejects, numbers, next_one = [], [], [], skip
    for block in source.blocks(skip, rows):
        assert block.first == next_one and block.count <= rows
        assert block.count == len(block.numbers) + len(block.rejects) and len(block.lines) == len(block.numbers)
        assert sorted([*block.numbers.tolist(), *(one.number for one in block.rejects)]) == list(
            range(next_one, next_one + block.count)
        )
        next_one += block.count
        for column in block.columns.values():
            assert len(column) == len(block.numbers)
            numeric = all(isinstance(value, float) or value is None for value in column.tolist())
            assert (column.dtype == np.float64) == numeric
        columns = [
            [None if value != value else value for value in column.tolist()] for column in block.columns.values()
        ]
        found += [list(row) for row in zip(*columns, strict=True)]
        rejects += block.rejects
        numbers += block.numbers.tolist()
    return found, rejects, numbers, source
