"""How often what was said before its label holds it."""

import numpy as np


def progressive(model, rows, y, ask, block=8):
    """What is asked before each block of rows is learned, from the second on."""
    model.partial_fit(rows[:block], y[:block])
    said = []
    for start in range(block, len(y), block):
        said.append(ask(rows[start : start + block]))
        model.partial_fit(rows[start : start + block], y[start : start + block])
    return np.concatenate(said)


def windows(covered, first=1000, length=2000):
    """The coverage of every window of rows after the first ones."""
    sums = np.cumsum(np.concatenate([[0], covered[first:]]))
    return (sums[length:] - sums[:-length]) / length
