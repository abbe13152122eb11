"""When a fit beside the rounds takes effect, and what begins then."""

from contextlib import nullcontext

import numpy as np
import pytest
from spread_fits import learned, plan_for, rows_for, saved

from kernelpick.online.job import CHANGED, RANGE
from kernelpick.online.learning import Stream
from kernelpick.online.model import Model
from kernelpick.online.preparation import AT_ONCE, Refitted
from kernelpick.online.scaling import OUT


def test_rows_before_the_last_fit_have_half_of_the_usual_number_of_features():
    """Or of what the budget has bought, if that is less; a file does not forget how many there will be."""
    X, Y = rows_for(1900)
    for features in (24, 200):
        model, sizes = Model(plan_for(features=features, companions=())), {}
        for row in range(len(X)):
            model.learn(X[row : row + 1], Y[row : row + 1])
            if model.state is not None:
                sizes.setdefault(model.spec.n_features, row + 1)
            if row == 600:
                due, model = model.job.due, saved(model)
        usual = model.spec.row.features_for(5)
        assert 24 < usual < 200
        assert sizes == {16 if features == 24 else usual // 2: AT_ONCE, features: due}


@pytest.mark.parametrize("why", [RANGE, CHANGED])
def test_what_has_changed_is_fitted_beside_the_rounds(why, monkeypatch):
    """Columns that leave their range, or another function of them."""
    X, Y = rows_for(8000, d=3)
    monkeypatch.setattr(Refitted, "may_have_changed", lambda self, state: why == CHANGED)
    if why == RANGE:
        X[4000:] = 40 * X[4000:] + 300
    else:
        Y[4000:] = np.cos(3 * X[4000:, 1:2]) * 5
    jobs, model = set(), Model(plan_for(d=3, companions=(), forgetting=1.0))
    with pytest.warns(UserWarning) if why == RANGE else nullcontext():
        said, model = learned(model, X, Y, range(100, 8000, 100), lambda m: jobs.add(m.job and m.job.why) or m)
    assert why in jobs and model.rounds == 8000
    assert model.given_up > 0
    with pytest.warns(UserWarning) if why == RANGE else nullcontext():
        again, other = learned(Model(model.plan), X, Y, [4100, 5000, 5200, 5555, 6000, 6500, 7000], saved)
    assert np.array_equal(said, again) and other.given_up == model.given_up


def test_what_begins_with_a_fit_says_at_first_what_its_leader_says():
    """Memories and companions that have heard few rows are not to be sure of them: neither who is heard nor how far
    from the others a target may lie is known from these."""
    X, _ = rows_for(2100, d=3)
    X = np.ascontiguousarray(X / np.arange(1, 4))
    Y = 5.0 * X[:, :1]
    near = np.abs(X[:, 0]) < 1.0
    far = X[~near & (np.arange(2100) < 1500)][:40]
    model = Model(plan_for(d=3, n_features=64))
    model.learn(X[:1000], Y[:1000])
    due = model.job.due
    model.learn(X[1000 : due - 1], Y[1000 : due - 1])
    few = np.flatnonzero(near[:due])[-6:]  # none of them is far off
    for n in range(1, 6):
        model.learn(X[few[n - 1 : n]], Y[few[n - 1 : n]])
        alone, heard = Stream._decide(model, model._scaled(far), False), model._decide(model._scaled(far), False)
        assert model.job is None and np.abs(heard - alone).mean() < 0.2 * np.abs(alone).mean()


def test_values_out_of_range_are_counted_by_windows():
    """Those of rows that a fit has caught up with are not of the window in which it takes effect."""
    X, Y = rows_for(1840)
    X[::10, 0] = 1e4
    model = Model(plan_for(companions=()))
    model.learn(X, Y)
    assert model.first is None and model.job is None
    assert (model.inputs.table[OUT] == 0.0).all()


@pytest.mark.parametrize("seed", range(3))
def test_what_has_not_changed_is_not_given_up(seed, monkeypatch):
    """Though a fit with the last rows is tried again and again: in rows that both have heard, it pays more. A few
    targets far off, which some of its rows have and others have not, do not decide that."""
    X, Y = rows_for(6000, d=3, seed=seed)
    Y[np.random.default_rng(seed).random(6000) < 0.004] *= 60.0
    tried, model = set(), Model(plan_for(d=3, companions=(), forgetting=1.0, n_features=64))
    monkeypatch.setattr(Refitted, "may_have_changed", lambda self, state: True)
    _, model = learned(model, X, Y, range(64, 6000, 64), lambda m: tried.add(m.job and m.job.why) or m)
    assert CHANGED in tried and model.given_up == 0
