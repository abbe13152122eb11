"""precision="single" in the core: beside a plain writing, however the stream is cut, and in which type what is held."""

from dataclasses import replace

import naive
import naive_second_order
import naive_single
import numpy as np
import pytest
from problems import loss_for, stream
from states import arrays, restored

import kernelpick
from kernelpick import core
from kernelpick.core import Specification
from kernelpick.core.algorithms import OURS
from kernelpick.core.growth import remap_outputs, widen_inputs

FIRST_ORDER = ("rf-oks", "rf-oks++", "rf-ioks", "raker")
SECOND_ORDER = "rf-oks++-newton"
# Each of these is compiled for these tests alone.
LEADERS = [pytest.param(name, marks=pytest.mark.long) for name in ("leader", "leader-newton", SECOND_ORDER)]
ADAGRAD, OTHER = (pytest.param(name, marks=pytest.mark.long) for name in ("rf-oks++-adagrad", "rf-bao2ks"))
WITHOUT = ("oks", "oks++", "ioks", "lkmbooks", "bao2ks")


@pytest.fixture
def plain(monkeypatch):
    """The plain second writing, in single precision."""
    monkeypatch.setattr(naive, "Features", naive_single.Features)
    for name in ("Features", "Augmented"):
        monkeypatch.setattr(naive_second_order, name, getattr(naive_single, name))

    def trace(algorithm, *rows, **options):
        module = naive_second_order if algorithm in naive_second_order.ALGORITHMS else naive
        return module.trace(algorithm, *rows, **options)

    return trace


@pytest.mark.parametrize("loss", ["square", "logistic"])
@pytest.mark.parametrize("algorithm", [*FIRST_ORDER, ADAGRAD, *LEADERS])
def test_beside_a_plain_writing(plain, algorithm, loss):
    """Few rounds, as rounding is amplified; long enough for a flush."""
    X, y, uniforms, frequencies = stream(loss, 80)
    common = {"loss": loss, "uniforms": uniforms, "frequencies": frequencies, "horizon": 2000}
    single = kernelpick.trace(algorithm, X, y, precision="single", **common)
    double = kernelpick.trace(algorithm, X, y, **common)
    told = plain(algorithm, X, y, **common)
    assert np.array_equal(single.arms, told.arms)
    assert np.abs(single.predictions - told.predictions).max() < 1e-5 * max(1, np.abs(told.predictions).max())
    assert not np.array_equal(single.predictions, double.predictions)


def specification(algorithm, n_features=37, **further):
    loss = loss_for(algorithm, "square")
    return Specification(algorithm, loss, 6, n_features=n_features, random_state=4, precision="single", **further)


def data(spec, rows=200):
    X, y, *_ = stream(spec.loss, rows, inputs=6)
    X[np.random.default_rng(1).random(X.shape) < 0.3] = 0
    X[::7] *= 40
    return X, y[:, None]


@pytest.mark.bounds
@pytest.mark.parametrize("n_features", [37, 40])
@pytest.mark.parametrize("algorithm", ["rf-oks++", ADAGRAD, OTHER, *LEADERS])
def test_any_cut_gives_the_same_bits(algorithm, n_features):
    """Row by row, in pieces, and through saved arrays in between."""
    spec = specification(algorithm, n_features)
    X, Y = data(spec)
    _, whole = core.advance_in_place(spec, core.start(spec), X, Y)
    for cuts in (range(1, 200), (3, 10, 63, 64, 70, 150)):
        state, said = core.start(spec), []
        for a, b in zip([0, *cuts], [*cuts, 200], strict=True):
            if a == 10:
                state = restored(spec, arrays(state))
            state, part = core.advance_in_place(spec, state, X[a:b], Y[a:b])
            said.append(part.record)
        assert np.array_equal(np.concatenate(said), whole.record, equal_nan=True)


