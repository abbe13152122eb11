"""Classes and their one-vs-rest outputs, by their places 0, 1, 2, ...

Two classes share one output, positive for the second. More have one each. A single class has an output too, which
waits for the second.
"""

import numpy as np

SAFE_SCORE = 1e100  # products with scores of that size do not overflow


def n_outputs(n_classes: int) -> int:
    return n_classes if n_classes > 2 else 1


def targets(n_classes: int, places: np.ndarray) -> np.ndarray:
    """(T, M): +1 for the class of an output, -1 for the rest."""
    if n_classes <= 2:
        return np.where(places == 1, 1.0, -1.0)[:, None]
    return np.where(places[:, None] == np.arange(n_classes), 1.0, -1.0)


def winners(n_classes: int, values: np.ndarray) -> np.ndarray:
    """(T,) places of the classes that the values (T, M) speak for; f >= 0 is +1, as in the paper."""
    if n_classes > 2:
        return values.argmax(axis=1)
    return (values[:, 0] >= 0).astype(np.intp) if n_classes == 2 else np.zeros(len(values), dtype=np.intp)


def probabilities(n_classes: int, values: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """(T, classes) from the values of logistic outputs: their one-vs-rest probabilities to the power of the scale, made
    to sum to 1. See calibration.py."""
    if n_classes == 1:
        return np.ones((len(values), 1))
    values = np.maximum(np.minimum(values, SAFE_SCORE), -SAFE_SCORE)
    if n_classes == 2:
        small, second = np.exp(-scale * abs(values[:, 0])), values[:, 0] >= 0
        chances = np.empty((len(values), 2))
        chances[:, 0], chances[:, 1] = np.where(second, small, 1.0), np.where(second, 1.0, small)
        chances /= (1.0 + small)[:, None]
        return chances
    logarithms = -scale * np.logaddexp(0.0, -values)
    shares = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def shares(n_classes: int, Y: np.ndarray) -> np.ndarray:
    """(classes,) probabilities when nothing is known but the targets (T, M) so far: (count + 1)/(T + classes).

    As if each class had come once more, so that a single row does not make one of them certain.
    """
    counts = (Y > 0).sum(axis=0)
    if n_classes <= 2:
        counts = np.array([len(Y) - counts[0], counts[0]])[:n_classes]
    return np.asarray((counts + 1) / (len(Y) + n_classes))


def transition(before: int, places: list[int]) -> tuple[list[int], list[float]]:
    """Which old output, with which sign, each output starts from, when classes join the ``before`` old ones.

    places holds the old place of each class, -1 for a new one; so does the answer for an output that starts at zero.
    """
    if len(places) <= 2:  # from one class to two: is the old one now the first or the second?
        return [0], [1.0 if places[0] == 0 else -1.0]
    if before > 2:
        return places, [1.0] * len(places)
    return [min(place, 0) for place in places], [1.0 if place == 1 else -1.0 for place in places]
