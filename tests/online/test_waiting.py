"""Columns that come where no round may do more than its share: they wait, and no bit depends on how that is done."""

import numpy as np
import pytest
from river_streams import dicts, played, river_model, same_however_it_comes
from spread_fits import rows_for

import kernelpick
from kernelpick.core.learners.widening import Halves
from kernelpick.online.waiting import WAIT
from kernelpick.river import KernelRegressor


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
    pytest.param([(4, 3)], marks=pytest.mark.long),  # before there are kernels
    pytest.param([(3, 20), (4, 130)], marks=pytest.mark.long),  # before a fit, and while one of the first is under way
    [(2, 700), (3, 1835), (4, 1850)],
    [(2, 1900), (3, 1950), (4, 1990)],
]


@pytest.mark.parametrize("births", BIRTHS)
def test_neither_the_cut_nor_copies_nor_files_change_a_bit(births):
    X, Y = rows_for(2120)
    model = same_however_it_comes(dicts(X, births), Y[:, 0].tolist(), births)
    assert model._model.waiting is None and len(model._model.names) == 5


@pytest.mark.parametrize("birth", [20, 100, 450, 700])
def test_as_long_as_first_fits_are_to_come_nothing_waits(birth):
    """There a row counts for more than its time, and states are small."""
    X, Y = rows_for(720)
    rows, targets = dicts(X, [(4, birth)]), Y[:, 0].tolist()
    model = river_model(rows)
    played(model, rows[: birth + 1], targets[: birth + 1])
    assert model._model.waiting is None and len(model._model.names) == 5


def test_rows_that_are_kept_while_words_wait_have_gaps_where_these_are():
    X, Y = rows_for(2200)
    rows, targets = dicts(X), Y[:, 0].tolist()
    for t, row in enumerate(rows):
        row["kind"] = "a" if t < 2000 or t % 2 else "b"
    _, model = played(river_model(rows), rows, targets)
    place = next(i for name, i in model._model.names.items() if getattr(name, "value", "") == "b")
    kept = model._model.watch.recent
    there = {row: kept.X[row % len(kept.X), place] for row in range(2200 - len(kept.X), 2200)}
    assert all(there[row] == 0.0 for row in there if row < 2000)
    assert all(np.isnan(there[row]) for row in range(2000, 2000 + WAIT))
    assert all(there[row] == (row % 2 == 0) for row in range(2000 + WAIT, 2200))


def test_importances_and_panels_may_be_asked_for_meanwhile():
    X, Y = rows_for(2010)
    rows = dicts(X, [(4, 2000)])
    _, model = played(river_model(rows), rows, Y[:, 0].tolist())
    assert model._model.waiting is not None
    assert model.importances_["x4"] == 0.0 and sum(model.importances_.values()) == pytest.approx(1.0)
    assert "x0" in model._repr_html_()


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
            model._model.waiting.start_over(model._model.draws)
            model._model.waiting.steps = iter(())
        return model

    assert played(river_model(rows, features=40), rows, targets, forgets)[0] == heard


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
        {"batches": [[[], False, False, 0]], "due": 2010},
        {"batches": [[["x4"], 1, False, 0]], "due": 2010},
        {"batches": [[["x4"], False, False, -1]], "due": 2010},
        {"batches": [[["x0"], False, False, 0]], "due": 2010},
        {"batches": [[["x4"], False, False, 0]], "due": 10**6},
        {"batches": [[["x4", "x4"], False, False, 0]], "due": 2010},
    ],
)
def test_files_in_which_they_are_forged_are_refused(told):
    X, Y = rows_for(2010)
    rows = dicts(X, [(4, 2000)])
    _, model = played(river_model(rows), rows, Y[:, 0].tolist())
    header, arrays = model._pack()
    since = model._model.watch.recent.count - 10
    assert header["model"]["waiting"] == {"batches": [[["x4"], False, False, since]], "due": 2000 + WAIT}
    header["model"]["waiting"] = told
    with pytest.raises((ValueError, KeyError, TypeError)):
        KernelRegressor._unpack(header, arrays)


def test_a_file_in_which_they_wait_and_there_are_no_kernels_is_refused():
    X, Y = rows_for(2010)
    early, late = dicts(X[:4]), dicts(X, [(4, 2000)])
    _, model = played(river_model(late), late, Y[:, 0].tolist())
    waiting = model._pack()[0]["model"]["waiting"]
    _, model = played(river_model(early), early, Y[:4, 0].tolist())
    header, arrays = model._pack()
    header["model"]["waiting"] = {**waiting, "due": 10}
    with pytest.raises(ValueError, match="columns wait"):
        KernelRegressor._unpack(header, arrays)
