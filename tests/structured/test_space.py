"""Structured frequencies: by their formula, beside the kernel, and in the space that has them."""

import naive
import numba
import numpy as np
import pytest
from problems import loss_for
from scipy.linalg import hadamard
from states import arrays, restored

import kernelpick
from kernelpick import Cauchy, Gaussian, Laplacian, Matern32, Matern52, core, draw_frequencies, features
from kernelpick.core import Specification
from kernelpick.core.gradients import gradients
from kernelpick.core.kernels.frequencies import structured
from kernelpick.core.numerics.compilation import JIT
from kernelpick.core.numerics.hadamard import transform

# The steps of the paper are long for the square losses; what explodes does so in both.
pytestmark = pytest.mark.filterwarnings("ignore:.*explodes:RuntimeWarning")
STRUCTURED = {"orthogonal": "structured"}


@pytest.mark.parametrize("order", [1, 2, 4, 8, 32, 64, 512])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_transform_is_a_product_with_the_matrix(order, kind):
    T = np.random.default_rng(0).integers(-9, 9, size=(order, 8)).astype(kind)  # whose sums are exact
    wanted = hadamard(order) @ T
    (numba.njit(lambda rows: transform(rows)) if JIT else transform)(T)
    assert np.array_equal(T, wanted)


@pytest.mark.parametrize(("pairs", "inputs", "order"), [(200, 70, 128), (64, 64, 64), (10, 3, 64), (300, 129, 256)])
def test_frequencies_are_products_of_signs_and_hadamard_matrices(pairs, inputs, order):
    signs, scales = structured(pairs, inputs, seed=5)
    H, rows = hadamard(order) / np.sqrt(order), []
    for first, middle, last in signs:
        rows.append(H @ np.diag(last) @ H @ np.diag(middle) @ H @ np.diag(first))
    lengths = scales * order**1.5  # of rows before they are cut
    wanted = (np.concatenate(rows)[:pairs] * lengths[:, None])[:, :inputs]
    assert np.allclose(draw_frequencies(pairs, inputs, random_state=5, **STRUCTURED), wanted, atol=1e-10)


def test_lengths_and_coordinates_are_those_of_normal_vectors():
    """A chi variable of the padded dimension, 128: squared, its mean is that and its variance twice that."""
    lengths = structured(20_000, 70, seed=1).scales * 128**1.5
    assert np.mean(lengths**2) == pytest.approx(128, rel=0.01) and np.var(lengths**2) == pytest.approx(256, rel=0.05)
    u = draw_frequencies(4096, 70, **STRUCTURED)
    assert np.mean((u**2).sum(axis=1)) == pytest.approx(70, rel=0.02)
    assert np.mean(u**4) == pytest.approx(3, rel=0.05) and abs(np.mean(u)) < 0.01


@pytest.mark.parametrize("inputs", [64, 100, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Matern32(1.5), Matern52(1.0), Cauchy(1.0)], ids=repr)
def test_near_the_kernel_as_orthogonal_ones_are(kernel, inputs):
    X = np.random.default_rng(0).normal(size=(80, inputs)) / np.sqrt(inputs)

    def error(orthogonal):
        maps = (features(kernel, X, 128, orthogonal=orthogonal, random_state=seed) for seed in range(24))
        return np.sqrt(np.mean([(z @ z.T - kernel(X, X)) ** 2 for z in maps]))

    assert error("structured") <= 1.1 * error(True)


def stream(algorithm="rf-oks++", rows=60, inputs=70, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, inputs)) / np.sqrt(inputs)
    y = 0.5 + 0.4 * np.sin(5 * X[:, 0])
    return X, y if loss_for(algorithm, "square") == "square" else np.where(y > 0.5, 1.0, -1.0), rng.random(rows)


@pytest.mark.parametrize("algorithm", ["rf-oks", "rf-oks++", "rf-ioks", "raker"])
def test_beside_a_plain_writing_with_the_same_frequencies(algorithm):
    X, y, uniforms = stream()
    fast = kernelpick.trace(algorithm, X, y, loss="square", n_features=150, uniforms=uniforms, **STRUCTURED)
    frequencies = draw_frequencies(150, 70, **STRUCTURED)
    plain = naive.trace(algorithm, X, y, loss="square", uniforms=uniforms, frequencies=frequencies)
    assert np.array_equal(fast.arms, plain.arms)
    assert np.abs(fast.predictions - plain.predictions).max() < 1e-6 * max(1, np.abs(plain.predictions).max())


@pytest.mark.bounds
@pytest.mark.parametrize("precision", ["double", pytest.param("single", marks=pytest.mark.long)])
def test_any_cut_gives_the_same_bits(precision):
    X, y, _ = stream(rows=90)
    spec = Specification("rf-oks++", "square", 70, n_features=150, precision=precision, **STRUCTURED)
    whole_state, whole = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    for cuts in (range(1, 90), (3, 10, 11, 64, 71)):
        state, said = core.start(spec), []
        for a, b in zip([0, *cuts], [*cuts, 90], strict=True):
            state = restored(spec, arrays(state)) if a == 10 else state
            state, part = core.advance_in_place(spec, state, X[a:b], y[a:b, None])
            said.append(part.record)
        assert np.array_equal(np.concatenate(said), whole.record, equal_nan=True)
        assert np.array_equal(core.values(spec, state, X), core.values(spec, whole_state, X))


def test_slopes_are_differences():
    X, y, _ = stream()
    spec = Specification("rf-oks++", "square", 70, n_features=150, **STRUCTURED)
    state, _ = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    near = X[:1] + 1e-6 * np.eye(70)
    differences = (core.values(spec, state, near)[:, 2, 0] - core.values(spec, state, X[:1])[:, 2, 0]) / 1e-6
    assert np.allclose(gradients(state, 2, 0, X[:1])[0], differences, atol=1e-5)


@pytest.mark.parametrize(("given", "sentence"), [
    ({"kernels": (Gaussian(1.0), Laplacian(1.0))}, r"kernels\[1\], Laplacian.*has no structured frequencies"),
    ({"algorithm": "leader"}, "is for gradient steps on random features, as rf-oks"),
    ({"algorithm": "oks"}, "is for gradient steps on random features"),
    ({"orthogonal": "straight"}, "Unknown orthogonal .* 'straight'"),
])  # fmt: skip
def test_refusals(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        Specification(**{"algorithm": "rf-oks", "loss": "square", "n_inputs": 70, **STRUCTURED, **given})


def test_given_frequencies_are_not_structured():
    X, y, _ = stream()
    with pytest.raises(ValueError, match="frequencies are given, so that none are structured"):
        kernelpick.trace("rf-oks", X, y, loss="square", frequencies=np.ones((3, 70)), **STRUCTURED)
