"""A stream of dicts in which columns and classes are born, the same whenever a row is asked for."""

import numpy as np


class Stream:
    def __init__(self, columns_every=100, classes_every=500, texts=True):
        self.columns_every, self.classes_every, self.texts = columns_every, classes_every, texts

    def row(self, t):
        """The row number t, a dict, and its label."""
        rng = np.random.default_rng(t)
        there = 3 + t // self.columns_every
        x = {f"column {i}": float(v) for i, v in enumerate(rng.normal(size=there)) if i < 3 or rng.random() < 0.9}
        if self.texts:
            x["city"] = f"city {rng.integers(3 + t // 20)}"
        return x, f"class {int(rng.integers(2 + t // self.classes_every))}"
