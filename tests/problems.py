"""Small streams that tests share."""

from typing import NamedTuple

import numpy as np

REGRESSION = ("square", "absolute")
LOSSES = ("logistic", "square", "absolute", "hinge", "squared_hinge")
ALGORITHMS = ("oks", "oks++", "ioks", "rf-oks", "rf-oks++", "rf-ioks", "raker", "lkmbooks")
PAIRS = [(a, loss) for a in ALGORITHMS for loss in LOSSES if not ("++" in a and loss in ("absolute", "hinge"))]


class Stream(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    uniforms: np.ndarray
    frequencies: np.ndarray


def stream(loss: str, rows: int, inputs: int = 5, n_features: int = 40, seed: int = 0) -> Stream:
    """Labels from a wavy rule with some noise; targets in [0, 1] for the regression losses."""
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1, 1, (rows, inputs))
    rule = np.sin(3 * X[:, 0]) + X[:, min(1, inputs - 1)] + 0.3 * generator.normal(size=rows)
    y = 1 / (1 + np.exp(-rule)) if loss in REGRESSION else np.where(rule >= 0, 1.0, -1.0)
    return Stream(X, y, generator.random(rows), generator.normal(size=(n_features, inputs)))
