"""Rows, and shards that begin as blanks of one model, for the tests of merging."""

import numpy as np

from kernelpick import KernelRegressor

ALONE = {"forgetting": 1.0, "companions": ()}  # kernels, and nobody beside them
RNG = np.random.default_rng(3)
X = RNG.normal(size=(3000, 4))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=3000)
LABELS = np.array(["no", "yes", "maybe"])[(np.sin(2 * X[:, 0]) + X[:, 1] > 0).astype(int) + (X[:, 2] > 1)]


def begun(face=KernelRegressor, y=Y, **options):
    options = {"random_state": 0, "n_features": 24} | options
    declared = {} if face is KernelRegressor else {"classes": np.unique(y)}
    return face(**options).partial_fit(X[:600], y[:600], **declared)


def shards(model, y=Y, count=3):
    return [model.blank().partial_fit(X[i::count], y[i::count]) for i in range(count)]
