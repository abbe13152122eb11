"""Streams with steps, and boosted trees that learn them by themselves."""

import numpy as np

from kernelpick.core import NO_WEIGHTS, Specification
from kernelpick.core.companions import NOT_HEARD, learn_rows
from kernelpick.core.companions.boosted_trees import BoostedTrees
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.held import Held
from kernelpick.core.record import SAID


def rows_of(n, d=4, outputs=1, classes=False, seed=0):
    """Steps in columns, and some noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1] = rng.integers(0, 3, n)
    steps = [np.where(X[:, m % d] > 0.3, 1.0, -0.5) + (X[:, 1] == 1) * np.sign(X[:, -1]) for m in range(outputs)]
    Y = np.stack(steps, axis=1) + 0.1 * rng.normal(size=(n, outputs))
    if classes and outputs > 1:
        Y = np.where(np.arange(outputs) == Y.argmax(axis=1)[:, None], 1.0, -1.0)
    elif classes:
        Y = np.where(Y > 0, 1.0, -1.0)
    return X, Y


def trees_for(loss, d, outputs=1, seed=0, steady=False):
    spec = Specification("auto", loss, d, n_outputs=outputs, random_state=seed, steady=steady)
    return BoostedTrees.build(spec.problem(1)), spec.loss_key


def learned(trees, loss, X, Y, weights=NO_WEIGHTS):
    """What was said to each row before its target was learned."""
    out, record = np.empty(Y.shape), np.zeros((len(X), SAID + Y.shape[1]))
    learn_rows(Held((trees,)), NOT_HEARD, loss, Rows(X, Y, weights, np.zeros((1, 1))), record, out)
    return out
