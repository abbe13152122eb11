"""The small compiled pieces, each against its definition."""

import naive
import naive_second_order
import numpy as np
import pytest

from kernelpick.core import losses
from kernelpick.core.numerics import panels, rng
from kernelpick.core.numerics.compilation import JIT, compiled
from kernelpick.core.numerics.elementary import cosines_and_sines, exponential
from kernelpick.core.numerics.products import product
from kernelpick.core.selectors.tsallis import mirror_step
from kernelpick.core.selectors.weights import explore, pick, soften

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]
WRITTEN = [name for name in losses.OURS if name in naive.LOSSES]  # those that naive.py writes a second time


@compiled
def exponentials(x, out):
    for i in range(len(x)):
        out[i] = exponential(x[i])


@compiled
def trigonometry(x, factors, scale, out):
    cosines_and_sines(x, 0, factors, 0, scale, out, 0)


@compiled
def loss_at(code, f, y):
    return losses.value(code, f, y), losses.slope(code, f, y), losses.reach(code, f, y)


@compiled
def multiply(A, X, row, stop, columns, out):
    product(A, 0, X, row, stop, columns, out, row)


@compiled
def picked(p, u):
    return pick(p, u)


@compiled
def softened(L, eta, delta, q, p):
    soften(L, eta, q)
    explore(q, delta, p)


@compiled
def stepped(q, rates, c, arm):
    mirror_step(q, rates, c, arm)


@compiled
def parabola_at(code, f, y, v):
    return losses.parabola(code, f, y, v)


@compiled
def tiles(A, P, product, c, N, K, z, dots):
    """Every kind of tile, once."""
    rows = A.shape[1]
    panels.times(A, 0, 0, rows, P, 0, product, 0, 0)
    panels.products_with(A, 0, rows, z, 0, 0, dots, 0)
    panels.downdate(P, 0, A, 0, rows, c)
    panels.eliminate(N, K, 0, rows)
    panels.diagonal(P, 1, 3.0)


def test_exponential():
    x = np.concatenate([np.linspace(-707, 0, 999), np.linspace(-1, 1, 201), np.linspace(0, 700, 99)])
    out = np.empty_like(x)
    exponentials(x, out)
    assert np.max(np.abs(out / np.exp(x) - 1)) < 1e-13
    exponentials(np.array([-np.inf, -1e308, -800.0]), out[:3])
    assert ((out[:3] >= 0) & (out[:3] < 1e-300)).all()


@pytest.mark.parametrize("largest", [1.0, 100.0, 1e5, 1e8, 1e12])
def test_cosines_and_sines(largest):
    x = np.random.default_rng(0).uniform(-largest, largest, (1, 300))
    x[0, :9] = np.arange(9) * np.pi / 4
    factors, out = np.random.default_rng(1).uniform(0.5, 2, (1, 300)), np.empty((1, 600))
    trigonometry(x, factors, 0.5, out)
    angle = x * (factors * 0.5)
    error = 2e-15 if JIT else 2e-15 * max(1.0, largest)  # without fused operations the reduction loses digits
    assert np.max(np.abs(out[0, :300] - np.cos(angle))) < error
    assert np.max(np.abs(out[0, 300:] - np.sin(angle))) < error


@pytest.mark.parametrize("name", WRITTEN)
def test_losses(name):
    code = losses.key(losses.LOSSES[name])
    for y in (-1.0, 1.0):
        for f in (-800.0, -2.0, -1.0, -0.3, 0.0, 0.5, 0.999, 3.0, 800.0):
            value, slope, reach = loss_at(code, f, y)
            assert value == pytest.approx(naive.loss_value(name, f, y), rel=1e-13, abs=1e-300)
            assert slope == pytest.approx(naive.loss_slope(name, f, y), rel=1e-13, abs=1e-300)
            # moving by the reach against the slope ends at the label or at the margin, where there is no loss; the
            # logistic loss has no such place, and moves by its slope
            if name == "logistic":
                assert reach == abs(slope)
            else:
                assert naive.loss_value(name, f - np.sign(slope) * reach, y) == pytest.approx(0, abs=1e-20)


@pytest.mark.parametrize("radius", [0.5, 1.0, 15.0])
@pytest.mark.parametrize("name", WRITTEN)
def test_loss_constants(name, radius):
    loss = losses.LOSSES[name]
    assert (loss.lipschitz(radius), loss.largest(radius)) == pytest.approx(naive.lipschitz_and_largest(name, radius))
    assert loss.smooth == naive.C0.get(name)
    assert loss.classifies == (name not in naive.REGRESSION)


NEAR, FAR = (0.0, 1e-9, 1e-3, 0.7, 3.0), (40.0, 1e4, 1e6)


