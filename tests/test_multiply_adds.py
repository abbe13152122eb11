"""benchmarks/multiply_adds.py beside rounds that are played number by number, and count for themselves."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import kernelpick
from kernelpick.core.kernels.frequencies import draw_frequencies

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
import multiply_adds

ROWS, INPUTS, PAIRS, STEP = 9, 3, 4, 2.0


class Counter:
    """Products that are added to something, one by one."""

    def __init__(self):
        self.count = 0

    def add(self, a, b, to):
        self.count += 1
        return a * b + to

    def dot(self, left, right):
        total = 0.0
        for a, b in zip(left, right, strict=True):
            total = self.add(a, b, total)
        return total

    def waves(self, frequencies, x):
        """cos and sin of all projections; zero inputs add nothing."""
        angles = [self.dot(frequency[x != 0], x[x != 0]) for frequency in frequencies]
        return [wave(angle) / math.sqrt(len(angles)) for wave in (math.cos, math.sin) for angle in angles]


def stream():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (ROWS, INPUTS))
    X[2:4, 1] = 0.0
    return X, rng.uniform(0, 1, ROWS)


def test_features():
    """rf-oks with one kernel, whose step is constant."""
    X, y = stream()
    frequencies, counter, said = draw_frequencies(PAIRS, INPUTS), Counter(), []
    w, step = [0.0] * (2 * PAIRS), STEP * math.sqrt(min(1.0, ROWS ** (-1 / 3)) / ROWS)
    for x, target in zip(X, y, strict=True):
        z = counter.waves(frequencies, x)
        said.append(counter.dot(z, w))
        w = [counter.add(-step * 2 * (said[-1] - target), a, b) for a, b in zip(z, w, strict=True)]
    run = kernelpick.trace("rf-oks", X, y, loss="square", widths=[1.0], frequencies=frequencies, step_scale=STEP)
    assert np.allclose(run.predictions, said, rtol=1e-9)
    assert counter.count == ROWS * multiply_adds.features(np.count_nonzero(X) / ROWS, PAIRS)


def test_several_players_share_projections():
    X, _ = stream()
    counter, frequencies = Counter(), draw_frequencies(PAIRS, INPUTS)
    w = np.ones((5, 2, 2 * PAIRS))  # kernels, outputs
    z = counter.waves(frequencies, X[0])  # each kernel has waves of its own, of these projections
    for kernel in w:
        for output in kernel:
            counter.dot(z, output)
            output[:] = [counter.add(0.1, a, b) for a, b in zip(z, output, strict=True)]
    assert counter.count == multiply_adds.features(INPUTS, PAIRS, players=5, outputs=2)


def test_exact():
    """oks with one kernel: every row is stored."""
    X, y = stream()
    X = np.where(X == 0.0, 0.5, X)
    counter, said, coefficients = Counter(), [], []
    step = STEP * math.sqrt(min(1.0, ROWS ** (-1 / 3)) / ROWS)
    for t, (x, target) in enumerate(zip(X, y, strict=True)):
        total = 0.0
        for v, a in zip(X[:t], coefficients, strict=True):
            product = counter.dot(v, x)
            total = counter.add(a, math.exp(-(x @ x + v @ v - 2 * product) / 2), total)
        said.append(total)
        coefficients.append(-step * 2 * (total - target))
    run = kernelpick.trace("oks", X, y, loss="square", widths=[1.0], step_scale=STEP)
    assert np.allclose(run.predictions, said, rtol=1e-9)
    assert counter.count == sum(multiply_adds.exact(INPUTS, stored) for stored in range(ROWS))


def test_newton():
    """rf-oks-newton with one kernel, beside the inputs: the recursion, with the upper half of P alone."""
    X, y = stream()
    X = np.where(X == 0.0, 0.5, X)
    kernel = kernelpick.Gaussian(1.0)
    frequencies, counter, said = draw_frequencies(PAIRS, INPUTS, orthogonal=True), Counter(), []
    order = 2 * PAIRS + 1 + INPUTS
    w, P = [0.0] * order, {(i, j): STEP * (i == j) for i in range(order) for j in range(i, order)}
    for x, target in zip(X, y, strict=True):
        z = [*counter.waves(frequencies, x / np.sqrt(1 + (x / 3) ** 2)), 1.0, *x]
        said.append(counter.dot(z, w))
        Pz = [counter.dot([P[min(i, j), max(i, j)] for j in range(order)], z) for i in range(order)]
        v = counter.dot(z, Pz)
        w = [counter.add(-(said[-1] - target) / (1 + v), a, b) for a, b in zip(Pz, w, strict=True)]
        P = {(i, j): counter.add(-Pz[i] / (1 + v), Pz[j], P[i, j]) for i, j in P}
    own = kernelpick.Algorithm("augmented", "newton", "leader")  # which is compiled for "auto" anyway
    run = kernelpick.trace(own, X, y, loss="square", kernels=[kernel], frequencies=frequencies, step_scale=STEP)
    near = np.clip(said[1:], *bounds(y))  # predictions stay near the targets seen
    assert np.allclose(run.predictions[1:], near, rtol=1e-9)
    assert counter.count == ROWS * multiply_adds.newton(INPUTS, PAIRS)


def bounds(y):
    """Of every row but the first: the targets seen, and a tenth of their range beyond."""
    low, high = np.minimum.accumulate(y)[:-1], np.maximum.accumulate(y)[:-1]
    return low - 0.1 * (high - low), high + 0.1 * (high - low)


@pytest.mark.parametrize("inputs", [3, 40])
def test_auto_is_newton_with_memories_beside(inputs):
    few = min(inputs, 32)
    beside = multiply_adds.newton(few + 2, 32, 4, 2) - 2 * 32
    alone = multiply_adds.auto(inputs, 100, 2, memories=False)
    assert alone == multiply_adds.newton(inputs, 100, 1.3, 2)
    assert multiply_adds.auto(inputs, 100, 2) == alone + beside
