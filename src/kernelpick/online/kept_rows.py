"""Rows that are kept as they came: the first ones, until scales and kernels are chosen, and later the last ones."""

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.loop import Rows
from kernelpick.online.scaling import HUGE


class KeptRows:
    """The last rows, up to a number, with what is needed to play them later. Unknown values are NaN."""

    def __init__(self, spec: Specification, most: int) -> None:
        self.count = 0  # of all rows that came
        self.X = np.zeros((most, spec.n_inputs))
        self.Y = np.zeros((most, spec.n_outputs))
        self.weights = np.ones(most)
        self.numbers = np.zeros((most, spec.row.numbers))

    def add(self, rows: Rows) -> None:
        most, new = len(self.X), len(rows.X)
        if new == 0:
            return
        if new == 1:  # the usual case of a stream, without all that follows
            at = self.count % most
            self.X[at], self.Y[at], self.numbers[at] = rows.X[0], rows.Y[0], rows.numbers[0]
            self.weights[at] = rows.weights[0] if len(rows.weights) else 1.0
            self.count += 1
            return
        if new > most:
            rows = Rows(*(part[-most:] if len(part) > 1 else part for part in rows))
            self.count += new - most
            new = most
        start = self.count % most
        fits = min(new, most - start)  # the others go on at the beginning
        for own, given in zip(self._arrays, rows, strict=True):
            if given.shape[0] == 0:
                given = np.ones(new)  # no weights
            own[start : start + fits] = given[:fits]
            if new > fits:
                own[: new - fits] = given[fits:]
        self.count += new

    @property
    def _arrays(self) -> Rows:
        return Rows(self.X, self.Y, self.weights, self.numbers)

    def rows(self) -> Rows:
        """In the order in which they came."""
        start = self.count % len(self.X)
        if self.count <= len(self.X):
            return Rows(*(own[: self.count] for own in self._arrays))
        return Rows(*(np.roll(own, -start, axis=0) for own in self._arrays))

    def without_gaps(self) -> Rows:
        """In their order, with something in the place of every unknown value."""
        rows = self.rows()
        return rows._replace(X=settled(rows.X))

    def widen(self, n_inputs: int) -> None:
        more = n_inputs - self.X.shape[1]
        self.X = np.concatenate([self.X, np.zeros((len(self.X), more))], axis=1)

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Outputs change their places; none of the rows so far was of a new class."""
        mapped = np.where(np.array(sources) < 0, -1.0, self.Y[:, np.maximum(sources, 0)] * np.array(signs))
        self.Y = np.ascontiguousarray(mapped)


class FirstRows(KeptRows):
    """The first rows. As long as nothing is learned, the mean of their targets is what is said."""

    @property
    def mean(self) -> np.ndarray:
        """The mean of the targets so far, (M,)."""
        return self._total() / max(self.count, 1)

    def means_before(self, Y: np.ndarray) -> np.ndarray:
        """(T, M) the mean before each of the next rows, whose targets are these."""
        means, total = np.empty_like(Y), self._total()
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
