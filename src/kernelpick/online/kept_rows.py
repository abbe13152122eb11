"""Rows that are kept as they came: the first ones, until scales and kernels are chosen, and later the last ones."""

import copy
from typing import NamedTuple

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.compilation import compiled, found_once, inner
from kernelpick.online.scaling import HUGE

LAST_DIGITS = 2.0**20
LARGEST_SINGLE = float(np.finfo(np.float32).max)


class KeptRows:
    """The last rows, up to a number, with what is needed to play them later. Unknown values are NaN."""

    def __init__(self, spec: Specification, most: int) -> None:
        self.count = 0  # of all rows that came
        self.X = np.zeros((most, spec.n_inputs))
        self.Y = np.zeros((most, spec.n_outputs))
        self.draws = np.zeros((most, 1 + spec.row.numbers))  # weights, and the numbers that decide rounds
        self.compact = spec.row.size.compact  # whether rows and targets have single precision, as files of them do

    @property
    def weights(self) -> np.ndarray:
        return self.draws[:, 0]

    @property
    def numbers(self) -> np.ndarray:
        return self.draws[:, 1:]

    def add(self, rows: Rows) -> None:
        if self.compact:
            rows = rows._replace(X=_single(rows.X), Y=_single(rows.Y))
        _put_rows()(self.X, self.Y, self.draws, self.count, *rows)
        self.count += len(rows.X)

    def rows(self) -> Rows:
        """In the order in which they came."""
        own, start = (self.X, self.Y, self.weights, self.numbers), self.count % len(self.X)
        if self.count <= len(self.X):
            return Rows(*(np.ascontiguousarray(array[: self.count]) for array in own))
        return Rows(*(np.roll(array, -start, axis=0) for array in own))

    def between(self, start: int, stop: int) -> Rows:
        """Some of the first ones, as long as none has made room: a copy of all takes as long as a round."""
        part = slice(start, stop)
        return Rows(self.X[part], self.Y[part], self.weights[part].copy(), self.numbers[part].copy())

    def without_gaps(self) -> Rows:
        """In their order, with something in the place of every unknown value."""
        rows = self.rows()
        return rows._replace(X=settled(rows.X))

    def merged(self, others: "list[KeptRows]") -> "KeptRows":
        """As many rows of several models as one keeps, any of them, in an order that does not depend on that of the
        models: by the last digits of the numbers that decide their rounds, which tell nothing of these."""
        whole, every = copy.deepcopy(self), [one.rows() for one in (self, *others)]
        X, Y, weights, numbers = (np.concatenate(parts) for parts in zip(*every, strict=True))
        order = np.lexsort([*Y.T, *X.T, np.modf(numbers[:, 0] * LAST_DIGITS)[0]])[: len(self.X)]
        whole.count = 0
        whole.add(Rows(X[order], Y[order], weights[order], numbers[order]))
        return whole

    def widen(self, n_inputs: int) -> None:
        rows, columns = min(self.count, len(self.X)), self.X.shape[1]
        wider = np.zeros((len(self.X), n_inputs))  # memory that is not written to takes no time
        wider[:rows, :columns] = self.X[:rows]
        self.X = wider

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Outputs change their places; none of the rows so far was of a new class."""
        mapped = np.where(np.array(sources) < 0, -1.0, self.Y[:, np.maximum(sources, 0)] * np.array(signs))
        self.Y = np.ascontiguousarray(mapped)


class Outputs(NamedTuple):
    """From some row on: output m is signs[m] times the old output sources[m], or a new one where that is negative."""

    sources: list[int]
    signs: list[float]
    since: int

    @property
    def n_before(self) -> int:
        return max(self.sources) + 1

    @property
    def n_now(self) -> int:
        return len(self.sources)

    def before(self, Y: np.ndarray) -> np.ndarray:
        """(T, M) targets of rows from before that one, as they were."""
        places = [self.sources.index(m) for m in range(self.n_before)]
        return np.ascontiguousarray(Y[:, places] * np.array(self.signs)[places])  # compiled code does not look


class AsItWas:
    """Kept rows for who knows their first columns alone, and has room for so many: any others have come since. So may
    outputs, of which some are known."""

    def __init__(self, kept: KeptRows, columns: int, wide: int, outputs: list[Outputs]) -> None:
        self.kept, self.columns, self.wide = kept, columns, wide
        self.outputs, self.known = outputs, 0

    @property
    def count(self) -> int:
        return self.kept.count

    @property
    def next_outputs(self) -> Outputs | None:
        """The first that are not known."""
        return self.outputs[self.known] if self.known < len(self.outputs) else None

    def between(self, start: int, stop: int) -> Rows:
        rows, X = self.kept.between(start, stop), np.zeros((stop - start, self.wide))
        X[:, : self.columns] = rows.X[:, : self.columns]
        return rows._replace(X=X, Y=self._targets(start, stop))

    def copy_row(self, row: int, x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> None:
        """One of them into arrays (d,), (M,) and (1,)."""
        x[: self.columns] = self.kept.X[row, : self.columns]
        y[:], weight[0] = self._targets(row, row + 1)[0], self.kept.weights[row]

    def _targets(self, start: int, stop: int) -> np.ndarray:
        Y = self.kept.Y[start:stop]
        for later in reversed(self.outputs[self.known :]):
            Y = later.before(Y)
        return Y


def write_gaps(kept: KeptRows, columns: list[int], start: int) -> None:
    """What these columns were is not known of the rows from that one on."""
    rows = np.arange(max(start, kept.count - len(kept.X), 0), kept.count) % len(kept.X)
    kept.X[rows[:, None], columns] = np.nan


@compiled
def _put(
    X: np.ndarray, Y: np.ndarray, draws: np.ndarray, count: int,
    new_X: np.ndarray, new_Y: np.ndarray, weights: np.ndarray, numbers: np.ndarray,
) -> None:  # fmt: skip
    """Write rows into the ring, after those that were counted; the oldest make room."""
    _write(X, Y, draws, count, new_X, new_Y, weights, numbers)


@compiled
def put_next(
    X: np.ndarray, Y: np.ndarray, draws: np.ndarray, counted: np.ndarray,
    new_X: np.ndarray, new_Y: np.ndarray, weights: np.ndarray, numbers: np.ndarray,
) -> None:  # fmt: skip
    """The same, where the count is in an array (1,)."""
    _write(X, Y, draws, counted[0], new_X, new_Y, weights, numbers)


@inner
def _write(
    X: np.ndarray, Y: np.ndarray, draws: np.ndarray, count: int,
    new_X: np.ndarray, new_Y: np.ndarray, weights: np.ndarray, numbers: np.ndarray,
) -> None:  # fmt: skip
    at = count % len(X)  # a division of whole numbers takes longer than a row
    for row in range(len(new_X)):
        for k in range(X.shape[1]):
            X[at, k] = new_X[row, k]
        for m in range(Y.shape[1]):
            Y[at, m] = new_Y[row, m]
        draws[at, 0] = weights[row] if len(weights) else 1.0
        for n in range(numbers.shape[1]):
            draws[at, 1 + n] = numbers[row, n]
        at = at + 1 if at + 1 < len(X) else 0


_1, _2 = np.zeros(1), np.zeros((1, 1))
_put_rows = found_once(_put, _2, _2, _2, 0, _2, _2, _1, _2)


def _single(values: np.ndarray) -> np.ndarray:
    """The nearest numbers of single precision."""
    return np.clip(values, -LARGEST_SINGLE, LARGEST_SINGLE).astype(np.float32).astype(np.float64)


class FirstRows(KeptRows):
    """The first rows. As long as nothing is learned, the mean of their targets is what is said."""

    @property
    def mean(self) -> np.ndarray:
        """The mean of the targets so far, (M,)."""
        return self._total() / max(self.count, 1)

    def means_before(self, Y: np.ndarray) -> np.ndarray:
        """(T, M) the mean before each of the next rows, whose targets are these."""
        means, total = np.empty_like(Y), self._total()
        Y = _single(Y) if self.compact else Y
        for row in range(len(Y)):
            means[row] = total / max(self.count + row, 1)
            total += Y[row]
        return means

    def _total(self) -> np.ndarray:
        total = np.zeros(self.Y.shape[1])
        for row in range(self.count):  # in order, so that it does not matter how many came at a time
            total += self.Y[row]
        return total


def settled(X: np.ndarray) -> np.ndarray:
    """Kept rows without gaps: the mean of what is known of a column, or zero for one that is zero in most rows.

    A row from before a column appeared has a gap there, too. That a word is absent is known; what a gauge would have
    shown is not.
    """
    gaps = np.isnan(X)
    if not gaps.any():
        return X
    known = np.maximum((~gaps).sum(0), 1)
    dense = 2 * ((X != 0) & ~gaps).sum(0) > known
    means = np.clip(np.where(gaps, 0.0, X), -HUGE, HUGE).sum(0) / known
    return np.where(gaps, np.where(dense, means, 0.0), X)
