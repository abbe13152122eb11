"""The first rows of a stream, held back until scaling and kernels can be chosen."""

import numpy as np

HELD = 32  # rows


class Held:
    """The first rows, up to a number, with what is needed to play them later."""

    def __init__(self, n_inputs: int, n_outputs: int, most: int = HELD) -> None:
        self.count = 0
        self.X = np.zeros((most, n_inputs))
        self.Y = np.zeros((most, n_outputs))
        self.weights = np.ones(most)
        self.numbers = np.zeros(most)

    @property
    def mean(self) -> np.ndarray:
        """The mean of the targets so far, (M,): what is said as long as nothing is learned."""
        total = np.zeros(self.Y.shape[1])
        for row in range(self.count):  # in order, so that it does not matter how many came at a time
            total += self.Y[row]
        return total / max(self.count, 1)

    def add(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Hold these rows too; the means (T, M) before each of the first HELD rows."""
        said = np.empty_like(Y)
        for row in range(len(X)):
            at = self.count
            if at < HELD:
                said[row] = self.mean
            self.X[at], self.Y[at], self.numbers[at] = X[row], Y[row], numbers[row]
            if len(weights):
                self.weights[at] = weights[row]
            self.count += 1
        return said

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        part = slice(self.count)
        return self.X[part], self.Y[part], self.weights[part], self.numbers[part]
