"""The boosted trees beside their plain second writing, and what is asked of every companion."""

import numpy as np
import pytest
from naive_booster import Booster

from kernelpick.core import NO_WEIGHTS, Specification
from kernelpick.core.companions import learn_rows
from kernelpick.core.companions.boosted_trees import BEGIN, BoostedTrees
from kernelpick.core.companions.growing import TREES
from kernelpick.core.loop import Rows
from kernelpick.core.record import SAID

NUMBERS = np.zeros((1, 1))


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


def trees_for(loss, d, outputs, seed=0):
    spec = Specification("auto", loss, d, n_outputs=outputs, random_state=seed)
    return BoostedTrees.build(spec.problem(1)), spec.loss_key


def learned(trees, loss, X, Y, weights=NO_WEIGHTS):
    """What was said to each row before its target was learned."""
    out, record = np.empty(Y.shape), np.zeros((len(X), SAID + Y.shape[1]))
    learn_rows(trees, loss, Rows(X, Y, weights, NUMBERS), record, out)
    return out


CASES = [("square", 1), ("square", 2), ("logistic", 1), ("logistic", 3), ("squared_hinge", 1), ("huber", 1)]


@pytest.mark.parametrize(("loss", "outputs"), CASES)
def test_it_says_what_its_plain_second_writing_says(loss, outputs):
    X, Y = rows_of(700, d=4, outputs=outputs, classes=loss in ("logistic", "squared_hinge"))
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(X)) if loss == "square" else NO_WEIGHTS
    trees, key = trees_for(loss, 4, outputs)
    said = learned(trees, key, X, Y, weights)
    plain = Booster(loss, 4, outputs, 0)
    for row in range(len(X)):
        own = plain.predict(X[row])
        if row < BEGIN:
            assert own is None and np.isnan(said[row]).all()
        else:
            np.testing.assert_allclose(said[row], own, rtol=0, atol=1e-9, err_msg=f"row {row}")
        plain.learn(X[row], Y[row], weights[row] if len(weights) else 1.0)
    assert trees.clock[TREES] == len(plain.trees) == 45
