"""The partitions of Dask's collections, each as what its rows are made of."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Told = tuple[Any, Any, Any]  # rows, targets or None, the name of the target's column or None; tasks of Dask


@dataclass(frozen=True)
class Partition:
    """The rows of one partition, as a worker has them."""

    rows: Any
    targets: Any
    target: Any

    @property
    def X(self) -> Any:
        if self.target is None:
            return np.asarray(self.rows)
        if isinstance(self.rows, list):
            names = sorted({name for row in self.rows for name in row if name != self.target}, key=repr)
            import pandas

            return pandas.DataFrame([{name: row.get(name) for name in names} for row in self.rows], columns=names)
        return self.rows.drop(columns=[self.target])

    @property
    def y(self) -> Any:
        if self.target is None:
            return np.asarray(self.targets)
        if isinstance(self.rows, list):
            return np.array([row[self.target] for row in self.rows])
        return self.rows[self.target].to_numpy()

    def __len__(self) -> int:
        return len(self.rows)

    def sample(self, most: int) -> "Partition":
        """So many rows, evenly spaced."""
        places = np.unique(np.linspace(0, len(self) - 1, most).astype(int))
        if isinstance(self.rows, list):
            return replace(self, rows=[self.rows[place] for place in places])
        if self.target is None:
            return replace(self, rows=self.rows[places], targets=self.targets[places])
        return replace(self, rows=self.rows.iloc[places])

    def taught(self, model: Any, classes: Any = None) -> None:
        model.partial_fit(self.X, self.y, **({} if classes is None else {"classes": classes}))


def partitions(data: Any, y: Any, target: Any) -> list[Told]:
    """The tasks that bring the rows of every partition; refused are collections that do not fit."""
    if hasattr(data, "chunks"):
        return _of_arrays(data, y)
    if not hasattr(data, "to_delayed"):
        raise TypeError(f"A Dask array, data frame or bag is expected, not {type(data).__name__}.")
    if y is not None:
        raise ValueError("Of a data frame or a bag the target is a column: give its name as target=, and no y.")
    if target is None:
        raise ValueError("Which column is learned? Give its name as target=.")
    return [(_listed(part, data), None, target) for part in data.to_delayed()]


def _of_arrays(data: Any, y: Any) -> list[Told]:
    if y is None or not hasattr(y, "chunks"):
        raise ValueError("Beside a Dask array of rows, y is a Dask array of their targets.")
    if data.ndim != 2 or len(data.chunks[1]) != 1:
        raise ValueError("Rows must lie in one chunk: X.rechunk({1: -1}) makes it so.")
    if data.chunks[0] != y.chunks[0]:
        raise ValueError(
            f"X has chunks of {data.chunks[0][:3]}... rows and y of {y.chunks[0][:3]}...: rechunk one of them."
        )
    targets = y.to_delayed().reshape(len(y.chunks[0]), -1)[:, 0]
    return list(zip(data.to_delayed().ravel(), targets, [None] * len(targets), strict=True))


def _listed(part: Any, data: Any) -> Any:
    """A partition of a bag may be an iterator, which is spent when it is looked at."""
    from dask.delayed import delayed

    return part if hasattr(data, "columns") else delayed(list, pure=True)(part)