@pytest.mark.parametrize(
    ("algorithm", "held"),
    [
        ("rf-oks++", {"space.frequencies", "space.weights"}),
        ("rf-oks++-adagrad", {"space.frequencies", "space.weights"}),
        ("rf-bao2ks", {"space.frequencies", "space.weights", "learner.mu"}),
        ("auto", {"space.frequencies", "learner.K"}),
    ],
)
def test_what_is_single(algorithm, held):
    """Sums that matter are not: squared slopes, matrices, and the weights that they decide on."""
    found = arrays(core.start(specification(algorithm)))
    assert {name for name, array in found.items() if array.dtype == np.float32} == held
    assert all(
        array.dtype != np.float32
        for array in arrays(core.start(Specification(algorithm, loss_for(algorithm, "square"), 6))).values()
    )


@pytest.mark.long
@pytest.mark.parametrize("further", [{"forgetting": 0.95}, {"step_scale": 1e6}])
def test_matrices_that_grow_large_have_double_products(further):
    """Where rows are forgotten, P grows where none has been: with single products it became indefinite and infinite."""
    spec = specification(SECOND_ORDER, 16, **further)
    X, Y = data(spec, 700)
    X[:, 4:] = X[:, :1]
    _, single = core.advance_in_place(spec, core.start(spec), X, Y)
    _, double = core.advance_in_place(
        replace(spec, precision="double"), core.start(replace(spec, precision="double")), X, Y
    )
    assert single.losses.mean() == pytest.approx(double.losses.mean(), rel=0.01)
    assert arrays(core.start(spec))["learner.K"].dtype == np.float64


@pytest.mark.long  # it is compiled for this test alone
def test_equal_rounds_differ_from_those_of_double_precision_by_rounding():
    """As models with a budget for single rows play them; row by row and all at once."""
    spec = specification("auto", steady=True, hypotheses=1.0)
    X, Y = data(spec, 300)
    _, single = core.advance_in_place(spec, core.start(spec), X, Y)
    double = replace(spec, precision="double")
    _, exact = core.advance_in_place(double, core.start(double), X, Y)
    assert np.abs(single.predictions - exact.predictions).max() < 1e-3 * np.abs(exact.predictions).max()
    assert not np.array_equal(single.predictions, exact.predictions)
    state, said = core.start(spec), []
    for row in range(300):
        state, part = core.advance_in_place(spec, state, X[row : row + 1], Y[row : row + 1])
        said.append(part.predictions)
    assert np.array_equal(np.concatenate(said), single.predictions)


def test_half_the_memory():
    spec = {p: Specification("rf-oks++", "square", 18, precision=p) for p in ("double", "single")}
    size = {
        p: sum(array.nbytes for array in core.start(one).space if isinstance(array, np.ndarray))
        for p, one in spec.items()
    }
    assert size["single"] <= 0.51 * size["double"]


@pytest.mark.parametrize("algorithm", WITHOUT)
def test_no_random_features_no_single_precision(algorithm):
    with pytest.raises(
        ValueError, match=rf"precision='single' is for random features, and .*{algorithm[:3]}.* has none"
    ):
        Specification(
            algorithm, loss_for(algorithm, "square" if algorithm != "bao2ks" else "hinge"), 6, precision="single"
        )
    assert not OURS[algorithm].space.spectral


def test_a_word_that_is_none():
    with pytest.raises(ValueError, match="Unknown precision"):
        Specification("rf-oks", "square", 3, precision="half")


@pytest.mark.parametrize("algorithm", ["rf-oks++", pytest.param(SECOND_ORDER, marks=pytest.mark.long)])
def test_more_outputs_and_inputs_keep_their_precision(algorithm):
    spec = specification(algorithm)
    X, Y = data(spec)
    state, _ = core.advance_in_place(spec, core.start(spec), X[:100], Y[:100])
    wide = replace(spec, n_inputs=9, n_outputs=2)
    grown = remap_outputs(widen_inputs(replace(spec, n_inputs=9), state), [0, -1], [1.0, 1.0])
    like = arrays(core.start(wide))
    assert {name: array.dtype for name, array in arrays(grown).items()} == {n: a.dtype for n, a in like.items()}
    X9, Y2 = np.hstack([X, np.zeros((200, 3))]), np.hstack([Y, Y])
    _, outcome = core.advance_in_place(wide, grown, X9[100:], Y2[100:])
    assert np.isfinite(outcome.losses).all()
