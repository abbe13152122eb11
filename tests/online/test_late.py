"""Columns and classes that come while a fit is under way: no round does more than its share, and what the fit has come
to knows them."""

from itertools import pairwise

import numpy as np
import pytest
from river_streams import dicts, moved, played, river_model
from spread_fits import plan_for, rows_for

from kernelpick.online.columns import NamedModel
from kernelpick.online.job import FIRST, RANGE
from kernelpick.online.preparation import AT_ONCE
from kernelpick.river import KernelRegressor


def work_of(model, X, Y, births, classes=()):
    """Rounds of one player in each row, of the kernels and of fits. A column comes before each row of births."""
    work = []
    for row in range(len(X)):
        if row in births:
            model.admit([f"c{len(model.expected)}"])
        if row in classes:
            another_class(model)
        x, job = np.zeros((1, model.spec.n_inputs)), model.job
        x[0, : len(model.names)] = X[row, : len(model.names)]
        players = int(model.state.selector.playing.sum()) if model.state is not None else 0
        before = job.done if job is not None else 0.0
        model.learn(x, np.repeat(Y[row : row + 1], model.spec.n_outputs, axis=1))
        after = sum(one.done for one in {job, model.job} if one is not None)
        work.append(players + after - before)
    return np.array(work)


def another_class(model):
    """One output is two classes, and further ones have one each."""
    outputs = model.spec.n_outputs
    sources = [*range(outputs), *[-1] * (2 if outputs == 1 else 1)]
    model.remap(sources, [1.0] * len(sources))


def test_no_round_plays_more_than_twice_the_usual_when_columns_come():
    X, Y = rows_for(2600, d=10)
    births = [20, 90, 300, 520, 900, 1400, 1800, 2300]
    model = NamedModel(plan_for(d=2, companions=()), ["c0", "c1"])
    work = work_of(model, X, Y, births)
    assert max(work[AT_ONCE:]) <= 2 * max(np.median(work), 2)
    assert model.first is None and len(model.names) == 10 and model.rounds == 2600


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


BIRTHS = [
    [(k, 60 + 170 * k) for k in range(2, 12)],
    pytest.param(
        [(2, 64), (3, 65), (4, 415), (5, 416), (6, 511), (7, 512), (8, 1838), (9, 1839)], marks=pytest.mark.long
    ),
    pytest.param([(2, 513), (3, 514), (4, 1175), (5, 1176), (6, 1177), (7, 1700), (8, 1830)], marks=pytest.mark.long),
]


@pytest.mark.parametrize("births", BIRTHS)
def test_neither_the_cut_nor_copies_nor_files_change_a_bit(births):
    pandas = pytest.importorskip("pandas")
    X, Y = rows_for(2200, d=12)
    rows, targets = dicts(X, births), Y[:, 0].tolist()
    for t, row in enumerate(rows):
        row["kind"] = f"word {(t * t) % (2 + t // 200)}"
    heard, model = played(river_model(rows), rows, targets)
    assert model._model.first is None and model._model.waiting is None
    again, other = played(river_model(rows), rows, targets, moved)
    assert again == heard
    cut, frame = river_model(rows), pandas.DataFrame(rows)
    marks = sorted({0, 1, 5, 64, 90, 333, 480, 505, 720, 1705, 1910, 2200, *(t for _, t in births)})
    for start, stop in pairwise(marks):
        cut.learn_many(frame.iloc[start:stop].dropna(axis=1, how="all"), pandas.Series(targets[start:stop]))
    for one in (other, cut):
        assert np.array_equal(one._model.state.space.weights, model._model.state.space.weights)
        assert one.loss_ == model.loss_


def test_what_is_learned_of_a_column_that_comes_late_is_there_when_the_fit_takes_effect():
    X, Y = rows_for(2200)
    X[:, 4] /= 5.0
    targets = (Y[:, 0] + 3.0 * X[:, 4] * (np.arange(2200) >= 700)).tolist()
    rows = dicts(X, [(4, 700)])
    seen = []
    heard, _ = played(river_model(rows), rows, targets, lambda t, m: seen.append(m._model.job) or m)
    due = seen[1000].due
    errors = (np.array(heard) - targets) ** 2
    assert 1500 < due < 2000 and errors[due : due + 64].mean() < 1.5 < errors[700:732].mean()


def test_a_column_of_zeros_changes_nothing():
    X, Y = rows_for(2000)
    X[:, 4] = 0.0
    targets = Y[:, 0].tolist()
    heard, _ = played(river_model(dicts(X, [(4, 700)])), dicts(X, [(4, 700)]), targets)
    expected, _ = played(river_model(dicts(X[:, :4])), dicts(X[:, :4]), targets)
    assert heard[:700] == expected[:700] and np.allclose(heard[:1840], expected[:1840], rtol=1e-9)
    assert np.allclose(heard, expected, atol=2e-3)  # memories begin then, and go by the number of columns


@pytest.mark.parametrize(
    "wait", [pytest.param(-20, marks=pytest.mark.long), 30, pytest.param(400, marks=pytest.mark.long)]
)
def test_columns_that_come_around_a_fit_with_the_last_rows(wait):
    """They wait, as at any other time; the fit goes on, and knows them when it takes effect."""
    X, Y = rows_for(5000)
    X[2000:, :4] = 50.0 + 9.0 * X[2000:, :4]  # out of the range of the scales
    targets, begin = Y[:, 0].tolist(), 4900
    for birth in (begin, None):
        birth, seen = begin + wait if birth is None else birth, []
        rows = dicts(X, [(4, birth)])
        for t, row in enumerate(rows):
            row["kind"] = "a" if t < birth or t % 2 else "b"

        def look(t, model, seen=seen, goes=birth < 4900):
            job = model._model.job
            seen.append((job is not None and job.why == RANGE, len(model._model.names), job and job.due))
            return moved(t, model) if goes else model

        with pytest.warns(UserWarning, match="left the range"):
            heard, model = played(river_model(rows), rows, targets, look)
        begin = next(t for t in range(2000, 5000) if seen[t][0])
    with pytest.warns(UserWarning, match="left the range"):
        assert played(river_model(rows), rows, targets)[0] == heard
    taken = next(t for t in range(2000, 5000) if seen[t][1] > 5)
    assert seen[begin][0] and taken >= birth + 63
    assert len({due for is_range, _, due in seen if is_range}) == 1  # neither given up nor begun again
    assert model._model.job is None and len(model._model.names) == 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"late": [[["x4"], False, False, 511]]},
        {"late": [[["x4"], False, False, 9999]]},
        {"late": [[["x4"], 1, False, 700]]},
        {"late": [[[], False, False, 700]]},
        {"late": [[["x3"], False, False, 700]]},
        {"late": []},
        {"columns": 9},
        {"columns": -1},
        {"columns": 5},
    ],
)
def test_files_in_which_they_are_forged_are_refused(wrong):
    X, Y = rows_for(720)
    rows = dicts(X, [(4, 700)])
    _, model = played(river_model(rows), rows, Y[:, 0].tolist())
    header, arrays = model._pack()
    told = header["model"]["job"]
    assert (told["why"], told["columns"], told["late"]) == (FIRST, 4, [[["x4"], False, False, 700]])
    header["model"]["job"] = told | wrong
    with pytest.raises((ValueError, KeyError, TypeError)):
        KernelRegressor._unpack(header, arrays)
