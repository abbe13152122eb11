"""Sets of classes: against a plain second writing, and what is promised of them."""

import numpy as np
import pytest
from coverages import progressive, windows
from naive_intervals import Bounds, Pace

from kernelpick import KernelClassifier, from_bytes


def stream_of_classes(rows, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=rows)
    return np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])[y] + rng.normal(size=(rows, 2)), y


def test_sets_hold_the_label_as_often_as_they_say():
    rows, y = stream_of_classes(6000)
    rows[3000:, 0] += 1.0  # a change
    model = KernelClassifier(random_state=0, n_features=48).partial_fit(rows[:8], y[:8], classes=[0, 1, 2])
    within = progressive(model, rows, y, model.predict_set)
    assert within.dtype == bool and within.shape == (5992, 3)
    covered = windows(within[np.arange(5992), y[8:]])
    assert covered.min() >= 0.86 and covered.max() <= 0.94
    assert 1.2 < within.sum(axis=1).mean() < 2.2
    X = np.random.default_rng(0).normal(size=(900, 3))
    certain = KernelClassifier(random_state=0, n_features=16).partial_fit(X, X[:, 0] > 0, classes=[False, True])
    assert (certain.predict_set(X, 0.6).sum(axis=1) == 0).any()  # they may be empty
    assert (certain.predict_set(X, 0.6) <= certain.predict_set(X, 0.99)).all()


def test_sets_follow_their_plain_version_and_are_saved():
    rows, y = stream_of_classes(300)
    options = {"algorithm": "rf-oks++", "kernels": [1.0], "scale": None, "n_features": 20, "random_state": 0}
    model, plain, pace = KernelClassifier(**options).partial_fit(rows[:1], y[:1], classes=[0, 1, 2]), None, Pace()
    chances = np.full(3, 1 / 3)
    for row in range(300):
        if row:
            chances = model.predict_proba(rows[row : row + 1], selection="drawn")[0]
            model.partial_fit(rows[row : row + 1], y[row : row + 1])
        plain = Bounds(0.0) if plain is None else plain
        score = np.log(1 - chances[y[row]])
        plain.follow(score, pace.step(score > plain.bounds[0.9]))
    assert model._model.calibration.sets[0] == pytest.approx(list(plain.bounds.values()), rel=1e-6, abs=1e-6)
    twin = from_bytes(model.to_bytes())
    assert (twin.predict_set(rows) == model.predict_set(rows)).all()
