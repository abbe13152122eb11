"""Kernels and feature maps against the definition."""

from dataclasses import replace

import naive
import numpy as np
import pytest

import kernelpick
from kernelpick import Cauchy, Gaussian, Laplacian, Linear, Matern32, Matern52, Polynomial, core, draw_frequencies
from kernelpick.core import Specification
from kernelpick.core.kernels.frequencies import CAUCHY

SPECTRAL = [Gaussian, Laplacian, Matern32, Matern52, Cauchy]
DRAWS = 400


def textbook(kernel, x, v):
    """Each family once more, by its formula."""
    r, w = np.linalg.norm(x - v), getattr(kernel, "width", 1.0)
    a, b = np.sqrt(3) * r / w, np.sqrt(5) * r / w
    return {
        Gaussian: lambda: np.exp(-(r**2) / (2 * w**2)),
        Laplacian: lambda: np.exp(-np.abs(x - v).sum() / w),
        Matern32: lambda: (1 + a) * np.exp(-a),
        Matern52: lambda: (1 + b + b**2 / 3) * np.exp(-b),
        Cauchy: lambda: 1 / (1 + r**2 / w**2),
        Linear: lambda: (1 + x @ v) / np.sqrt((1 + x @ x) * (1 + v @ v)),
        Polynomial: lambda: ((1 + x @ v) / np.sqrt((1 + x @ x) * (1 + v @ v))) ** kernel.degree,
    }[type(kernel)]()


@pytest.mark.parametrize("family", [*SPECTRAL, Linear, lambda w: Polynomial(3), lambda w: Polynomial(degree=1)])
def test_values(family):
    kernel = family() if family is Linear else family(0.7)
    X = np.random.default_rng(0).normal(size=(6, 3))
    expected = [[textbook(kernel, x, v) for v in X] for x in X]
    assert np.allclose(kernel(X, X), expected, atol=1e-14)
    assert np.all(np.diag(kernel(X, X)) <= 1 + 1e-12)


def features_of(kernel, X, n_features, seed, orthogonal):
    """z(x) of every row, read off the compiled feature space by evaluating one unit weight at a time."""
    spec = Specification(
        "rf-oks", "square", X.shape[1], (kernel,), n_features=n_features, random_state=seed, orthogonal=orthogonal
    )
    state = core.start(spec)
    unit_weights = np.eye(2 * n_features)[None]  # as many outputs as features, output m being feature m
    state = state._replace(space=state.space._replace(weights=unit_weights))
    return core.values(replace(spec, n_outputs=2 * n_features), state, X)[:, 0, :]


@pytest.mark.parametrize("orthogonal", [False, True])
@pytest.mark.parametrize("width", [0.6, 2.5])
@pytest.mark.parametrize("family", SPECTRAL)
def test_feature_maps_estimate_the_kernel(family, width, orthogonal):
    """Over many draws, the mean of z(x).z(v) is within three standard errors of k(x, v), for several pairs.

    With ten pairs a fair estimate stays within 3 standard errors for nine of them and within 4.5 for all, and these
    seeds are fixed; a factor of sqrt(2) in a frequency would be off by dozens.
    """
    generator = np.random.default_rng(7)
    X = generator.normal(size=(5, 4)) * 0.8
    kernel = family(width)
    products = []
    for seed in range(DRAWS):
        z = features_of(kernel, X, 12, seed, orthogonal)
        products.append(z @ z.T)
    products = np.array(products)
    error = products.std(0, ddof=1) / np.sqrt(DRAWS)
    upper = np.triu_indices(5, 1)
    deviation = np.abs(products.mean(0) - kernel(X, X))[upper] / error[upper]
    assert np.sort(deviation)[-2] < 3
    assert deviation.max() < 4.5
    assert np.allclose(np.diagonal(products, axis1=1, axis2=2), 1, atol=1e-12)


def test_orthogonal_features_have_less_variance():
    X = np.random.default_rng(1).normal(size=(6, 8)) * 0.5
    spread = {}
    for orthogonal in (False, True):
        runs = [features_of(Gaussian(1.5), X, 8, seed, orthogonal) for seed in range(200)]
        spread[orthogonal] = np.array([z @ z.T for z in runs]).var(0).mean()
    assert spread[True] < 0.7 * spread[False]


