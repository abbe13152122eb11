"""Rows of a key as they come from Spark: put in order, and made what an estimator takes."""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from kernelpick.streaming.frame import Frame


class Arrival(NamedTuple):
    """A row; what is missing is None."""

    order: Any
    id: int | str | None
    target: Any
    inputs: tuple[Any, ...]

    @property
    def is_blank(self) -> bool:
        """Whether it has a label at most."""
        return all(value is None for value in self.inputs)


def arrivals_of(rows: Iterable[Any], names: Sequence[str]) -> list[Arrival]:
    """Rows of Spark, of which these columns are order, id, target and inputs, in their order.

    Spark hands rows of a micro-batch over in any order, another one when it runs the batch again. Where order and id
    are the same, a row without a label comes first, so that its label finds it; what else there is decides the rest.
    """
    found: list[tuple[Any, ...]] = []
    take = None
    for row in rows:
        take = take or itemgetter(*(row.__fields__.index(name) for name in names))
        found.append(take(row))
    found = [tuple(None if value != value else value for value in row) for row in found]
    found.sort(key=lambda row: tuple((value is not None, value) for value in row))
    return [Arrival(row[0], row[1], row[2], row[3:]) for row in found]


def frame_of(arrivals: Sequence[Arrival], names: Sequence[str], numeric: Sequence[bool]) -> Frame:
    """Their inputs. Numbers are an array of these, other columns one of objects."""
    columns = {}
    for place, (name, is_number) in enumerate(zip(names, numeric, strict=True)):
        values = [arrival.inputs[place] for arrival in arrivals]
        columns[name] = np.array(values, dtype=np.float64) if is_number else _objects(values)
    return Frame(columns, len(arrivals))


def _objects(values: list[Any]) -> np.ndarray:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
