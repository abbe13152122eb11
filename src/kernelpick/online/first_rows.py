"""The first rows of a stream, kept until scales and kernels have been chosen for good."""

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.loop import Rows


class FirstRows:
    """The first rows, up to a number, with what is needed to play them later."""

    def __init__(self, spec: Specification, most: int) -> None:
        self.count = 0
        self.X = np.zeros((most, spec.n_inputs))
        self.Y = np.zeros((most, spec.n_outputs))
        self.weights = np.ones(most)
        self.numbers = np.zeros((most, spec.row.selector.numbers))

    @property
    def mean(self) -> np.ndarray:
        """The mean of the targets so far, (M,): what is said as long as nothing is learned."""
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

    def add(self, rows: Rows) -> None:
        part = slice(self.count, self.count + len(rows.X))
        self.X[part], self.Y[part], self.numbers[part] = rows.X, rows.Y, rows.numbers
        if len(rows.weights):
            self.weights[part] = rows.weights
        self.count += len(rows.X)

    def rows(self) -> Rows:
        part = slice(self.count)
        return Rows(self.X[part], self.Y[part], self.weights[part], self.numbers[part])
