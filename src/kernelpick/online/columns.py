"""Rows of a model whose columns have names: dicts are read, and single ones go a short way (single.py)."""

import math
import struct
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from kernelpick.online.growing import GrowingModel
from kernelpick.online.model import NO_ROW

CLOCKS = (np.datetime64, np.timedelta64)  # which NumPy adds to whole numbers
PLAIN = (float, int)  # sums of Python's own numbers


class NamedModel(GrowingModel):
    """Its rows may be dicts."""

    asked: tuple[Any, ...] = ()  # the dict that the row is of, and what it had

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.asked = ()

    def name(self, names: Iterable[Hashable]) -> None:
        super().name(names)
        self._row = NO_ROW
        self.read_on()

    def read_on(self) -> None:
        """Columns that wait are read too, to see that they are numbers, and left out."""
        every, self.asked = self.expected, ()
        self._read = reader(every) if self.names else None
        self._keys = len(every)

    def row_of(self, x: dict[Hashable, Any]) -> np.ndarray | None:
        """The row (1, d) of a dict that has these columns and no others, all of them finite numbers; else None.

        It is the same array each time, for whoever holds the guard: making one takes longer. Where it is that of the
        last call, as of a row that was predicted and is now to be learned, it is what it was.
        """
        if len(x) != self._keys or self._read is None:
            return None
        try:
            values = self._read(x)
            asked = id(x), values
            if asked == self.asked:
                return self._row
            total = finite_sum(values)
            if total is None:
                return None
            row, self.asked = self.row, ()
            taken = values if self.waiting is None else values[: len(self.names)]
            writer(len(taken))(row, 0, *taken)
            if type(total) in PLAIN:  # others may change in their place
                self.asked = asked
        except (KeyError, TypeError, ValueError, OverflowError, struct.error):
            return None
        return row

    @property
    def row(self) -> np.ndarray:
        """That array, as it is."""
        if self._row.shape[1] != self.spec.n_inputs:
            self._row = np.zeros((1, self.spec.n_inputs))
        return self._row

    def blank_row(self) -> np.ndarray:
        """That array, with zeros."""
        row, self.asked = self.row, ()
        row.fill(0.0)
        return row


def finite_sum(values: tuple[Any, ...]) -> Any:
    """The sum, where it is a finite number; None where one of the values is not, or is a time."""
    total = sum(values)
    return total if math.isfinite(total) and type(total) not in CLOCKS else None


class _Only:
    """What itemgetter is for several names, for one."""

    def __init__(self, name: Hashable) -> None:
        self.name = name

    def __call__(self, x: Any) -> tuple[Any, ...]:
        return (x[self.name],)


def reader(names: list[Hashable]) -> Callable[[Any], tuple[Any, ...]] | None:
    """What reads the values of these names from a dict; None if there are none."""
    return itemgetter(*names) if len(names) > 1 else _Only(names[0]) if names else None


@cache
def writer(count: int) -> Any:
    """What writes so many numbers into an array."""
    return struct.Struct(f"{count}d").pack_into


def rebuilt(model: Any, names: list[Hashable], together: int = 0) -> NamedModel:
    """A model from a file, with its names."""
    every = [*names, *(model.waiting.names if model.waiting is not None else ())]
    if len(set(every)) != len(every) or len(names) > model.spec.n_inputs or not 0 <= together <= len(names):
        raise ValueError("the names of the columns are wrong")
    model.name(names)
    model.together = together
    job = model.job
    if job is not None:
        late = [name for came in job.late for name in came.names]
        job.columns = min(job.columns, len(names) - len(late))
        if list(model.names)[max(job.columns, 0) :] != late:
            raise ValueError("the names of columns that came during a fit are wrong")
    return model  # type: ignore[no-any-return]
