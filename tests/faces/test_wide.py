"""Many columns, most of them zero: at least as good as a linear model, and nothing as large as the dense matrix."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import SGDClassifier

from kernelpick import KernelClassifier
from kernelpick.online.scaling import CENTER, FURTHEST, KIND, LARGEST, SPREAD
from kernelpick.online.statistics import FROZEN_AFTER, fitted, statistics

COLUMNS = 5000


def texts(rows, exponent, tilt, words, weighted, seed=0):
    """Counts of words of two kinds of texts, or weights that fall with how usual a word is, of length 1."""
    rng = np.random.default_rng(seed)
    usual = 1 / np.arange(1, COLUMNS + 1) ** exponent
    chances = usual * np.exp(tilt * rng.normal(size=(2, COLUMNS)))
    chances /= chances.sum(1, keepdims=True)
    labels = rng.integers(2, size=rows)
    counts = sparse.csr_array(
        np.vstack([rng.multinomial(rng.poisson(words) + 1, chances[k]) for k in labels]).astype(float)
    )
    if not weighted:
        return counts, labels
    rarity = np.log(rows / (1 + (counts > 0).sum(0)))
    weights = counts.multiply(rarity).tocsr()
    return sparse.csr_array(weights.multiply(1 / np.sqrt(weights.multiply(weights).sum(1))[:, None])), labels


def right(model, X, y):
    """The share of rows predicted rightly, each batch before it is learned."""
    found = 0
    for start in range(0, X.shape[0], 100):
        part = slice(start, start + 100)
        found += int((model.predict(X[part]) == y[part]).sum()) if start else 0
        model.partial_fit(X[part], y[part], classes=[0, 1])
    return found / (X.shape[0] - 100)


@pytest.mark.parametrize(("exponent", "tilt", "words", "weighted"), [(0.5, 0.5, 20, True), (1.0, 0.3, 40, False)])
def test_no_worse_than_a_linear_model(exponent, tilt, words, weighted):
    X, y = texts(3000, exponent, tilt, words, weighted)
    linear = max(right(SGDClassifier(loss=loss, random_state=0), X, y) for loss in ("hinge", "log_loss"))
    right(KernelClassifier(random_state=0), X[:600], y[:600])  # so that nothing is compiled while memory is counted
    model = KernelClassifier(random_state=0)
    tracemalloc.start()
    ours = right(model, X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ours >= linear - 0.005 and model.learner_ == "diagonal"
    assert peak < 0.75 * 8 * X.shape[0] * COLUMNS  # and it does not grow with the rows


def test_a_sparse_matrix_is_the_dense_one_in_any_cut():
    X, y = texts(700, 1.0, 0.3, 30, False)
    dense, pieces = (KernelClassifier(n_features=16, random_state=0, orthogonal=False) for _ in range(2))
    dense.partial_fit(X.toarray(), y, classes=[0, 1])
    for start, stop in ((0, 3), (3, 200), (200, 600), (600, 700)):
        pieces.partial_fit(X[start:stop], y[start:stop], classes=[0, 1])
    assert dense.to_bytes() == pieces.to_bytes()


@pytest.mark.parametrize("rows", [8, 64, 512])
def test_the_scale_of_a_column_does_not_depend_on_how_many_there_are(rows):
    X = np.random.default_rng(0).normal(size=(rows, 2500))
    for columns in (1000, 1001, 1002, 2001):
        more, some = (fitted(statistics("standard", k, running=False), X[:, :k]).table for k in (2500, columns))
        assert np.array_equal(more[:, :columns], some)


def test_zeros_stay_zeros_and_new_values_read_as_one():
    X = np.zeros((64, 1500))
    X[::20, 7], X[:, 8] = 4.0, np.arange(64)
    known = fitted(statistics("standard", 1500, running=False, furthest=1e6), X)
    assert (known.table[KIND, :8] == LARGEST).all() and (known.table[CENTER, :8] == 0).all()
    assert known.table[SPREAD, 7] == 4 and known.table[FURTHEST, 7] == 1
    assert known.table[KIND, 8] != LARGEST and known.table[CENTER, 8] == 31.5
    from kernelpick.online.scaling import LEFT, count_rows, scale_rows

    row, out, targets = np.zeros((1, 1500)), np.empty((1, 1500)), statistics(None, 1)
    row[0, 6], row[0, 7] = 0.01, 2.0
    scale_rows(known.table, row, out)
    assert out[0, 6] == 1 and out[0, 7] == 0.5 and (out[0, :6] == 0).all()
    count_rows()(known.table, row, out, targets.table, np.ones((1, 1)), np.ones((1, 1)), np.ones((4, 1, 1)))
    assert known.table[SPREAD, 6] == 0.01 and known.table[LEFT, 5] == FROZEN_AFTER
    scale_rows(known.table, row / 2, out)
    assert out[0, 6] == 0.5
