""" "auto" on streams of all kinds: changes, wild columns, classes and columns that come late."""

import numpy as np
import pytest
from problems import drifting
from sklearn.datasets import load_digits

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.state import arrays
from kernelpick.online.scaling import CENTER, SPREAD

RNG = np.random.default_rng(7)
ROWS = 760
X = RNG.normal(size=(ROWS, 3)) * [1, 50, 0.01] + [0, 900, 0]
Y = 40 * np.sin(2 * X[:, 0]) + X[:, 1] + RNG.normal(size=ROWS)
LABELS = np.where(X[:, 0] > 0.6, "high", np.where(X[:, 0] < -0.6, "low", "middle"))
SMALL = {"n_features": 16, "random_state": 3}


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


@pytest.mark.parametrize("classifies", [False, True], ids=["regression", "classification"])
@pytest.mark.parametrize("kind", ["abrupt", "gradual"])
def test_after_a_change_it_is_soon_as_good_as_a_fresh_model(kind, classifies):
    """1,500 to 2,500 rounds after the change, within 10 % of the error of a model that started with it."""
    estimator = KernelClassifier if classifies else KernelRegressor
    errors = np.zeros(2)
    for seed in range(3):
        rows, y, settled = drifting(kind, classifies, seed)
        for i, start in enumerate((0, settled)):
            model = estimator(n_features=64, random_state=seed)
            said = model.progressive_fit(rows[start:], y[start:])[-1000:]
            errors[i] += np.mean(said != y[-1000:]) if classifies else np.mean((said - y[-1000:]) ** 2)
    assert errors[0] <= 1.10 * errors[1]
    assert errors[1] < 3 * (0.35 if classifies else 0.5)  # and the fresh one has learned something


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
    assert (abs(values) <= 30 + 1e-9).all() and np.isfinite(model.predict_proba(rows)).all()
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


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_digits(loss):
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.data))
    rows, labels = digits.data[order], digits.target[order]
    model = KernelClassifier(loss=loss, n_features=128, random_state=0)
    said = model.progressive_fit(rows[:1400], labels[:1400])
    assert np.mean((said == labels[:1400])[600:]) > 0.9
    assert model.score(rows[1400:], labels[1400:]) > 0.93


@pytest.mark.parametrize(("columns", "learner"), [(1000, "newton"), (1001, "diagonal")])
def test_many_columns_are_learned_without_matrices(columns, learner):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(20, columns))
    model = KernelRegressor(n_features=8, random_state=0, orthogonal=False)
    said = model.progressive_fit(rows, rows[:, 0])
    assert model.learner_ == learner and np.isfinite(said).all()
    assert (model.memory_bytes_ < 5e6) == (learner == "diagonal")


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


def test_wild_columns_do_not_hide_ordinary_rows():
    generator = np.random.default_rng(5)
    wild = generator.standard_cauchy((4000, 1)) ** 3
    y = np.sin(2 * np.arctan(wild[:, 0])) + 0.1 * generator.normal(size=4000)
    said = KernelRegressor(random_state=0).progressive_fit(wild, y)
    assert ((said - y) ** 2)[2000:].mean() < 0.5 * y.var()


def test_tickets_across_the_fits():
    """Asked before, between and after the fits, told while rows are held and later: each is one round, and learned.

    Of kernels that forget nothing: for who forgets, late is not the same. Memories and companions have tests of theirs.
    """
    plain = {"forgetting": 1.0, "companions": ()}
    model = KernelRegressor(**SMALL, **plain)
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
    twin = KernelRegressor(**SMALL, **plain).partial_fit(X[:600], Y[:600])
    for _ in range(5):
        twin.partial_fit(X[700:704], Y[700:704])
    assert np.abs(model.predict(X[700:704]) - twin.predict(X[700:704])).max() < 0.5
    assert np.isfinite(model.loss_)


@pytest.mark.parametrize("birth", [62, 511])
def test_a_column_that_comes_just_before_a_fit_is_scaled_by_enough_values(birth):
    """It was by one or two, and by what stands in the place of unknown ones."""
    river = pytest.importorskip("kernelpick.river")
    rng = np.random.default_rng(0)
    model = river.KernelRegressor(seed=0, n_features=16)
    for t in range(birth + 40):
        row = {"a": float(rng.normal())} | ({"late": float(1e4 + 1e3 * rng.normal())} if t >= birth else {})
        model.learn_one(row, row["a"])
    center, spread = model._model.inputs.table[[CENTER, SPREAD], model._model.names["late"]]
    assert abs(center - 1e4) < 1e3 and 500 < spread < 2000
