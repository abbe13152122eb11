"""Fits beside the rounds where rows come in batches: the learner takes in many rows at a time, and no block has more
players than others."""

import numpy as np
import pytest
from late_arrivals import work_of
from spread_fits import learned, plan_for, rows_for, saved

from kernelpick.core.learners.newton import Newton
from kernelpick.online.columns import NamedModel
from kernelpick.online.model import Model
from kernelpick.online.preparation import AT_ONCE


@pytest.mark.parametrize("classifies", [False, True])
def test_a_file_in_the_middle_of_a_fit_changes_no_bit(classifies):
    """Which scouts play a block was forgotten."""
    X, Y = rows_for(2100, classifies=classifies)
    plan = plan_for(classifies=classifies, batches=True, companions=())
    expected, model = learned(Model(plan), X, Y, [])
    assert isinstance(model.state.learner, Newton) and model.first is None
    heard, _ = learned(Model(plan), X, Y, [50, 100, 150, 223, 300, 396, 450, 569, 800, 1100, 1500, 1830], saved)
    assert np.array_equal(heard, expected)


def test_no_round_plays_more_than_twice_the_usual():
    """In the fits, after them, and when the leader is challenged after a change."""
    X, Y = rows_for(4200)
    Y[2300:] = np.cos(3.0 * X[2300:, 1:2]) + 4.0
    model = NamedModel(plan_for(batches=True, companions=()), list("abcde"))
    work = work_of(model, X, Y, [])
    assert max(work[AT_ONCE:]) <= 2 * max(np.median(work), 2)
    assert model.state.selector.race["since"][0] > 0 or model.given_up > 0  # it was heard
