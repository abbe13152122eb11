"""Rows of a source as the estimators take them: a frame, which has names and columns."""

from collections.abc import Mapping, Sequence

import numpy as np


class Frame:
    """Columns of equal length, by name.

    >>> frame = Frame({"a": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])}, 2)
    >>> frame.shape, frame[1:]["b"]
    ((2, 2), array([4.]))
    """

    def __init__(self, columns: Mapping[str, np.ndarray], count: int) -> None:
        self._columns, self._count = columns, count

    @property
    def columns(self) -> Sequence[str]:
        return list(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        return self._count, len(self._columns)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, what: str | slice | np.ndarray) -> "Frame | np.ndarray":
        """The column of a name, or the frame of some rows."""
        if isinstance(what, str):
            return self._columns[what]
        count = len(range(self._count)[what]) if isinstance(what, slice) else int(np.arange(self._count)[what].size)
        return Frame({name: column[what] for name, column in self._columns.items()}, count)

    def rows(self, what: slice | np.ndarray) -> "Frame":
        """The frame of some rows."""
        found = self[what]
        assert isinstance(found, Frame)
        return found
