"""What is done before a fit needs it: frequencies are drawn with the first row, memory is written to by and by."""

import copy
import os
from dataclasses import replace

import numpy as np
import pytest
from river_streams import dicts, played, river_model
from spread_fits import plan_for, rows_for

from kernelpick import core
from kernelpick.core import stream
from kernelpick.core.kernels import frequencies
from kernelpick.core.learners.steady import Steady
from kernelpick.core.numerics import memory, panels, rng
from kernelpick.online.ahead import Ahead
from kernelpick.online.columns import NamedModel
from kernelpick.online.model import Model
from kernelpick.river import KernelRegressor


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
@pytest.mark.parametrize("named", [False, True])
def test_no_fit_draws_frequencies(algorithm, named, monkeypatch):
    """Those of the kernels, which are most; memories have few, and draw them when they begin."""
    X, Y = rows_for(1000)
    forget_frequencies()
    plan = plan_for(algorithm, companions=(), **({"forgetting": 1.0, "features": 200} if algorithm == "auto" else {}))
    model, drawn = NamedModel(plan, "abcde") if named else Model(plan), []
    once = rng.normals
    monkeypatch.setattr(rng, "normals", lambda *told: drawn.append(told) or once(*told))
    model.learn(X, Y)
    assert model.state is not None and (model.job is not None) == (algorithm == "auto")
    assert not drawn


def forget_frequencies():
    frequencies.drawing.cache_clear()
    for kept in (frequencies._independent, frequencies._of_column):
        kept.kept.cache_clear()


@pytest.mark.parametrize("came", [9, 30, 100, 300, 511, 600, 900])
def test_no_fit_draws_those_of_columns_that_have_come(came, monkeypatch):
    """They are drawn with the row that they come with, for the fits to come, too."""
    X, Y = rows_for(2_000)
    forget_frequencies()
    plan = plan_for("auto", companions=(), forgetting=1.0, features=200, orthogonal=False)
    model, drawn, once = NamedModel(plan, "abcde"), [], rng.normals
    monkeypatch.setattr(rng, "normals", lambda *told: drawn.append(told) or once(*told))
    model.learn(X[:came], Y[:came])
    assert not drawn
    model.admit(["new", "newer"])
    assert {name for _, name, _ in drawn} == {f"frequencies/{name!r}" for name in ("new", "newer")}
    drawn.clear()
    wider = np.zeros((len(X), model.spec.n_inputs))
    wider[:, :5] = X
    model.learn(wider[came:], Y[came:])
    assert model.rounds == 2_000 and model.job is None and not drawn


@pytest.mark.parametrize("came", [30, 300])
def test_orthogonal_frequencies_are_drawn_beside_the_rounds(came, monkeypatch):
    """Where columns have come since the first row: no row draws all of them."""
    X, Y = rows_for(700)
    forget_frequencies()
    plan = plan_for("auto", companions=(), forgetting=1.0, features=400)
    model, drawn, once = NamedModel(plan, "abcde"), [], rng.normals
    model.learn(X[:came], Y[:came])
    model.admit(["new", "newer"])
    wider = np.zeros((len(X), model.spec.n_inputs))
    wider[:, :5] = X
    model.learn(wider[came:512], Y[came:512])
    monkeypatch.setattr(rng, "normals", lambda seed, name, n, start=0: drawn.append(n) or once(seed, name, n, start))
    most = []
    for row in range(512, 700):
        drawn.clear()
        model.learn(wider[row : row + 1], Y[row : row + 1])
        most.append(sum(drawn))
    whole = frequencies.drawing(max(model.preparation.sizes(7)), 7, 0)
    assert sum(most) > 5 * frequencies.AT_A_TIME and whole._found is not None
    assert max(most) <= 3 * frequencies.AT_A_TIME  # a small state for the metric is made at once


def test_frequencies_in_steps_are_those_at_once():
    forget_frequencies()
    plain, steps = frequencies.drawing(50, 6, 3).frequencies().copy(), 0
    forget_frequencies()
    for _ in frequencies.drawing(50, 6, 3).steps():
        steps += 1
    assert steps > 6 and np.array_equal(frequencies.drawing(50, 6, 3).frequencies(), plain)
    forget_frequencies()
    next(frequencies.drawing(50, 6, 3).steps())
    assert np.array_equal(frequencies.drawing(50, 6, 3).frequencies(), plain)  # what is left of them is done at once


