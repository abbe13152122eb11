"""Small streams that tests share."""

from typing import NamedTuple

import numpy as np

from kernelpick.core.algorithms import OURS, PAPER
from kernelpick.core.losses import LOSSES as TABLE

# The names to go through are those of the library's own tables: a part that is added there is tested here.
LOSSES = tuple(TABLE)
REGRESSION = tuple(name for name, loss in TABLE.items() if not loss.classifies)
ALGORITHMS = tuple(PAPER)
COMPOSED = tuple(name for name, row in OURS.items() if name not in PAPER and not row.fits)


def takes(algorithm: str, loss: str) -> bool:
    """Whether the algorithm can do with the loss."""
    return loss_for(algorithm, loss) == loss and (TABLE[loss].smooth is not None or not OURS[algorithm].needs_smooth)


def loss_for(algorithm: str, usual: str) -> str:
    """The usual loss, or the one that the algorithm is made for."""
    return OURS[algorithm].learner.only_loss or usual


def numbers_for(algorithm: str, rows: int, seed: int = 0) -> np.ndarray:
    """Random numbers that decide so many rounds."""
    each = OURS[algorithm].numbers
    return np.random.default_rng(seed).random(rows if each == 1 else (rows, each))


PAIRS = [(name, loss) for name in ALGORITHMS for loss in LOSSES if takes(name, loss)]
COMPOSED_PAIRS = [(name, loss) for name in COMPOSED for loss in LOSSES if takes(name, loss)]
SOME_COMPOSED_PAIRS = [(name, loss) for name, loss in COMPOSED_PAIRS if loss in ("logistic", "huber")]


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


def with_a_change(loss: str, rows: int, change: int, seed: int = 0, inputs: int = 2) -> Stream:
    """A smooth rule, and another, narrower one from the round of the change on."""
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1, 1, (rows, inputs))
    rule = np.where(np.arange(rows) < change, X[:, 0] + 0.5 * X[:, 1], np.sin(7 * X[:, 1]) - X[:, 0])
    rule = rule + 0.1 * generator.normal(size=rows)
    y = rule if loss in REGRESSION else np.where(rule >= 0, 1.0, -1.0)
    return Stream(X, y, generator.random(rows), generator.normal(size=(12, inputs)))


def waves(X: np.ndarray, width: float, seed: int, terms: int = 40) -> np.ndarray:
    """A function of random features of one width, with variance 1."""
    generator = np.random.default_rng(seed)
    angles = X @ generator.normal(size=(X.shape[1], terms)) / width + generator.uniform(0, 2 * np.pi, terms)
    return np.cos(angles) @ generator.normal(size=terms) * np.sqrt(2 / terms)


def drifting(kind: str, classifies: bool, seed: int = 0) -> tuple[np.ndarray, np.ndarray, int]:
    """X, y, and the round from which on only the new rule holds, 2,500 rounds before the end.

    Target and best width change: at once, or over 1,000 rounds in which the new rule becomes ever more likely.
    """
    generator = np.random.default_rng(seed)
    settled = {"abrupt": 2500, "gradual": 3500}[kind]
    rows = settled + 2500
    X = generator.normal(size=(rows, 2))
    chance = np.clip((np.arange(rows) - 2500) / 1000, 0, 1) if kind == "gradual" else np.arange(rows) >= 2500
    rule = np.where(generator.random(rows) < chance, waves(X, 0.8, seed + 1), waves(X, 3.0, seed + 2))
    y = rule + 0.3 * generator.normal(size=rows)
    return X, np.sign(y) if classifies else y, settled


def memory_that_changes(classifies: bool, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """X and y of three parts of 4,000 rows: the target turns slowly, then fast, and then it stands still."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(12_000, 5))
    a = np.cumsum(np.repeat(2 * np.pi * np.array([2e-4, 4e-3, 0.0]), 4_000))
    waves = 2 * np.sin(X[:, 0] * np.cos(a) + X[:, 1] * np.sin(a))
    y = waves + np.cos(a) * X[:, 2] + np.sin(2 * a) * X[:, 3] + 0.3 * generator.normal(size=12_000)
    return X, (y > 0).astype(int) if classifies else y