@pytest.mark.parametrize(
    ("name", "variances"),
    [(name, variances) for name in WRITTEN for variances in (NEAR, FAR) if losses.OURS[name].smooth is not None],
)
def test_parabolas(name, variances):
    """Against the definitions; and the step that a parabola makes lands where the loss and the trust in f balance."""
    code, half = losses.key(losses.LOSSES[name]), 1.0 if name == "logistic" else 0.5
    for y in (-1.0, 1.0):
        for f in (-30.0, -4.0, -1.2, -0.7, 0.0, 0.9, 1.0, 1.1, 4.0, 30.0):
            for v in variances:
                slope, h = parabola_at(code, f, y, v)
                assert (slope, h) == pytest.approx(naive_second_order.parabola(name, f, y, v), rel=1e-6, abs=1e-12)
                assert slope == pytest.approx(half * naive.loss_slope(name, f, y), rel=1e-12, abs=1e-300)
                assert 0 <= h <= 1
                lands = f - v * slope / (1 + h * v)
                if name == "huber":  # its parabola is not the loss, but lies above it
                    there = half * naive.loss_value(name, f, y) + slope * (lands - f) + h / 2 * (lands - f) ** 2
                    assert half * naive.loss_value(name, lands, y) <= there + 1e-9 * max(1, abs(there))
                else:  # the proximal step: (a - f)/v + slope of the loss at a is 0
                    rest = lands - f + v * half * naive.loss_slope(name, lands, y)
                    assert abs(rest) <= 1e-7 * max(1.0, abs(lands), abs(f))


def test_tiles():
    """Every kind of tile against the ordinary products; with the compiler off, this covers their plain versions."""
    generator = np.random.default_rng(0)
    order, rows = 40, 6
    matrix = generator.normal(size=(order, order))
    matrix += matrix.T
    A, c, z = generator.normal(size=(1, rows, order)), generator.random((1, rows)), generator.normal(size=(1, 1, order))
    P = np.stack([panels.in_panels(matrix), panels.in_panels(matrix)])
    N, K = generator.normal(size=(1, rows, rows)), generator.normal(size=(1, rows, order))
    eliminated = np.linalg.solve(np.eye(rows) + np.tril(N[0].T, -1), K[0])
    product, dots = np.empty((1, rows, order)), np.empty((1, rows))
    tiles(A, P, product, c, N, K, z, dots)
    assert np.allclose(product[0], A[0] @ matrix)
    assert np.allclose(dots[0], A[0] @ z[0, 0])
    after = panels.dense(P[0])
    assert np.allclose(after, matrix - (A[0].T * c[0]) @ A[0])
    assert np.array_equal(after, after.T)
    assert np.allclose(K[0], eliminated)
    assert np.array_equal(panels.dense(P[1]), 3 * np.eye(order))


@pytest.mark.parametrize("density", [1.0, 0.4, 0.05, 0.0])
@pytest.mark.parametrize("inputs", [1, 2, 3, 4, 7, 30])
def test_products_do_not_depend_on_their_company(inputs, density):
    generator = np.random.default_rng(inputs)
    X = generator.normal(size=(11, inputs)) * (generator.random((11, inputs)) < density)
    A = generator.normal(size=(1, inputs, 37))
    whole, single = np.full((11, 37), np.nan), np.full((11, 37), np.nan)
    columns = np.zeros(inputs, dtype=np.int64)
    multiply(A, X, 0, 11, columns, whole)
    for row in range(11):
        multiply(A, X, row, row + 1, columns, single)
    assert np.array_equal(whole, single)
    assert np.allclose(whole, X @ A[0], atol=1e-12)


def test_pick():
    p = np.array([0.2, 0.5, 0.3])
    assert [picked(p, u) for u in (0.0, 0.19, 0.2, 0.69, 0.71, 0.999999)] == [0, 0, 1, 1, 2, 2]
    assert picked(np.array([0.5, 0.4]), 0.95) == 1


def test_soften_works_where_plain_exponentials_underflow():
    L = np.array([1e9, 1e9 + 1, 1e9 + 5000])
    q, p = np.empty(3), np.empty(3)
    softened(L, 1.0, 0.3, q, p)
    assert q == pytest.approx(np.array([1, np.exp(-1), 0]) / (1 + np.exp(-1)), abs=1e-12)
    assert p == pytest.approx(0.7 * q + 0.1)


@pytest.mark.parametrize("arms", [1, 2, 6, 50])
@pytest.mark.parametrize("rate", [1e-4, 0.1, 3.0])
@pytest.mark.parametrize("c", [1e-9, 0.5, 40.0, 1e6])
def test_mirror_step(arms, rate, c):
    generator = np.random.default_rng(arms)
    q = generator.dirichlet(np.ones(arms))
    rates = rate * generator.uniform(1, 2, arms)
    arm = arms // 2
    expected = naive.tsallis_step(q.copy(), rates, c, arm)
    got = q.copy()
    stepped(got, rates, c, arm)
    assert got == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert abs(got.sum() - 1) < 1e-12


def test_random_numbers_are_counted():
    a = rng.uniforms(3, "arms", 0, 1000)
    assert np.array_equal(a[400:], rng.uniforms(3, "arms", 400, 600))
    assert not np.array_equal(a, rng.uniforms(3, "other", 0, 1000))
    assert not np.array_equal(a, rng.uniforms(4, "arms", 0, 1000))
    assert ((a >= 0) & (a < 1)).all()


def test_random_numbers_are_even():
    a = rng.uniforms(0, "arms", 0, 100_000)
    counts = np.histogram(a, 100, (0, 1))[0]
    assert ((counts - 1000) ** 2 / 1000).sum() < 160  # chi-square with 99 degrees of freedom: 160 is beyond 0.9999
    assert abs(np.corrcoef(a[:-1], a[1:])[0, 1]) < 0.01
    n = rng.normals(0, "n", 100_000)
    assert abs(n.mean()) < 0.015
    assert abs(n.var() - 1) < 0.02
    assert abs((n**4).mean() - 3) < 0.15
