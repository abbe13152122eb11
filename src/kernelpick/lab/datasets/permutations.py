"""The orders in which the rows of a dataset come."""

import numpy as np

from kernelpick.core.numerics import rng


def order(dataset: str, permutation: int, rounds: int) -> np.ndarray:
    """The order of the rows: the same for every algorithm, whatever else is run."""
    return np.argsort(rng.uniforms(permutation, f"permutation/{dataset}", 0, rounds), kind="stable")
