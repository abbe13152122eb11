"""Columns that come where no round may do more than its share: they wait, and no bit depends on how that is done."""

import copy
import pickle
from collections import deque
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from spread_fits import plan_for, rows_for

import kernelpick
from kernelpick import core
from kernelpick.core.growth import widen_inputs
from kernelpick.core.learners.widening import Halves
from kernelpick.core.numerics.panels import padded
from kernelpick.online.waiting import WAIT
from kernelpick.river import KernelClassifier, KernelRegressor


def river_model(rows, classifies=False, **options):
    """For rows that come one by one, with a plan as a time budget makes it."""
    face = KernelClassifier if classifies else KernelRegressor
    model = face("auto", n_features=16, hypotheses=2.0, seed=0)

    def plan(numbers, inputs):
        return plan_for("auto", d=numbers, classifies=classifies, **options)

    model._begin_by(plan, model._columns.of_dict(rows[0]))
    return model


def dicts(X, births=()):
    """Rows as dicts; column k is there from row births[k] on, the first two from the beginning."""
    since = dict(births)
    return [{f"x{k}": value for k, value in enumerate(row) if t >= since.get(k, 0)} for t, row in enumerate(X.tolist())]


def played(model, rows, targets, between=lambda t, model: model):
    said = []
    for t, (row, y) in enumerate(zip(rows, targets, strict=True)):
        said.append(model.predict_one(row))
        model.learn_one(row, y)
        model = between(t, model)
    return said, model


def test_it_is_as_if_the_column_came_later():
    """As long as it waits, nobody can tell that it is there."""
    X, Y = rows_for(2100)
    late, never = dicts(X, [(4, 2000)]), dicts(X[:, :4])
    targets = Y[:, 0].tolist()
    heard, model = played(river_model(late), late, targets)
    expected, _ = played(river_model(never), never, targets)
    assert heard[: 2000 + WAIT] == expected[: 2000 + WAIT] and heard[2000 + WAIT :] != expected[2000 + WAIT :]
    assert model._model.waiting is None and list(model._model.names) == [f"x{k}" for k in range(5)]


BIRTHS = [
    [(4, 3)],  # before there are kernels
    [(4, 20)],  # before a fit with 64 rows: it is taken in when that begins
    [(3, 100), (4, 130)],  # while a fit is under way
    [(3, 430), (4, 500)],
    [(2, 700), (3, 701), (4, 1700)],
    [(2, 1900), (3, 1950), (4, 1990)],
]


@pytest.mark.parametrize("births", BIRTHS)
def test_neither_the_cut_nor_copies_nor_files_change_a_bit(births, tmp_path):
    pandas = pytest.importorskip("pandas")
    X, Y = rows_for(2120)
    rows, targets = dicts(X, births), Y[:, 0].tolist()
    heard, model = played(river_model(rows), rows, targets)
    assert model._model.waiting is None and len(model._model.names) == 5

    def moved(t, model):
        if t % 97 == 40:
            model.save(tmp_path / "model.kpick")
            return kernelpick.load(tmp_path / "model.kpick")
        return copy.deepcopy(model) if t % 97 == 60 else pickle.loads(pickle.dumps(model)) if t % 97 == 80 else model

    again, other = played(river_model(rows), rows, targets, moved)
    assert again == heard
    cut, frame = river_model(rows), pandas.DataFrame(rows)
    marks = [0, 1, 5, 64, 90, 333, 480, 505, 720, 1705, 1910, 2000, 2120]
    marks = sorted({*marks, *(t for _, t in births)})  # a column of nothing but gaps is none
    for start, stop in pairwise(marks):
        some = frame.iloc[start:stop].dropna(axis=1, how="all")
        cut.learn_many(some, pandas.Series(targets[start:stop]))
    for one in (other, cut):
        assert np.array_equal(one._model.state.space.weights, model._model.state.space.weights)
        assert one.loss_ == model.loss_


def test_a_fit_that_is_under_way_is_left_alone():
    X, Y = rows_for(2100)
    rows, targets = dicts(X, [(4, 600)]), Y[:, 0].tolist()
    model, seen = river_model(rows), []

    def look(t, model):
        own = model._model
        seen.append((own.job, own.waiting, len(own.names)))
        return model

    played(model, rows, targets, look)
    job = seen[600][0]
    effect = next(t for t in range(600, 2100) if seen[t][0] is not job)
    assert job is not None and seen[599][0] is job and effect > 1000
    assert all(waiting is not None and names == 4 for _, waiting, names in seen[600 : effect + WAIT])
    assert all(waiting is None and names == 5 for _, waiting, names in seen[effect + WAIT :])


