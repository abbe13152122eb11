"""Columns that come while a fit is under way: no round does more than its share, and what takes effect knows them."""

import copy

import numpy as np
import pytest
from late_arrivals import work_of
from river_streams import dicts, moved, played, river_model, same_however_it_comes
from spread_fits import plan_for, rows_for

import kernelpick
from kernelpick.core.learners.diagonal import Diagonal
from kernelpick.online import growing
from kernelpick.online.columns import NamedModel
from kernelpick.online.job import FIRST, RANGE
from kernelpick.online.preparation import AT_ONCE
from kernelpick.river import KernelRegressor


def test_no_round_plays_more_than_twice_the_usual_when_columns_come():
    X, Y = rows_for(2600, d=10)
    births = [20, 90, 300, 520, 900, 1400, 1800, 2300]
    model = NamedModel(plan_for(d=2, companions=()), ["c0", "c1"])
    work = work_of(model, X, Y, births)
    assert max(work[AT_ONCE:]) <= 2 * max(np.median(work), 2)
    assert model.first is None and len(model.names) == 10 and model.rounds == 2600


BIRTHS = [
    [(k, 60 + 170 * k) for k in range(2, 12)],
    pytest.param(
        [(2, 64), (3, 65), (4, 415), (5, 416), (6, 511), (7, 512), (8, 1838), (9, 1839)], marks=pytest.mark.long
    ),
    pytest.param([(2, 513), (3, 514), (4, 1175), (5, 1176), (6, 1177), (7, 1700), (8, 1830)], marks=pytest.mark.long),
]


@pytest.mark.parametrize("births", BIRTHS)
def test_neither_the_cut_nor_copies_nor_files_change_a_bit(births):
    X, Y = rows_for(2200, d=12)
    rows = dicts(X, births)
    for t, row in enumerate(rows):
        row["kind"] = f"word {(t * t) % (2 + t // 200)}"
    model = same_however_it_comes(rows, Y[:, 0].tolist(), births)
    assert model._model.first is None and model._model.waiting is None


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
    assert np.allclose(heard, expected, atol=3e-3)  # memories begin then, and go by the number of columns


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


def test_several_columns_that_wait_together_make_room_in_the_fit_as_in_the_model():
    X, Y = rows_for(4300, d=8)
    X[2000:, :4] = 50.0 + 9.0 * X[2000:, :4]
    rows, targets, tickets = dicts(X, [(4, 3000), (5, 3010), (6, 3010), (7, 3010)]), Y[:, 0].tolist(), []
    asked = lambda t, model: tickets.append(model.ask(rows[t])) or model if t == 4150 else model  # noqa: E731
    with pytest.warns(UserWarning, match="left the range"):
        _, model = played(river_model(rows, companions=()), rows, targets, asked)
    assert model._model.watch.recent.X.shape[1] == model._model.spec.n_inputs
    model.tell(tickets[0].id, 1.0)
    assert kernelpick.from_bytes(model.to_bytes()).predict_one(rows[-1]) == model.predict_one(rows[-1])


@pytest.mark.parametrize("how", [copy.deepcopy, lambda model: kernelpick.from_bytes(model.to_bytes())])
def test_intervals_of_rows_that_were_held_back_know_the_columns_of_each_row(how):
    X, Y = rows_for(200, d=8)
    rows, targets = dicts(X, [(k, 36) for k in range(2, 8)]), Y[:, 0].tolist()

    def started():
        model = KernelRegressor("rf-oks++", n_features=16, seed=0)
        model._begin_by(lambda numbers, _: plan_for("rf-oks++", d=numbers), model._columns.of_dict(rows[0]))
        return model

    heard, model = played(started(), rows, targets)
    again, other = played(started(), rows, targets, lambda t, model: how(model) if t in (37, 40) else model)
    assert heard == again and np.array_equal(model._model.intervals.slopes, other._model.intervals.slopes)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda model: kernelpick.from_bytes(model.to_bytes())])
def test_there_may_be_no_column_before_a_fit(how):
    X, Y = rows_for(500, d=3)
    rows, targets = [{} if t < 100 else row for t, row in enumerate(dicts(X))], Y[:, 0].tolist()
    heard, _ = played(river_model(rows, companions=()), rows, targets)
    moves = lambda t, model: how(model) if t in (70, 150) else model  # noqa: E731
    assert played(river_model(rows, companions=()), rows, targets, moves)[0] == heard


@pytest.mark.parametrize("birth", [30, 100, 1900])
def test_more_than_a_thousand_columns_may_come(birth):
    """Matrices go, and a fit that began with some goes on."""
    X, Y = rows_for(birth + 80, d=1010)
    rows, targets = dicts(X, [(k, birth) for k in range(4, 1010)]), Y[:, 0].tolist()
    heard, model = played(river_model(rows, companions=()), rows, targets)
    assert isinstance(model._model.state.learner, Diagonal) and np.isfinite(heard).all()
    again = lambda t, model: copy.deepcopy(model) if t == birth + 20 else model  # noqa: E731
    assert played(river_model(rows, companions=()), rows, targets, again)[0] == heard


def test_a_fit_that_has_matrices_beside_a_model_that_has_none():
    """It is compiled for other types, and does again what it has done in a copy; with weights, rows go the long way."""
    X, Y = rows_for(158, d=1010)
    rows = dicts(X, [(k, 100) for k in range(4, 1010)])
    model, said = river_model(rows, companions=()), []
    for t, row in enumerate(rows):
        model.learn_one(row, float(Y[t, 0]), w=2.0)
        model = copy.deepcopy(model) if t == 150 else model
        said.append(model.predict_one(row))
    assert type(model._model.state.learner) is Diagonal and model._model.job is not None and np.isfinite(said).all()


def test_what_there_is_no_memory_for_changes_nothing(monkeypatch):
    X, Y = rows_for(40)
    rows = dicts(X, [(4, 30)])
    _, model = played(river_model(rows), rows[:30], Y[:30, 0].tolist())
    before = model.to_bytes()

    def full(*given):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(growing, "widen_inputs", full)
        with pytest.raises(MemoryError):
            model._model.admit(["x4"])
    assert model.to_bytes() == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"late": [[["x4"], False, False, 511, 6]]},
        {"late": [[["x4"], False, False, 9999, 6]]},
        {"late": [[["x4"], 1, False, 700, 6]]},
        {"late": [[[], False, False, 700, 6]]},
        {"late": [[["x3"], False, False, 700, 6]]},
        {"late": [[["x4"], False, False, 700, 5]]},
        {"late": [[["x4"], False, False, 700, 7]]},
        {"late": [[["x4"], False, False, 700]]},
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
    assert (told["why"], told["columns"], told["late"]) == (FIRST, 4, [[["x4"], False, False, 700, 6]])
    header["model"]["job"] = told | wrong
    with pytest.raises((ValueError, KeyError, TypeError)):
        KernelRegressor._unpack(header, arrays)
