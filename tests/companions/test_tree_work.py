"""What a row does of a tree where no row may do more than its share, counted by the steps themselves."""

import numba
import numpy as np
import pytest
from grown_trees import learned, rows_of, trees_for

from kernelpick.core.companions import boosted_trees, growing
from kernelpick.core.companions.growing import BEGUN, COLUMNS, ROWS, TREES, work_of
from kernelpick.core.companions.schedule import FIRST_TREES, between

pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.skipif(not numba.config.DISABLE_JIT, reason="functions that are compiled can't be counted"),
]
COME = 590
STEPS = ("_drop", "_slopes", "_look", "_split")


@pytest.fixture
def steps(monkeypatch):
    """The work of each step that is done."""
    done = []

    def counted(step):
        def then(*given):
            done.append(step(*given))
            return done[-1]

        return then

    for name in STEPS:
        monkeypatch.setattr(growing, name, counted(getattr(growing, name)))
    return done


@pytest.mark.parametrize(("d", "grown"), [(4, 4), (40, 40), (4, 100)])
def test_no_row_does_more_of_a_tree_than_its_share_and_a_step(d, grown, steps):
    """Nor where columns come while trees have begun."""
    X, Y = rows_of(700, d)
    trees, loss = trees_for("square", d, steady=True)
    began = work = 0
    for row in range(len(X)):
        steps.clear()
        if row == COME and grown > d:
            assert trees.clock[BEGUN] == 1
            X = np.hstack([X, np.zeros((len(X), grown - d))])
            trees = trees.widened(trees_for("square", grown, steady=True)[0])
        learned(trees, loss, X[row : row + 1], Y[row : row + 1])
        if trees.clock[BEGUN] == 0:
            assert not steps
            continue
        began = began or row
        apart = FIRST_TREES if trees.clock[BEGUN] <= 40 else between(row)
        share = work_of(trees.clock[ROWS], trees.clock[COLUMNS], 1) // apart + 1
        assert sum(steps) < share + max(steps, default=0) and max(steps, default=0) <= 2 * share
        work += sum(steps)
    assert trees.clock[TREES] == trees.clock[BEGUN] - 1 == (len(X) - began - 1) // FIRST_TREES > 3 and work > 0
    assert np.isfinite(learned(trees, loss, X[:1], Y[:1])).all()
    assert boosted_trees.grow is growing.grow  # whose steps were counted
