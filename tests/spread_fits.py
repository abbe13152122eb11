"""Models whose fits run beside the rounds, as with a time budget, and rows for them."""

from dataclasses import replace

import numpy as np

from kernelpick import KernelClassifier, KernelRegressor, parameters
from kernelpick.files.packing import pack, unpack


def plan_for(algorithm="auto", d=5, classifies=False, spread=True, batches=False, **options):
    """batches: as for many rows a call, where learners need not be steady."""
    face = KernelClassifier if classifies else KernelRegressor
    features = options.pop("features", 0)
    options = {"n_features": features or 16, "hypotheses": 2.0, **options}
    plan = parameters.plan(face(algorithm, **options).get_params(deep=False), classifies, d, 1, seed=0)
    spec = replace(plan.specification, steady=spread and not batches, even=spread)
    return replace(plan, spread=spread, features=features, columns=d if features else 0, specification=spec)


def rows_for(n, d=5, classifies=False, seed=0, skewed=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    f = np.sin(2 * X[:, :1]) + X[:, 1:2] * X[:, -1:] / 10 + 0.1 * rng.normal(size=(n, 1))
    return X, np.where(f > 0, 1.0, -1.0) if classifies else np.exp(1.5 * f) if skewed else f


def saved(model):
    """As a file has it."""
    about, arrays = pack(model)
    return unpack(type(model), about, {name: np.array(array) for name, array in arrays.items()})


def learned(model, X, Y, cuts, between=lambda model: model):
    said = []
    for part in np.split(np.arange(len(X)), cuts):
        if len(part):
            said.append(model.learn(X[part], Y[part]).in_units())
            model = between(model)
    return np.concatenate(said), model
