"""Models of River's face whose fits run beside the rounds, rows for them, and how they are played."""

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest
from spread_fits import plan_for

import kernelpick
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
    """What is said to every row before it is learned, and the model, which may become another one between two rows."""
    said = []
    for t, (row, y) in enumerate(zip(rows, targets, strict=True)):
        said.append(model.predict_one(row))
        model.learn_one(row, y)
        model = between(t, model)
    return said, model


def moved(t, model):
    """Now and then through a file, a copy or a pickle."""
    if t % 97 == 40:
        return kernelpick.from_bytes(model.to_bytes())
    return copy.deepcopy(model) if t % 97 == 60 else pickle.loads(pickle.dumps(model)) if t % 97 == 80 else model


def same_however_it_comes(rows, targets, births, **options):
    """The model of these rows, which are also played through copies and files, and in pieces of a table that begin with
    the births, since a column of nothing but gaps is none."""
    pandas = pytest.importorskip("pandas")
    heard, model = played(river_model(rows, **options), rows, targets)
    again, other = played(river_model(rows, **options), rows, targets, moved)
    assert again == heard
    cut, frame = river_model(rows, **options), pandas.DataFrame(rows)
    marks = {0, 1, 5, 64, 90, 333, 480, 505, 720, 1705, 1910, 2000, len(rows), *(t for _, t in births)}
    for start, stop in pairwise(sorted(marks)):
        cut.learn_many(frame.iloc[start:stop].dropna(axis=1, how="all"), pandas.Series(targets[start:stop]))
    for one in (other, cut):
        assert np.array_equal(one._model.state.space.weights, model._model.state.space.weights)
        assert one.loss_ == model.loss_
    return model