@pytest.mark.parametrize(("rows", "inputs"), [(3, 7), (7, 3), (20, 20), (1, 1), (5, 1)])
def test_orthogonal_rows(rows, inputs):
    u = draw_frequencies(rows, inputs, orthogonal=True, random_state=3)
    assert u.shape == (rows, inputs)
    plain = draw_frequencies(rows, inputs, random_state=3)  # the lengths of normal rows, which only turn
    assert np.allclose(np.linalg.norm(u, axis=1), np.linalg.norm(plain, axis=1), rtol=1e-12)
    for start in range(0, rows, inputs):
        group = u[start : start + inputs]
        gram = group @ group.T
        assert np.allclose(gram - np.diag(np.diag(gram)), 0, atol=1e-9)


def test_frequency_distributions():
    u = draw_frequencies(20000, 2, random_state=1)
    assert abs(u.mean()) < 0.02
    assert abs(u.std() - 1) < 0.02
    c = CAUCHY.matrix(20000, 2, 1)
    assert np.allclose(np.quantile(c, [0.25, 0.5, 0.75]), [-1, 0, 1], atol=0.04)


MIXED = [Gaussian(0.5), Laplacian(2.0), Matern32(1.0), Matern52(0.8), Cauchy(1.5), Linear(), Polynomial(3, offset=0.5)]


@pytest.mark.parametrize("large", [1.0, 30.0, 1e6])
@pytest.mark.parametrize(
    "algorithm",
    [
        "oks",
        pytest.param("oks++", marks=pytest.mark.bounds),
        "ioks",
        pytest.param("lkmbooks", marks=pytest.mark.bounds),
    ],
)
def test_exact_space_evaluates_its_examples(algorithm, large):
    """f(x) from the tiles equals the sum over the stored examples, for every family, also for large inputs."""
    generator = np.random.default_rng(2)
    X = generator.uniform(-1, 1, (300, 3)) * large + (large if large > 1 else 0)
    X[5] = X[4]
    kernels = tuple(type(k)(k.width * large) if hasattr(k, "width") else k for k in MIXED)
    spec = Specification(algorithm, "square", 3, kernels, horizon=300, budget=150)
    state, _ = core.advance_in_place(spec, core.start(spec), X, generator.random((300, 1)))
    got = core.values(spec, state, X[:20])[:, :, 0]
    space = state.space
    for arm, kernel in enumerate(kernels):
        chain = 0 if space.shared else arm
        total, tile, left = np.zeros(20), space.chains[chain, 0], space.chains[chain, 2]
        while left > 0:
            held = min(left, space.tiles.shape[2])
            stored = space.tiles[tile, :, :held].T
            total += kernel(X[:20], stored) @ space.coefficients[tile, 0, :held] * space.scales[chain, 0]
            tile, left = space.following[tile], left - held
        assert np.allclose(got[:, arm], total, atol=1e-9 * max(1, np.abs(total).max())), kernel


def frequencies_of(kernel, n_features, n_inputs, seed):
    """w of a family, from the draws that all share; the Laplacian has its own."""
    if isinstance(kernel, Laplacian):
        return CAUCHY.matrix(n_features, n_inputs, seed) / kernel.width
    shared = draw_frequencies(n_features, n_inputs, random_state=seed)
    return shared * kernel.radial(n_features, seed)[:, None] / kernel.width


@pytest.mark.parametrize("algorithm", ["oks++", "ioks", "lkmbooks", "rf-oks++", "raker"])
def test_a_mixed_dictionary_in_one_run(algorithm):
    """Each family at its own place, against the plain transcription with the kernels as they are defined."""
    generator = np.random.default_rng(0)
    X, uniforms = generator.normal(size=(150, 3)), generator.random(150)
    y = np.tanh(X[:, 0])
    exact = algorithm in ("oks++", "ioks", "lkmbooks")
    kernels = MIXED if exact else MIXED[:5]
    fast = kernelpick.trace(algorithm, X, y, loss="square", kernels=kernels, n_features=30, uniforms=uniforms)
    defined = [(lambda x, v, k=k: float(k(x, v)[0, 0])) if exact else frequencies_of(k, 30, 3, seed=0) for k in kernels]
    plain = naive.trace(algorithm, X, y, loss="square", kernels=defined, uniforms=uniforms)
    assert np.array_equal(fast.arms, plain.arms)
    assert np.allclose(fast.predictions, plain.predictions, rtol=1e-9, atol=1e-9)
    assert np.allclose(fast.weights, plain.weights, rtol=1e-9, atol=1e-12)


def test_a_kernel_without_features_is_refused_where_they_are_needed():
    X, y = np.zeros((5, 3)), np.zeros(5)
    with pytest.raises(ValueError, match=r"kernels\[5\].*no random features"):
        kernelpick.trace("rf-oks++", X, y, loss="square", kernels=MIXED)
