"""The default, "auto": fits at rounds 8, 64 and 512, and everything that a stream may do to it."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from problems import drifting
from scipy import sparse
from sklearn.datasets import load_digits

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.state import arrays

RNG = np.random.default_rng(7)
ROWS = 760
X = RNG.normal(size=(ROWS, 3)) * [1, 50, 0.01] + [0, 900, 0]
Y = 40 * np.sin(2 * X[:, 0]) + X[:, 1] + RNG.normal(size=ROWS)
LABELS = np.where(X[:, 0] > 0.6, "high", np.where(X[:, 0] < -0.6, "low", "middle"))
SMALL = {"n_features": 16, "random_state": 3}
FITS = (8, 64, 512)


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
        assert model.learner_ == "newton" and len(model.kernels_) == len(model.probabilities_) == 5
        assert model.probabilities_.sum() == 1
        ratios = np.array([kernel.width for kernel in model.kernels_]) / model.kernels_[2].width
        assert ratios == pytest.approx([0.25, 0.5, 1, 2, 4])
        seen.append(model.kernels_)
    assert len(set(seen[:3])) == 3 and seen[2] == seen[3]  # found anew by each fit, and never after the last
    assert model._model.first is None
    scale = model._model.inputs.table
    assert scale[2] == pytest.approx(X[:512].mean(0)) and scale[3] == pytest.approx(X[:512].std(0))


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
    model = KernelRegressor(random_state=11, n_features=16, loss=loss)
    trace = kernelpick.trace("auto", X, Y, loss=loss, random_state=11, n_features=16)
    assert (model.progressive_fit(X, Y) == trace.predictions).all()
    assert (trace.weights == model.probabilities_).all()
    assert (trace.arms[:8] == -1).all() and (trace.arms[8:] >= 0).all()
    signs = np.sign(X[:, 0])
    labels = KernelClassifier(random_state=11, n_features=16)
    trace = kernelpick.trace("auto", X, signs, loss="logistic", random_state=11, n_features=16)
    assert (labels.progressive_fit(X, signs)[1:] == np.where(trace.predictions >= 0, 1, -1)[1:]).all()


@pytest.mark.parametrize("classifies", [False, True], ids=["regression", "classification"])
@pytest.mark.parametrize("kind", ["abrupt", "gradual"])
def test_after_a_change_it_is_soon_as_good_as_a_fresh_model(kind, classifies):
    """1,500 to 2,500 rounds after the change, within 15 % of the error of a model that started with it."""
    estimator = KernelClassifier if classifies else KernelRegressor
    errors = np.zeros(2)
    for seed in range(3):
        rows, y, settled = drifting(kind, classifies, seed)
        for i, start in enumerate((0, settled)):
            model = estimator(n_features=64, random_state=seed)
            said = model.progressive_fit(rows[start:], y[start:])[-1000:]
            errors[i] += np.mean(said != y[-1000:]) if classifies else np.mean((said - y[-1000:]) ** 2)
    assert errors[0] <= 1.15 * errors[1]
    assert errors[1] < 3 * (0.35 if classifies else 0.5)  # and the fresh one has learned something


def wild(kind):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(1500, 4))
    y = 3 + np.sin(2 * rows[:, 0]) + rows[:, 1]
    if kind == "Cauchy columns":
        rows[:, 2:] = 1e3 * generator.standard_cauchy((1500, 2))
    elif kind == "wild targets":
        y[::97] *= 1e6
    elif kind == "Cauchy targets":
        y += generator.standard_cauchy(1500)
    elif kind == "constant columns":
        rows[:, 2:] = [0.0, 1e9]
    elif kind == "duplicated columns":
        rows[:, 2], rows[:, 3] = rows[:, 0], -1e6 * rows[:, 1]
    elif kind == "asleep until round 512":
        rows[:512, 1] = 7.0
        y = 3 + np.sin(2 * rows[:, 0]) + rows[:, 1]
    elif kind == "wild after round 512":
        rows[700:, 1] *= 1e12
    elif kind == "constant target":
        y[:] = 5.0
    elif kind == "one point":
        rows[:] = rows[0]
    elif kind == "huge numbers":
        rows[:, 2] *= 1e200
    return rows, y


KINDS = [
    "plain", "Cauchy columns", "wild targets", "Cauchy targets", "constant columns", "duplicated columns",
    "asleep until round 512", "wild after round 512", "constant target", "one point", "huge numbers",
]  # fmt: skip


@pytest.mark.parametrize("loss", ["square", "huber"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_stream_makes_predictions_explode(kind, loss):
    """Finite, and inside the range of the targets so far, widened by a tenth."""
    rows, y = wild(kind)
    model = KernelRegressor(n_features=48, random_state=3, loss=loss)
    said = model.progressive_fit(rows, y)
    low, high = np.minimum.accumulate(y)[:-1], np.maximum.accumulate(y)[:-1]
    room = 0.1 * (high - low) + 1e-9 * np.maximum(abs(low), abs(high))
    assert (said[1:] >= low - room).all() and (said[1:] <= high + room).all()
    assert np.isfinite(model.predict(1e6 * rows[:100])).all() and np.isfinite(model.loss_)
    tail = slice(1000, None)
    if kind in ("plain", "Cauchy columns", "constant columns", "duplicated columns", "asleep until round 512"):
        assert np.mean((said - y)[tail] ** 2) < 0.15 * y[tail].var()


@pytest.mark.parametrize(
    "kind", ["plain", "Cauchy columns", "constant columns", "wild after round 512", "huge numbers"]
)
def test_no_stream_makes_margins_explode(kind):
    rows, y = wild(kind)
    labels = np.where(y > 3, "up", "down")
    model = KernelClassifier(n_features=48, random_state=3)
    said = model.progressive_fit(rows, labels)
    values = model.decision_function(np.concatenate([rows, 1e6 * rows[:100]]))
    assert (abs(values) <= 30).all() and np.isfinite(model.predict_proba(rows)).all()
    if kind != "wild after round 512":
        assert np.mean((said == labels)[1000:]) > 0.88


def test_one_class_for_a_long_time():
    rows, y = wild("plain")
    labels = np.where((y > 3) & (np.arange(1500) >= 600), "late", "early")
    for model in (KernelClassifier(**SMALL), KernelClassifier(**SMALL, new_classes="accept")):
        if model.new_classes == "accept":
            said = [model.partial_fit(rows[:1], labels[:1]).predict(rows[:1])]
            said = np.concatenate([said[0], model.progressive_fit(rows[1:], labels[1:])])
        else:
            said = model.progressive_fit(rows, labels)
        assert (said[1:600] == "early").all()
        assert np.mean((said == labels)[1000:]) > 0.75
        assert (abs(model.decision_function(rows)) <= 30).all()


@pytest.mark.parametrize("at", [5, 40, 300, 600])
def test_classes_that_appear_at_any_time(at):
    model = KernelClassifier(**SMALL, new_classes="accept")
    labels = np.where((LABELS == "low") & (np.arange(ROWS) < at), "middle", LABELS)
    model.partial_fit(X[:at], labels[:at])
    before = list(model.classes_)
    for _ in range(4):
        model.partial_fit(X[at:], labels[at:])
    assert "low" not in before and model.classes_.tolist() == ["high", "low", "middle"]
    assert model.score(X[at:], LABELS[at:]) > 0.85


def test_a_class_that_appears_does_not_turn_the_arrays_round():
    """The compiled loop is made for rows that lie in memory one after the other."""
    model = KernelClassifier(**SMALL, new_classes="accept").partial_fit(X[:40], LABELS[:40])
    assert len(model.classes_) == 3
    first = model._model.first
    assert all(array.flags.c_contiguous for array in (first.X, first.Y, *arrays(model._model.state).values()))


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


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_digits(loss):
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.data))
    rows, labels = digits.data[order], digits.target[order]
    model = KernelClassifier(loss=loss, n_features=128, random_state=0)
    said = model.progressive_fit(rows[:1400], labels[:1400])
    assert np.mean((said == labels[:1400])[600:]) > 0.9
    assert model.score(rows[1400:], labels[1400:]) > 0.93


def test_telling_at_once_is_partial_fit():
    asked, plain = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    expected = plain.progressive_fit(X, Y)
    for t in range(ROWS):
        ticket = asked.ask(X[t])
        assert ticket.prediction == expected[t]
        asked.tell(ticket, Y[t])
    assert_same(asked, plain)


def test_tickets_across_the_fits():
    """Asked before, between and after the fits, told while rows are held and later: each is one round, and learned."""
    model = KernelRegressor(**SMALL)
    tickets, asked, start = [], [], 0
    for stop in (3, 30, 200, 520, 600):
        model.partial_fit(X[start:stop], Y[start:stop])
        start = stop
        said = model.predict(X[700:704])
        tickets.append([model.ask(x) for x in X[700:704]])
        asked.append([ticket.prediction for ticket in tickets[-1]])
        assert asked[-1] == said.tolist()
        if stop == 200:  # told while rows are held
            for i in range(4):
                model.tell(tickets[0][i], Y[700 + i])
            assert model.n_rounds_ == 204 and model._model.first.count == 204
        if stop == 520:
            for i in (2, 0, 3, 1):
                model.tell(tickets[1][i], Y[700 + i])
    for group in tickets[2:]:
        for i in range(4):
            model.tell(group[i], Y[700 + i])
    assert model.n_rounds_ == 600 + 5 * 4
    # The same rounds, none of them late: five times each row. What is left to be learned is alike; without the labels
    # that were told, the first of these rows would be 3 further off.
    twin = KernelRegressor(**SMALL).partial_fit(X[:600], Y[:600])
    for _ in range(5):
        twin.partial_fit(X[700:704], Y[700:704])
    assert np.abs(model.predict(X[700:704]) - twin.predict(X[700:704])).max() < 0.5
    assert np.isfinite(model.loss_)


def test_sparse_rows_are_the_same_rows():
    z = X * (np.random.default_rng(0).random(X.shape) < 0.3)
    dense, csr = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    assert (dense.progressive_fit(z, Y) == csr.progressive_fit(sparse.csr_array(z), Y)).all()
    assert_same(dense, csr)
    assert (dense.predict(z) == csr.predict(sparse.csr_matrix(z))).all()


@pytest.mark.parametrize(("columns", "learner"), [(1000, "newton"), (1001, "adagrad")])
def test_many_columns_are_learned_without_matrices(columns, learner):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(20, columns))
    model = KernelRegressor(n_features=8, random_state=0, orthogonal=False)
    said = model.progressive_fit(rows, rows[:, 0])
    assert model.learner_ == learner and np.isfinite(said).all()
    assert (model.memory_bytes_ < 5e6) == (learner == "adagrad")


def test_adagrad_learns_and_does_not_depend_on_the_cut():
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


def test_the_error_of_huber_is_that_of_the_median():
    """A fifth of the targets is far off to one side: the squares follow them, Huber's loss does not."""
    y = Y + 1e4 * (np.random.default_rng(1).random(ROWS) < 0.1)
    errors = {}
    for loss in ("square", "huber"):
        said = KernelRegressor(**SMALL, loss=loss).partial_fit(X, y).predict(X)
        errors[loss] = np.median(abs(said - Y))
    assert errors["huber"] < 0.5 * errors["square"]


