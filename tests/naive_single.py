"""naive_spaces.py in single precision: frequencies, features, weights of gradient steps, and products of these.

What second-order learners add up, P and their weights, stays double: naive_second_order.py does that with features that
are these.
"""

import numpy as np
from naive_spaces import Features as Double

SINGLE = np.float32


class Features(Double):
    """f = w . z(x), all of it float32 until it is summed up."""

    def __init__(self, omega):
        super().__init__(omega)
        self.omega32, self.w = self.omega.astype(SINGLE), self.w.astype(SINGLE)

    def z(self, x) -> np.ndarray:
        angles = self.omega32 @ np.asarray(x).astype(SINGLE)
        return np.concatenate([np.cos(angles), np.sin(angles)]) / np.sqrt(SINGLE(self.D))

    def add(self, a: float, x, fx: float) -> None:
        self.w = self.w + SINGLE(a) * self.z(x)

    def project(self, U: float) -> None:
        super().project(U)
        self.w = self.w.astype(SINGLE)


class Augmented(Features):
    """Beside the inputs, as in naive_second_order.py."""

    def __init__(self, omega):
        super().__init__(omega)
        self.w = np.zeros(2 * self.D + 1 + self.omega.shape[1], SINGLE)

    def z(self, x) -> np.ndarray:
        return np.concatenate([super().z(x / np.sqrt(1 + (x / 3) ** 2)), [1.0], x]).astype(SINGLE)
