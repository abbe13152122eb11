"""Made-up streams of which the truth is known."""

import numpy as np

from kernelpick.core.numerics import rng


def waves(
    rounds: int, n_inputs: int, width: float, *, noise: float = 0.05, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Inputs in [-1, 1] and targets about [0, 1]: a random smooth function of a given width, and noise.

    The function is a sum of waves whose frequencies follow the spectrum of the Gaussian kernel, so that the Gaussian
    kernel of that very width is the one to learn it with.

    >>> from kernelpick.lab.datasets.synthetic import waves
    >>> X, y = waves(1000, 3, width=0.5)
    >>> X.shape, y.shape
    ((1000, 3), (1000,))
    """
    X = 2 * rng.uniforms(seed, "inputs", 0, rounds * n_inputs).reshape(rounds, n_inputs) - 1
    frequencies = rng.normals(seed, "waves", 200 * n_inputs).reshape(200, n_inputs) / width
    phases = 2 * np.pi * rng.uniforms(seed, "phases", 0, 200)
    function = np.cos(X @ frequencies.T + phases).mean(1) * np.sqrt(200 / 2)
    return X, 0.5 + 0.2 * function + noise * rng.normals(seed, "noise", rounds)
