"""Columns of all kinds as a matrix of inputs, as the estimators make numbers of them.

Texts, times and what is missing become the inputs that docs/real-streams.md describes, row by row in order, and a
missing number is the mean of those before it. So every contestant is given the same, and no row tells of a later one.
"""

from __future__ import annotations

import numpy as np

from kernelpick.columns import values
from kernelpick.columns.stream import Columns
from kernelpick.columns.tables import Table
from kernelpick.columns.values import Values
from kernelpick.files.text import Floats
from kernelpick.sources import Block
from kernelpick.sources.choosing import Choice


def matrix(blocks: list[Block], choice: Choice) -> Floats:
    """(rows, inputs) of all blocks."""
    return _filled(_written(blocks, choice))


def _written(blocks: list[Block], choice: Choice) -> Floats:
    """With NaN for what is missing, or is no input yet."""
    columns = Columns(None)
    parts = []
    for block in blocks:
        names = choice.inputs(block.columns)
        table = Table(names, [_values(name, block.columns[name]) for name in names], len(block.numbers))
        if len(table):
            rows, births = columns.learn(table)
            place = rows.shape[1] - sum(len(born) for _, born in births)
            for row, born in births:  # what is not there yet is no zero to be counted in a mean
                rows[:row, place : place + len(born)] = np.nan
                place += len(born)
            parts.append(rows)
    whole, start = np.full((sum(map(len, parts)), columns.width), np.nan), 0
    for part in parts:
        whole[start : start + len(part), : part.shape[1]] = part
        start += len(part)
    return whole


def _values(name: str, column: np.ndarray) -> Values:
    return values.of_objects(name, column.tolist()) if column.dtype == object else values.of_numbers(name, column)


def _filled(X: Floats) -> Floats:
    """With the mean of what came before in place of what is missing, and zero where nothing did."""
    missing = np.isnan(X)
    known = np.where(missing, 0.0, X)
    counts = np.cumsum(~missing, axis=0) - ~missing
    means = (np.cumsum(known, axis=0) - known) / np.maximum(counts, 1)
    return np.where(missing, means, X)
