"""Rows that were read and checked, and wait to become inputs: of a frame, or of a matrix of numbers."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from kernelpick.columns import frames, values
from kernelpick.columns.values import Values
from kernelpick.online.names import plain


class Table:
    """Names of columns, and their values."""

    numbers: Sequence[tuple[int, float]] = ()  # of a dict's further columns, with the number of each column

    def __init__(self, names: Sequence[Hashable], columns: list[Values], count: int) -> None:
        self.names, self.columns, self.shape = list(names), columns, (count, len(names))

    @classmethod
    def of_row(cls, names: list[Hashable], columns: list[Values], numbers: list[tuple[int, float]]) -> "Table":
        """One row, some of whose columns are known to be plain numbers."""
        table = cls(names, columns, 1)
        table.numbers = numbers
        return table

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> "Table":
        if self.numbers:  # a row of a dict is taken whole
            return self
        return Table(self.names, [column.part(rows) for column in self.columns], values.n_of(len(self), rows))


class Matrix(Table):
    """The same of numbers, dense or sparse, whose columns are taken out when they are asked for."""

    def __init__(self, names: Sequence[Hashable], X: Any) -> None:
        self.names, self.X, self.shape = list(names), X, (X.shape[0], len(names))

    @property
    def columns(self) -> list[Values]:  # type: ignore[override]
        dense = self.X if isinstance(self.X, np.ndarray) else self.X.toarray()
        return [values.of_numbers(name, column) for name, column in zip(self.names, dense.T, strict=True)]

    def __getitem__(self, rows: Any) -> "Matrix":
        return Matrix(self.names, self.X[rows])


def of_frame(X: Any) -> Table:
    """A frame's rows; refused is a value that is nothing that can be read."""
    names = [plain(name) for name in X.columns]
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"Two columns have the name {twice!r}; rename one of them.")
    return Table(names, frames.values_of(X), len(X))
