"""Classes that come while a fit is under way: it begins again, or does again at once what it has done."""

from itertools import pairwise

import numpy as np
import pytest
from late_arrivals import another_class, work_of
from river_streams import dicts, river_model
from spread_fits import plan_for, rows_for

from kernelpick.online.columns import NamedModel
from kernelpick.online.preparation import AT_ONCE


def test_no_round_plays_more_than_twice_the_usual_when_classes_come():
    X, Y = rows_for(4800, classifies=True)
    model = NamedModel(plan_for(classifies=True, companions=()), [f"c{k}" for k in range(5)])
    work = work_of(model, X, Y, [], classes=[30, 80, 300, 700, 1200])
    assert max(work[AT_ONCE:]) <= 2 * max(np.median(work), 2)
    assert model.first is None and model.spec.n_outputs == 7 and model.rounds == 4800


def test_with_a_class_a_fit_begins_again():
    X, Y = rows_for(2000, classifies=True)
    model = NamedModel(plan_for(classifies=True, companions=()), list("abcde"))
    model.learn(X[:90], Y[:90])
    assert (model.job.base, model.job.last) == (64, False)
    model.remap([0, -1, -1], [1.0] * 3)
    assert (model.job.base, model.job.last) == (90, False)
    Y = np.repeat(Y, 3, axis=1)
    model.learn(X[90:300], Y[90:300])
    model.remap([0, 1, 2, -1], [1.0] * 4)
    assert model.job is None  # the last is near
    Y = np.repeat(Y[:, :1], 4, axis=1)
    model.learn(X[300:700], Y[300:700])
    assert (model.job.base, model.job.last) == (512, True)
    due = model.job.due
    model.remap([0, 1, 2, 3, -1], [1.0] * 5)
    assert model.job.base == 700 and model.job.due > due


def test_where_rows_are_no_longer_kept_a_fit_does_again_what_it_has_done():
    X, Y = rows_for(6000, classifies=True)
    model, classes = NamedModel(plan_for(classifies=True, companions=()), list("abcde")), 1
    for row in range(6000):
        if row >= 520 and row % 40 == 0 and model.first is not None:
            before = model.job
            another_class(model)
            classes = model.spec.n_outputs
            if (model.job.base, model.job.due) == (before.base, before.due):
                break
        model.learn(X[row : row + 1], np.repeat(Y[row : row + 1], classes, axis=1))
    due = model.job.due
    assert row < due <= len(model.first.X) < row + due - model.job.base + row - model.job.base
    model.learn(X[row:due], np.repeat(Y[row:due], classes, axis=1))
    assert model.job is None and model.first is None and model.rounds == due


def test_a_class_after_which_the_last_fit_is_overdue_begins_it():
    X, Y = rows_for(2600, classifies=True)
    rows = dicts(X)
    model = river_model(rows, classifies=True, companions=())
    for t, row in enumerate(rows):
        model.learn_one(row, 2 if t == 100 else 3 if t == 560 else int(Y[t, 0] > 0))
        assert t != 560 or (model._model.job.base, model._model.job.last) == (560, True)
    assert model._model.first is None


@pytest.mark.parametrize("when", [100, 700, 1500])
def test_a_class_and_a_column_may_come_with_one_row(when):
    """Whichever of the two is heard of first."""
    pandas = pytest.importorskip("pandas")
    X, Y = rows_for(2000, classifies=True)
    rows = dicts(X, [(4, when)])
    labels = [2 if t == when else 3 if t == 120 else int(y > 0) for t, y in enumerate(Y[:, 0])]
    one, many = (river_model(rows, classifies=True, companions=()) for _ in range(2))
    for row, label in zip(rows, labels, strict=True):
        one.learn_one(row, label)
    for start, stop in pairwise([0, when, when + 1, 2000]):
        many.learn_many(pandas.DataFrame(rows[start:stop]), pandas.Series(labels[start:stop]))
    assert np.array_equal(one._model.state.space.weights, many._model.state.space.weights)
    assert one.predict_proba_one(rows[0]) == many.predict_proba_one(rows[0])
