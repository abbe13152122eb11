"""A table with columns of several kinds, for all formats."""

import datetime

import numpy as np

WHEN = datetime.datetime(2024, 5, 1, 12, 30)
NAMES = ("number", "text", "when", "flag")


def table(count=3000, seed=0):
    """Rows of a number, a text, a time and a flag, with blanks."""
    drawn = np.random.default_rng(seed)
    rows = []
    for place in range(count):
        number, text = float(drawn.normal()), f"w{drawn.integers(9)}"
        when = WHEN + datetime.timedelta(minutes=int(drawn.integers(10_000)))
        row = [number, text, when, float(drawn.integers(2))]
        if place % 7 == 3:
            row[int(drawn.integers(4))] = None
        rows.append(row)
    return rows
