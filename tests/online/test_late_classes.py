"""Classes that come while a fit is under way: it goes on, and knows them when it takes effect."""

from itertools import pairwise

import numpy as np
import pytest
from late_arrivals import another_class, work_of
from river_streams import dicts, played, river_model, same_however_it_comes
from spread_fits import plan_for, rows_for

from kernelpick.files.packing import pack, unpack
from kernelpick.online.columns import NamedModel
from kernelpick.online.job import RANGE
from kernelpick.online.kept_rows import Outputs
from kernelpick.online.preparation import AT_ONCE


def test_no_round_plays_more_than_twice_the_usual_when_classes_come():
    X, Y = rows_for(2400, classifies=True)
    model = NamedModel(plan_for(classifies=True, companions=()), [f"c{k}" for k in range(5)])
    work = work_of(model, X, Y, [], classes=[30, 80, 300, 700, 1200, 1500, 1700])
    assert max(work[AT_ONCE:]) <= 2 * max(np.median(work), 2)
    assert model.first is None and model.spec.n_outputs == 9 and model.rounds == 2400


def test_targets_before_classes_came_are_as_they_were():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 9)
    two = np.where(labels == 1, 1.0, -1.0)[:, None]
    three, four = (np.where(labels[:, None] == [0, 1, *[-1] * more], 1.0, -1.0) for more in (1, 2))
    to_three, to_four = Outputs([0, 0, -1], [-1.0, 1.0, -1.0], 5), Outputs([0, 1, -1, 2], [1.0] * 4, 7)
    assert np.array_equal(to_three.before(three), two)
    assert np.array_equal(to_four.before(four[:, [0, 1, 3, 2]]), three)
    assert to_four.before(four).flags.c_contiguous  # compiled code does not look
    assert np.array_equal(Outputs([0], [-1.0], 3).before(-two), two)


def test_with_a_class_a_fit_goes_on():
    X, Y = rows_for(700, classifies=True)
    model = NamedModel(plan_for(classifies=True, companions=()), list("abcde"))
    model.learn(X[:90], Y[:90])
    job, due = model.job, model.job.due
    another_class(model)
    assert model.job is job and (job.base, job.due, job.outputs) == (64, due, [Outputs([0, -1, -1], [1.0] * 3, 90)])
    Y = np.repeat(Y, 3, axis=1)
    model.learn(X[90:512], Y[90:512])
    assert model.job.base == 512 and not model.job.outputs
    another_class(model)  # before any row has come for it
    assert (model.job.base, model.job.outputs, model.job.targets.table.shape[1]) == (512, [], 4)


CLASSES = [
    [100, 300, 700, 1300, 1750],
    pytest.param([64, 65, 415, 416, 511, 512, 1175, 1176], marks=pytest.mark.long),
    pytest.param([3, 9, 513, 514, 1700, 1701, 1838, 1839, 1840], marks=pytest.mark.long),
]


@pytest.mark.parametrize("births", CLASSES)
def test_neither_the_cut_nor_copies_nor_files_change_a_bit(births):
    """Classes and columns come in turns, and trees learn beside the kernels."""
    X, Y = rows_for(2200, d=8, classifies=True)
    columns = [(k, t) for k, t in zip(range(4, 8), births[::2], strict=False)]
    came = np.searchsorted(births, np.arange(2200), side="right")
    labels = [int(y > 0) if t % 3 else 1 + int(n) for t, (y, n) in enumerate(zip(Y[:, 0], came, strict=True))]
    for n, t in enumerate(births):
        labels[t] = 2 + n
    marks = [*columns, *((0, t) for t in births), *((0, t + 1) for t in births)]
    model = same_however_it_comes(dicts(X, columns), labels, marks, classifies=True)
    assert model._model.first is None and model._model.spec.n_outputs == 2 + len(births)


def test_what_is_learned_of_a_class_that_comes_late_is_there_when_the_fit_takes_effect():
    X, Y = rows_for(2200, classifies=True)
    labels = np.where((X[:, 2] > 2.0) & (np.arange(2200) >= 800), 2, Y[:, 0] > 0).tolist()
    rows, seen = dicts(X), []
    heard, _ = played(
        river_model(rows, classifies=True), rows, labels, lambda t, model: seen.append(model._model.job) or model
    )
    due, right = seen[1000].due, np.array([said == y for said, y in zip(heard, labels, strict=True)])
    third = np.array(labels) == 2
    after = np.arange(2200) >= due
    assert 1500 < due < 2000 and right[after & third].mean() > 0.7 > right[800:850][third[800:850]].mean()


def test_a_class_that_comes_in_a_fit_with_the_last_rows():
    X, Y = rows_for(4600, classifies=True)
    X[2000:, :4] = 50.0 + 9.0 * X[2000:, :4]  # out of the range of the scales
    model, dues = NamedModel(plan_for(classifies=True, companions=()), list("abcde")), set()
    with pytest.warns(UserWarning, match="left the range"):
        for start in range(0, 4600, 10):
            part = slice(start, start + 10)
            model.learn(X[part], np.repeat(Y[part], model.spec.n_outputs, axis=1))
            if model.job is not None and model.job.why == RANGE:
                if model.spec.n_outputs == 1:
                    another_class(model)
                    assert model.job.kept.Y.shape[1] == 3
                dues.add(model.job.due)
    assert len(dues) == 1 and model.job is None and model.spec.n_outputs == 3 and model.rounds == 4600


def test_forged_outputs_are_refused():
    X, Y = rows_for(700, classifies=True)
    model = NamedModel(plan_for(classifies=True, companions=()), list("abcde"))
    model.learn(X[:600], Y[:600])
    another_class(model)
    model.learn(X[600:], np.repeat(Y[600:], 3, axis=1))
    about, arrays = pack(model)
    assert unpack(NamedModel, about, arrays).job.outputs == model.job.outputs
    ones = [1.0] * 3
    for wrong in (
        [], [[[0, -1], ones[:2], 600]], [[[0, -1, -1], ones[:2], 600]], [[[0, -1, 5], ones, 600]],
        [[[-1] * 3, ones, 600]], [[[0, -1, -1], [1.0, 1.0, 2.0], 600]], [[[0, -1, -1], ones, 500]],
        [[[0, -1, -1], ones, 701]], [[[0, -1, "b"], ones, 600]],
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError, KeyError)):
            unpack(NamedModel, about | {"job": about["job"] | {"outputs": wrong}}, arrays)


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


@pytest.mark.parametrize(("spread", "when"), [(True, 1300), (True, 1700), (False, 2000)])
def test_a_class_is_no_change_of_what_was_learned_before(spread, when):
    """The losses of more outputs are larger: the leader was challenged, and all others were forgotten."""
    X, Y = rows_for(2600, classifies=True)
    labels = np.where(np.isin(np.arange(2600), [when, when + 5]), 2, Y[:, 0] > 0).tolist()
    rows = dicts(X)
    _, model = played(river_model(rows, classifies=True, spread=spread, companions=()), rows, labels)
    assert model._model.spec.n_outputs == 3 and model._model.state.selector.race["since"][0] == 0
