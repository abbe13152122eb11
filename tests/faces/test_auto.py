"""The default, "auto": fits at rounds 8, 64 and 512, and everything that a stream may do to it."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from scipy import sparse

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.spaces.augmented import squash
from kernelpick.core.state import arrays
from kernelpick.online import grids

RNG = np.random.default_rng(7)
ROWS = 760
X = RNG.normal(size=(ROWS, 3)) * [1, 50, 0.01] + [0, 900, 0]
Y = 40 * np.sin(2 * X[:, 0]) + X[:, 1] + RNG.normal(size=ROWS)
LABELS = np.where(X[:, 0] > 0.6, "high", np.where(X[:, 0] < -0.6, "low", "middle"))
SMALL = {"n_features": 16, "random_state": 3}


def models():
    binary = np.where(X[:, 0] * (X[:, 1] - 900) > 0, 1, 0)
    return {
        "regression": (KernelRegressor(**SMALL), Y, {}),
        "huber": (KernelRegressor(**SMALL, loss="huber"), Y, {}),
        "bandit": (KernelRegressor(**SMALL, hypotheses=1), Y, {}),
        "many kernels": (KernelRegressor(**SMALL, kernels=np.geomspace(0.05, 20, 20)), Y, {}),
        "forgetting": (KernelRegressor(**SMALL, forgetting=0.995), Y, {}),
        "binary": (KernelClassifier(**SMALL), binary, {"classes": [0, 1]}),
        "three": (KernelClassifier(**SMALL, loss="squared_hinge"), LABELS, {"classes": np.unique(LABELS)}),
    }


def assert_same(one, other):
    assert one.n_rounds_ == other.n_rounds_ and one.loss_ == other.loss_ and one.kernels_ == other.kernels_
    if one._model.state is not None:
        first, second = arrays(one._model.state), arrays(other._model.state)
        assert all(np.array_equal(first[name], second[name]) for name in first)


def test_it_is_the_default_and_shows_what_it_does():
    assert KernelRegressor().algorithm == KernelClassifier().algorithm == "auto"
    model = KernelRegressor(random_state=0)
    said = model.progressive_fit(X[:7], Y[:7])
    assert said == pytest.approx([0.0, *(Y[:t].mean() for t in range(1, 7))])
    assert (model.kernels_, model.learner_, model.n_rounds_) == ((), "", 7) and len(model.probabilities_) == 0
    seen = []
    for stop in (8, 64, 512, 513):
        model.partial_fit(X[model.n_rounds_ : stop], Y[model.n_rounds_ : stop])
        arms = 5 if stop < 512 else 8
        assert model.learner_ == "newton" and len(model.kernels_) == len(model.probabilities_) == arms
        assert model.probabilities_.sum() == 1
        widths = np.array([kernel.width for kernel in model.kernels_ if type(kernel) is Gaussian])
        ratios = widths / grids.median_distance(squash(model._model._scaled(X[: min(stop, 512)])))
        assert set(ratios.round(9)) <= {0.25, 0.5, 1, 2, 4} and len(ratios) == (5 if stop < 512 else 4)
        seen.append(model.kernels_)
    assert len(set(seen[:3])) == 3 and seen[2] == seen[3]  # found anew by each fit, and never after the last
    assert model._model.first is None
    center, spread = model._model.inputs.unit[:2, 0]
    assert center == pytest.approx(X[:512].mean(0)) and spread == pytest.approx(X[:512].std(0))


@pytest.mark.parametrize("name", models())
def test_however_rows_are_cut_the_same_bits_come_out(name):
    model, y, first = models()[name]
    whole, pieces, single = (copy.deepcopy(model) for _ in range(3))
    together = whole.progressive_fit(X, y, **first)
    cuts = [0, 1, 7, 8, 9, 63, 64, 65, *range(72, 510, 7), 511, 512, 513, 700, ROWS]
    said = [pieces.progressive_fit(X[a:b], y[a:b], **first) for a, b in itertools.pairwise(cuts)]
    assert (np.concatenate(said) == together).all()
    selection = "drawn" if name == "bandit" else "leader"
    for t in range(ROWS):
        row = slice(t, t + 1)
        if t:
            assert single.predict(X[row], selection=selection)[0] == together[t]
        single.partial_fit(X[row], y[row], **first)
    assert_same(whole, pieces)
    assert_same(whole, single)


def test_every_round_is_counted_once():
    """The first 8 rows by the first fit, all others by what was said to them; later fits add nothing."""
    model = KernelRegressor(**SMALL).partial_fit(X[:8], Y[:8])
    total = 8 * model.loss_
    said = model.progressive_fit(X[8:], Y[8:])
    total += ((said - Y[8:]) ** 2).sum()
    assert model.loss_ == pytest.approx(total / ROWS, rel=1e-9) and model.n_rounds_ == ROWS
    assert model._model.state.rounds == ROWS and model._model.draws == ROWS


def test_the_future_does_not_leak_into_predictions():
    for cut in (5, 50, 300, 600):
        changed, other = np.where(np.arange(ROWS)[:, None] < cut, X, 1e3 * X), np.where(np.arange(ROWS) < cut, Y, -Y)
        one, two = (
            KernelRegressor(**SMALL).progressive_fit(X, Y),
            KernelRegressor(**SMALL).progressive_fit(changed, other),
        )
        assert (one[:cut] == two[:cut]).all() and not (one == two).all()


@pytest.mark.parametrize("rounds", [5, 20, 300, 700])
@pytest.mark.parametrize("name", ["regression", "many kernels", "three"])
def test_saved_and_pickled_models_go_on_as_if_nothing_had_happened(tmp_path, name, rounds):
    model, y, first = models()[name]
    model.partial_fit(X[:rounds], y[:rounds], **first)
    ticket = model.ask(X[0])
    model.save(tmp_path / "model")
    twins = [kernelpick.load(tmp_path / "model"), pickle.loads(pickle.dumps(model, protocol=5)), copy.deepcopy(model)]
    expected = model.tell(ticket, y[0]).progressive_fit(X[rounds:], y[rounds:])
    for twin in twins:
        assert (twin.tell(ticket, y[0]).progressive_fit(X[rounds:], y[rounds:]) == expected).all()
        assert_same(twin, model)


@pytest.mark.bounds
@pytest.mark.parametrize("loss", ["square", "huber"])
def test_a_trace_is_the_estimator(loss):
    """Of kernels alone."""
    model = KernelRegressor(random_state=11, n_features=16, loss=loss, companions=())
    trace = kernelpick.trace("auto", X, Y, loss=loss, random_state=11, n_features=16)
    assert (model.progressive_fit(X, Y) == trace.predictions).all()
    assert (trace.weights == model.probabilities_).all()
    assert (trace.arms[:8] == -1).all() and (trace.arms[8:] >= 0).all()
    signs = np.sign(X[:, 0])
    labels = KernelClassifier(random_state=11, n_features=16, companions=())
    trace = kernelpick.trace("auto", X, signs, loss="logistic", random_state=11, n_features=16)
    assert (labels.progressive_fit(X, signs)[1:] == np.where(trace.predictions >= 0, 1, -1)[1:]).all()


@pytest.mark.parametrize("rounds", [0, 5, 20, 300, 600])
def test_bad_input_never_half_updates(rounds):
    model = KernelRegressor(**SMALL)
    if rounds:
        model.partial_fit(X[:rounds], Y[:rounds])
    before = pickle.dumps(model)
    bad, worse = X.copy(), Y.copy()
    bad[650, 1], worse[650] = np.nan, np.inf
    for call in (
        lambda: model.partial_fit(bad, Y),
        lambda: model.partial_fit(X, worse),
        lambda: model.progressive_fit(X, Y[:-1]),
        lambda: model.partial_fit(X, Y, sample_weight=np.where(np.arange(ROWS) == 650, -1.0, 1.0)),
        lambda: model.partial_fit(X, Y, sample_weight=np.full(ROWS, np.nan)),
        lambda: model.partial_fit(np.where(bad == bad, X, "x"), Y),
    ):
        with pytest.raises(ValueError):
            call()
    assert pickle.dumps(model) == before


def test_sample_weights():
    """Any cut gives the same; rows of weight 0 are not there; other weights count in proportion."""
    weights = RNG.choice([0.0, 0.5, 1.0, 3.0], ROWS)
    whole, pieces, without = (KernelRegressor(**SMALL) for _ in range(3))
    together = whole.progressive_fit(X, Y, sample_weight=weights)
    cuts = [0, *range(1, 30), 64, 100, 512, 650, 651, ROWS]
    said = [pieces.progressive_fit(X[a:b], Y[a:b], sample_weight=weights[a:b]) for a, b in itertools.pairwise(cuts)]
    assert (np.concatenate(said) == together).all()
    kept = weights > 0
    alone = without.progressive_fit(X[kept], Y[kept], sample_weight=weights[kept])
    assert (alone == together[kept]).all()
    assert_same(whole, pieces)
    assert_same(whole, without)
    coins = np.random.default_rng(0).integers(0, 2, ROWS)
    model = KernelRegressor(**SMALL).partial_fit(X, coins, sample_weight=np.where(coins, 9.0, 1.0))
    assert model.predict(X).mean() == pytest.approx(0.9, abs=0.03)


def test_sparse_rows_are_the_same_rows():
    z = X * (np.random.default_rng(0).random(X.shape) < 0.3)
    dense, csr = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    assert (dense.progressive_fit(z, Y) == csr.progressive_fit(sparse.csr_array(z), Y)).all()
    assert_same(dense, csr)
    assert (dense.predict(z) == csr.predict(sparse.csr_matrix(z))).all()


def test_many_columns_are_learned_and_does_not_depend_on_the_cut():
    generator = np.random.default_rng(0)
    rows = np.where(generator.random((500, 1001)) < 0.02, 1.0, 0.0)
    labels = (rows[:, :40].sum(1) > rows[:, 40:80].sum(1)).astype(int)
    # plain frequencies: orthogonal ones of so many columns take a second to draw
    whole, pieces = (KernelClassifier(n_features=16, random_state=0, orthogonal=False) for _ in range(2))
    said = whole.progressive_fit(rows, labels)
    parts = [pieces.progressive_fit(rows[a:b], labels[a:b], classes=[0, 1]) for a, b in ((0, 3), (3, 100), (100, 500))]
    assert (np.concatenate(parts) == said).all()
    assert whole.score(rows, labels) > 0.8


def test_losses():
    for loss in ("square", "huber"):
        assert KernelRegressor(**SMALL, loss=loss).partial_fit(X, Y).score(X, Y) > 0.9
    for loss in ("logistic", "squared_hinge"):
        assert KernelClassifier(**SMALL, loss=loss).fit(X, LABELS).score(X, LABELS) > 0.9
    with pytest.raises(ValueError, match=r"auto needs a smooth loss and absolute is not: take one of huber, square"):
        KernelRegressor(loss="absolute").fit(X, Y)
    with pytest.raises(ValueError, match=r"auto needs a smooth loss and hinge is not: take one of logistic.*squared_h"):
        KernelClassifier(loss="hinge").fit(X, LABELS)


def test_a_trace_is_the_estimator_also_with_many_columns():
    wide = np.random.default_rng(0).normal(size=(100, 1001))
    model = KernelRegressor(random_state=3, n_features=8)
    trace = kernelpick.trace("auto", wide, 10 * wide[:, 0], loss="square", random_state=3, n_features=8)
    assert (model.progressive_fit(wide, 10 * wide[:, 0]) == trace.predictions).all() and model.learner_ == "diagonal"


def test_telling_at_once_is_partial_fit():
    asked, plain = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    expected = plain.progressive_fit(X, Y)
    for t in range(ROWS):
        ticket = asked.ask(X[t])
        assert ticket.prediction == expected[t]
        asked.tell(ticket, Y[t])
    assert_same(asked, plain)
