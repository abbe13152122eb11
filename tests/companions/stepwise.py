"""Rows whose targets are steps in columns, which trees are for."""

import numpy as np


def steps(rows, seed=0, d=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, d))
    return X, np.where(X[:, 0] > 0.3, 50.0, 20.0) + 10 * (X[:, 1] > 0) * (X[:, 2] > 0) + rng.normal(size=rows)


def trees_of(model):
    return model._fitted.companions.parts[0]
