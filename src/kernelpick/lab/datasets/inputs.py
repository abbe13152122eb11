"""A source as a matrix of inputs, which is what libraries that are compared take: its columns, if all are numbers."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from kernelpick.files.text import Floats
from kernelpick.sources import Block
from kernelpick.sources.choosing import Choice


def matrix(blocks: list[Block], choice: Choice) -> tuple[Floats, bool]:
    """(rows, inputs) of all blocks, and whether some of them had to be made."""
    names = choice.inputs(dict.fromkeys(name for block in blocks for name in block.columns))
    chosen = set(names)
    columns = [column for block in blocks for name, column in block.columns.items() if name in chosen]
    if all(column.dtype != object and not np.isnan(column).any() for column in columns):
        count = sum(len(block.numbers) for block in blocks)
        X, start = np.zeros((count, len(names))), 0
        for block in blocks:
            stop = start + len(block.numbers)
            for place, name in enumerate(names):
                if name in block.columns:  # a column that comes later is zero before
                    X[start:stop, place] = block.columns[name]
            start = stop
        return X, False
    # By a name that is made at run time, so that results of peers do not depend on the code of ours; what it made does
    # count for them, since it is in their stamp.
    return import_module("kernelpick.lab.datasets.made").matrix(blocks, choice), True
