"""Fits beside the rounds where rows come in batches: the learner takes in many rows at a time, and no block has more
players than others."""

import numpy as np
import pytest
from late_arrivals import work_of
from spread_fits import learned, plan_for, rows_for, saved

from kernelpick.core.learners.newton import Newton
from kernelpick.files.packing import pack
from kernelpick.online.columns import NamedModel
from kernelpick.online.model import Model
from kernelpick.online.pace import PACE
from kernelpick.online.preparation import AT_ONCE


@pytest.mark.parametrize("classifies", [False, True])
@pytest.mark.parametrize("rows", [400, 2100])
def test_a_file_in_the_middle_of_a_fit_changes_no_bit(classifies, rows):
    """Which scouts play a block was forgotten."""
    X, Y = rows_for(rows, classifies=classifies)
    plan = plan_for(classifies=classifies, batches=True, companions=())
    expected, model = learned(Model(plan), X, Y, [])
    assert isinstance(model.state.learner, Newton) and (model.first is None) == (rows == 2100)
    cuts = [row for row in (50, 100, 150, 223, 300, 396, 450, 569, 800, 1100, 1500, 1830) if row < rows]
    heard, other = learned(Model(plan), X, Y, cuts, saved)
    assert np.array_equal(heard, expected)
    (about, arrays), (_, others) = pack(model), pack(other)
    assert about == pack(other)[0] and arrays.keys() == others.keys()
    assert all(np.array_equal(array, others[name], equal_nan=True) for name, array in arrays.items())


def test_no_block_has_more_players_than_others():
    """In the fits, after them, and when the leader is challenged after a change."""
    X, Y = rows_for(4200)
    Y[2300:] = np.cos(3.0 * X[2300:, 1:2]) + 4.0
    model, players = NamedModel(plan_for(batches=True, companions=()), list("abcde")), []
    once = model.learn
    model.learn = lambda *rows: (
        players.append(np.sum(model.state.selector.playing) if model.state else 0) or once(*rows)
    )
    work = work_of(model, X, Y, [])
    assert max(players[AT_ONCE:]) == model.spec.hypotheses == 2.0 and max(work[AT_ONCE:]) <= PACE + 2.0
    assert model.state.selector.race["since"][0] > 0 or model.given_up > 0  # the change was heard