def test_what_is_prepared_changes_nothing_and_leaves_little(monkeypatch):
    """Only who has learned since is copied in the end: the leader, and those who have just played."""
    X, Y = rows_for(2200)
    rows, targets = dicts(X, [(4, 2000)]), Y[:, 0].tolist()
    filled = []
    fill = Halves._fill
    monkeypatch.setattr(Halves, "_fill", lambda self, *given: filled.append(given) or fill(self, *given))
    heard, model = played(river_model(rows, features=40), rows, targets)
    known, in_the_end = [g for g in filled if len(g) == 3], [g for g in filled if len(g) == 2]
    assert len(known) == (model._model.state.learner.blank == 0).sum() > 2
    assert 1 <= len(in_the_end) < len(known)

    def forgets(t, model):
        if model._model.waiting is not None:
            model._model.waiting.start_over()
            model._model.waiting.seen = model._model.draws
            model._model.waiting.steps = iter(())
        return model

    assert played(river_model(rows, features=40), rows, targets, forgets)[0] == heard


@pytest.mark.parametrize("rounds", [0, 5, 40, 300])
def test_matrices_are_the_same_whenever_they_are_filled(rounds):
    """Seats that learn meanwhile are filled again, even if their turn has come round."""
    X, Y = rows_for(700, d=3)
    spec = core.Specification(
        "leader-newton",
        "square",
        3,
        n_features=4,
        kernels=tuple(map(kernelpick.Gaussian, (0.5, 1.0, 2.0))),
        hypotheses=2.0,
        steady=True,
    )
    state, _ = core.advance(spec, core.start(spec), X[:200], Y[:200])
    wider = replace(spec, n_inputs=40)
    ready = Halves(state.learner, padded(wider.problem(1).weights))
    steps = ready.filled(state.learner, state.clock, 20)
    for _ in range(8):
        next(steps)
    state, _ = core.advance_in_place(spec, state, X[200 : 200 + rounds], Y[200 : 200 + rounds])
    deque(steps, maxlen=0)
    plain, prepared = widen_inputs(wider, core.copy(state)), widen_inputs(wider, state, ready)
    assert prepared.learner.P is ready.P
    wide = np.zeros((100, 40))
    wide[:, :3] = X[:100]
    said = [core.advance(wider, one, wide, Y[:100])[1].predictions for one in (plain, prepared)]
    assert np.array_equal(*said)


def test_a_model_that_is_merged_has_taken_them_in():
    X, Y = rows_for(2040)
    rows, targets = dicts(X, [(4, 2000)]), Y[:, 0].tolist()
    _, model = played(river_model(rows), rows, targets)
    assert model._model.waiting is not None
    blank = model.blank()
    assert blank._model.waiting is None and len(blank._model.names) == 5
    whole = kernelpick.merge([model, model])
    assert len(whole._model.names) == 5 and model._model.waiting is not None
    for one in (blank, whole):
        one.learn_one(rows[-1], 1.0)
        assert np.isfinite(one.predict_one(rows[-1]))


def test_tickets_and_classes_may_come_meanwhile():
    X, Y = rows_for(2100, classifies=True)
    rows, labels = dicts(X, [(4, 2000)]), (Y[:, 0] > 0).tolist()
    model = river_model(rows, classifies=True)
    for t in range(2010):
        model.learn_one(rows[t], labels[t])
    tickets = [model.ask(rows[t]) for t in range(2010, 2100)]
    assert model._model.waiting is not None  # nothing was learned
    model.learn_one(rows[0], 2)
    assert model._model.waiting is None  # 64 draws are over
    for ticket in tickets:
        model.tell(ticket, 1)
    assert model.n_rounds_ == 2101 and set(model.predict_proba_one(rows[-1])) == {0, 1, 2}


@pytest.mark.parametrize(
    "told",
    [
        {"batches": [], "due": 2010},
        {"batches": [[[], False, False]], "due": 2010},
        {"batches": [[["x4"], 1, False]], "due": 2010},
        {"batches": [[["x0"], False, False]], "due": 2010},
        {"batches": [[["x4"], False, False]], "due": 10**6},
        {"batches": [[["x4", "x4"], False, False]], "due": 2010},
    ],
)
def test_files_in_which_they_are_forged_are_refused(told):
    X, Y = rows_for(2010)
    rows = dicts(X, [(4, 2000)])
    _, model = played(river_model(rows), rows, Y[:, 0].tolist())
    header, arrays = model._pack()
    assert header["model"]["waiting"] == {"batches": [[["x4"], False, False]], "due": 2000 + WAIT}
    header["model"]["waiting"] = told
    with pytest.raises((ValueError, KeyError, TypeError)):
        KernelRegressor._unpack(header, arrays)