def test_what_was_interrupted_is_drawn_again(monkeypatch):
    forget_frequencies()
    plain = frequencies.drawing(50, 6, 3).frequencies().copy()
    forget_frequencies()
    with monkeypatch.context() as patch:
        patch.setattr(np, "einsum", lambda *told: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            frequencies.drawing(50, 6, 3).frequencies()
    assert np.array_equal(frequencies.drawing(50, 6, 3).frequencies(), plain)


def test_more_of_the_same_are_drawn_once():
    """The first of a stream of numbers are the first of it, however many were asked for, and in which order."""
    asked = []

    def draw(count, name):
        asked.append(count)
        return np.arange(count) + len(name)

    kept = frequencies.Longest(draw, 2)
    for count in (3, 2, 5, 4, 5):
        assert kept(count, "ab").tolist() == [2, 3, 4, 5, 6][:count]
    assert asked == [3, 5]
    kept(1, "b"), kept(1, "c"), kept(1, "ab")
    assert asked == [3, 5, 1, 1, 1]


@pytest.mark.parametrize("spectrum", [frequencies.NORMAL, frequencies.CAUCHY])
def test_the_first_frequencies_do_not_depend_on_how_many_there_are(spectrum):
    forget_frequencies()
    few, many = (spectrum.matrix(count, 3, 0) for count in (4, 9))
    assert np.array_equal(few, many[:4]) and np.array_equal(few, spectrum.matrix(4, 3, 0))
    assert np.array_equal(spectrum.column(0, "a", 4), spectrum.column(0, "a", 9)[:4])


def test_columns_have_the_frequencies_of_their_names():
    """Whatever their order, and whenever they come."""
    model = NamedModel(plan_for("rf-oks++", d=3), ["c", "a", "b"])
    model.admit(["z", "d"])
    model.learn(*rows_for(200, d=model.spec.n_inputs))
    for name, column in model.names.items():
        expected = rng.normals(0, f"frequencies/{name!r}", model.spec.n_features)
        assert np.array_equal(model.state.space.frequencies[0, column], expected)


def test_touching_changes_nothing_but_what_a_first_row_would():
    """Before an arm has learned, in the middle of it, and after; and a state is given no learner of another size."""
    plan = plan_for("auto", features=40)
    spec = replace(plan.specification, n_features=40)
    X, Y = rows_for(30)
    plain, other = (core.start(spec) for _ in range(2))
    made = Ahead(spec, len(spec.kernels))
    own = made.learner
    assert isinstance(own, Steady)
    for name, array in plain.learner._asdict().items():
        assert np.array_equal(array, getattr(own, name), equal_nan=True), name
    other = made.given(other)
    assert other.learner is own
    assert Ahead(spec, 1).given(plain) is plain
    assert Ahead(replace(spec, n_outputs=2), len(spec.kernels)).given(plain) is plain
    for start in range(0, 30, 10):
        for _ in range(30):
            next(made.steps, None)
        rows = slice(start, start + 10)
        plain, _ = core.advance_in_place(spec, plain, X[rows], Y[rows])
        other, _ = core.advance_in_place(spec, other, X[rows], Y[rows])
        assert np.array_equal(plain.space.weights, other.space.weights)
    assert next(made.steps, 1) is None  # not all seats are done
    played = plain.learner.blank == 0
    assert played.any() and np.array_equal(plain.learner.P[played], other.learner.P[played])


def test_what_is_ready_is_what_the_first_row_makes_of_it():
    spec = plan_for("auto", features=24).specification
    made = Ahead(spec, 2)
    own = made.learner
    assert len(own.P) == 2 and own.blank.all()
    for _ in made.steps:
        pass
    assert not own.blank.any()
    for P in own.P:
        assert np.array_equal(panels.dense(P), own.prior * np.eye(P.shape[1]))


def test_it_is_taken_once_and_copies_make_their_own():
    """Whether it was there before the fit began or not, in whichever copy, and when a column comes: the same bits."""
    X, Y = rows_for(2300)
    rows = [dict(zip("abcde", row, strict=True)) for row in X.tolist()]
    models = [KernelRegressor("auto", n_features=16, hypotheses=2.0, seed=0) for _ in range(2)]
    for model in models:
        model._begin_by(
            lambda *sizes: replace(plan_for("auto", features=40), memories=False), model._columns.of_dict(rows[0])
        )
    said, held = [[], []], []
    for row, y in zip(rows, Y[:, 0].tolist(), strict=True):
        for which, model in enumerate(models):
            said[which].append(model.predict_one(row))
            model.learn_one(row, y)
        held.append(models[0]._model.ahead is not None)
        if len(held) in (450, 700):
            models[1] = copy.deepcopy(models[1])
            assert models[1]._model.ahead is None
    assert said[0] == said[1]
    assert held[430] and held[500] and not any(held[530:]) and models[0]._model.first is None


def test_what_was_made_before_a_class_or_a_column_came_is_given_up():
    X, Y = rows_for(600, classifies=True)
    model = NamedModel(plan_for("auto", features=40, classifies=True), "abcde")
    model.learn(X[:450], Y[:450])
    assert model.ahead is not None
    model.admit(["f"])
    assert model.ahead is None
    wide = np.hstack([X, np.zeros((600, model.spec.n_inputs - 5))])
    model.ahead = Ahead(model.spec, 5)
    model.remap([0, 0, -1], [1.0, -1.0, 1.0])
    assert model.ahead is None
    model.learn(wide[450:], np.hstack([Y, -Y, -np.ones((600, 1))])[450:])
    assert model.job is not None and np.isfinite(model.decide(wide)).all()


@pytest.mark.parametrize("shape", [(3, 4), (2, 300, 70), (1, 2**16)])
def test_zeros_are_zeros_of_this_process_alone(shape):
    array = memory.zeros(shape)
    assert array.shape == shape and array.dtype == np.float64 and array.flags.c_contiguous and array.flags.writeable
    assert not array.any()
    if not hasattr(os, "fork"):
        return
    child = os.fork()
    if not child:
        array[:] = 1.0
        os._exit(0)
    os.waitpid(child, 0)
    assert not array.any()


def test_arms_of_a_fit_find_their_machine_code_once(monkeypatch):
    """Those of a fit share it with each other and with the model; the metric's arm and the memories have their own."""
    X, Y = rows_for(1900)
    rows, found = dicts(X), []
    once = stream.machine_code
    monkeypatch.setattr(stream, "machine_code", lambda *told: found.append(told[0]) or once(*told))
    _, model = played(river_model(rows[:1]), rows, Y[:, 0].tolist())
    assert model._model.first is None and len(found) <= 4