def test_river_columns_that_come_late():
    pytest.importorskip("river")
    from kernelpick.river import KernelRegressor as Streaming

    generator = np.random.default_rng(0)
    for late in (4, 100, 600):
        model, errors = Streaming(n_features=16, seed=1), []
        for t in range(1400):
            x = {"a": float(generator.normal()), "b": float(generator.normal())}
            y = np.sin(2 * x["a"]) + x["b"]
            if t >= late:
                x["late"] = float(generator.normal())
                y += 2 * x["late"]
            if t == late:
                probe = [{"a": 0.3, "b": -1.0}, {"a": -2.0, "b": 0.1}]
                before = [model.predict_one(row) for row in probe]
                model.ask(x)  # which admits the column and learns nothing
                assert [model.predict_one(row) for row in probe] == pytest.approx(before, rel=1e-9)
            errors.append((model.predict_one(x) - y) ** 2)
            model.learn_one(x, y)
        assert model._model.spec.n_inputs >= 3 and np.isfinite(errors).all()
        assert np.mean(errors[1200:]) < 0.3 < np.mean(errors[late : late + 20])


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**20])
def test_units_do_not_matter(factor):
    one = KernelRegressor(**SMALL).progressive_fit(X, Y)
    other = KernelRegressor(**SMALL).progressive_fit(X * factor, Y * 4)
    assert other == pytest.approx(4 * one, rel=1e-6, abs=1e-6)


def test_a_trace_is_the_estimator_also_with_many_columns():
    wide = np.random.default_rng(0).normal(size=(100, 1001))
    model = KernelRegressor(random_state=3, n_features=8)
    trace = kernelpick.trace("auto", wide, 10 * wide[:, 0], loss="square", random_state=3, n_features=8)
    assert (model.progressive_fit(wide, 10 * wide[:, 0]) == trace.predictions).all() and model.learner_ == "adagrad"


def test_wild_columns_do_not_hide_ordinary_rows():
    generator = np.random.default_rng(5)
    wild = generator.standard_cauchy((4000, 1)) ** 3
    y = np.sin(2 * np.arctan(wild[:, 0])) + 0.1 * generator.normal(size=4000)
    said = KernelRegressor(random_state=0).progressive_fit(wild, y)
    assert ((said - y) ** 2)[2000:].mean() < 0.5 * y.var()
