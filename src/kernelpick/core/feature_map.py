"""The feature map z(x) of a kernel, as a matrix: for looking at, and for other people's learners."""

from typing import Any

import numpy as np

from kernelpick.core import messages
from kernelpick.core.kernels import check_kernel
from kernelpick.core.kernels.frequencies import NORMAL, draw_frequencies


def features(
    kernel: Any,
    X: Any,
    n_features: int = 400,
    *,
    orthogonal: bool | str = False,
    random_state: int = 0,
    frequencies: Any = None,
) -> np.ndarray:
    """Random features of a kernel: (T, 2D) cosines and sines whose products approximate it, z(x).z(v) = k(x, v).

    They are the ones that the algorithms with random features work with for this seed.

    Parameters
    ----------
    kernel : a kernel with random features, such as ``kernelpick.Gaussian(0.5)``
    X : (T, d) inputs
    n_features : number D of frequencies
    orthogonal : whether frequencies come in orthogonal groups, or "structured"
    random_state : seed
    frequencies : (D, d) standard normal rows in the place of those of the seed, as in ``kernelpick.trace``

    >>> import numpy as np, kernelpick
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> z = kernelpick.features(kernelpick.Gaussian(2.0), X, n_features=2000, orthogonal=True)
    >>> bool(abs(z @ z.T - kernelpick.Gaussian(2.0)(X, X)).max() < 0.05)
    True
    """
    check_kernel(kernel, "kernel")
    if kernel.spectrum is None:
        raise ValueError(f"{kernel!r} has no random features.")
    X = messages.rows(X)
    messages.whole("n_features", n_features, 1)
    if frequencies is not None:
        frequencies = messages.draws("frequencies", frequencies, (None, X.shape[1]))
        n_features = len(frequencies)
    if kernel.spectrum is not NORMAL:
        frequencies = kernel.spectrum.matrix(n_features, X.shape[1], random_state)
    elif frequencies is None:
        frequencies = draw_frequencies(n_features, X.shape[1], orthogonal=orthogonal, random_state=random_state)
    angles = (X @ frequencies.T) * (kernel.radial(n_features, random_state) / kernel.width)
    return np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(n_features)
