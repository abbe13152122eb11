"""The boosted trees and the stack beside their plain second writing, and what is asked of every companion."""

import copy

import numpy as np
import pytest
from grown_trees import learned, rows_of, trees_for
from naive_booster import Booster, Stack
from naive_losses import loss_value

from kernelpick.core import NO_WEIGHTS
from kernelpick.core.companions import NOT_HEARD, learn_rows, predict_rows, settle_all, start_again
from kernelpick.core.companions.boosted_trees import BEGIN, MOST, RING
from kernelpick.core.companions.growing import BEGUN, COUNT, FIRST, PHASE, READY, ROWS, TREES
from kernelpick.core.companions.stack import fresh_stack, join, learn_to_join
from kernelpick.core.loop import Rows
from kernelpick.core.losses import LOSSES, key
from kernelpick.core.numerics.held import Held
from kernelpick.core.parts import arrays_of
from kernelpick.core.record import LOSS, SAID

CLASSIFY = ("logistic", "squared_hinge")


def assert_as_written_plainly(loss, X, Y, weights=NO_WEIGHTS, steady=False, first=600):
    trees, key_of = trees_for(loss, X.shape[1], Y.shape[1], steady=steady)
    said, plain = learned(trees, key_of, X, Y, weights), Booster(loss, X.shape[1], Y.shape[1], 0, steady)
    for row in range(len(X)):
        if row < (first if steady else BEGIN):
            assert plain.predict(X[row]) is None and np.isnan(said[row]).all()
        else:
            np.testing.assert_allclose(said[row], plain.predict(X[row]), rtol=0, atol=1e-9, err_msg=f"row {row}")
        plain.learn(X[row], Y[row], weights[row] if len(weights) else 1.0)
    assert trees.clock[TREES] == len(plain.trees)
    return trees


PLAINLY = [("square", 1), ("square", 2), ("logistic", 1), ("logistic", 3), ("squared_hinge", 1), ("huber", 1)]


@pytest.mark.bounds
@pytest.mark.parametrize(("loss", "outputs"), PLAINLY)
def test_it_says_what_its_plain_second_writing_says(loss, outputs):
    X, Y = rows_of(620, 4, outputs, loss in CLASSIFY)
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(X)) if outputs == 1 else NO_WEIGHTS
    assert assert_as_written_plainly(loss, X, Y, weights).clock[TREES] == 43


@pytest.mark.bounds
def test_steadily_the_first_trees_come_one_by_one():
    X, Y = rows_of(1610, 4)
    X[:400, 3] = 0.0
    trees = assert_as_written_plainly("square", X, Y, steady=True)
    assert trees.clock[TREES] == 40 + (1610 - 1536) // 32 and trees.clock[BEGUN] == trees.clock[TREES] + 1


@pytest.mark.parametrize(("d", "first"), [(40, 600), (150, 768), (300, 768)])
def test_steadily_many_columns_have_edges_before_the_first_tree(d, first):
    X, Y = rows_of(first + 60, d)
    trees = assert_as_written_plainly("square", X, Y, steady=True, first=first + 24)
    assert (trees.edges[:, 0] < np.inf).all() and trees.clock[TREES] == 2


def test_columns_that_come_late_get_bins_and_of_many_columns_a_tree_has_some():
    X, Y = rows_of(1060, 36)
    X[:, 18:] = X[:, 18:] > 0.0  # so that a tree has 32 columns, or fewer with more bins
    X[:700, 5:] = 0.0
    X[:900, 6] = 0.0
    trees = assert_as_written_plainly("square", X, Y)
    assert (trees.edges[:, 0] < np.inf).all()


def test_trees_are_the_same_whenever_they_are_grown_and_however_rows_are_cut():
    X, Y = rows_of(9000, 6)
    whole, loss = trees_for("square", 6)
    said = learned(whole, loss, X, Y)
    cut, at, parts = trees_for("square", 6)[0], 0, []
    for size in np.random.default_rng(2).integers(1, 700, 100).tolist():
        parts.append(learned(cut, loss, X[at : at + size], Y[at : at + size]))
        at += size
        if size % 2:
            settle_all(cut, loss)  # as a save does
    assert at > 9000 and np.array_equal(np.concatenate(parts), said, equal_nan=True)
    settle_all(whole, loss), settle_all(cut, loss)
    for name, (array, axes) in arrays_of(whole).items():
        assert axes.given or np.array_equal(array, getattr(cut, name)), name


def leaf_value(trees, tree, bins):
    at = 0
    while at >= 0:
        column, up_to, *sides = trees.nodes[tree, at]
        at = sides[int(bins[column] > up_to)]
    return trees.values[tree, ~at]


def test_the_oldest_tree_leaves_and_its_values_leave_the_scores():
    X, Y = rows_of(70_000 + 90, 2)
    trees, loss = trees_for("square", 2)
    learned(trees, loss, X, Y)
    settle_all(trees, loss)
    clock = trees.clock
    assert clock[TREES] == MOST and clock[BEGUN] > MOST + 100 and clock[COUNT] - clock[FIRST] - clock[ROWS] == 74
    said = np.empty((BEGIN, 1))
    predict_rows(Held((trees,)), trees.recent, said)
    oldest = (clock[BEGUN] - 1) % MOST
    for number in range(clock[COUNT] - BEGIN, clock[COUNT]):
        expected, bins = said[number % BEGIN, 0], trees.bins[:, number % RING]
        if number < clock[FIRST] + clock[ROWS]:  # they know already who leaves and who comes
            expected += leaf_value(trees, MOST, bins) - leaf_value(trees, oldest, bins)
        assert trees.scores[0, number % RING] == pytest.approx(expected, abs=1e-9)


def test_it_starts_again_as_if_nothing_had_been():
    X, Y = rows_of(1300, 5)
    trees, loss = trees_for("square", 5)
    learned(trees, loss, X[:600], Y[:600])
    start_again(trees)
    fresh, _ = trees_for("square", 5)
    again = learned(trees, loss, X[600:], Y[600:])
    assert np.array_equal(again, learned(fresh, loss, X[600:], Y[600:]), equal_nan=True)
    assert np.isnan(again[:BEGIN]).all() and np.isfinite(again[BEGIN:]).all()


def test_rows_that_were_passed_over_teach_nothing():
    X, Y = rows_of(700, 3)
    record, out = np.zeros((700, SAID + 1)), np.empty(Y.shape)
    record[100:150, LOSS] = np.inf
    trees, loss = trees_for("square", 3)
    learn_rows(Held((trees,)), NOT_HEARD, loss, Rows(X, Y, NO_WEIGHTS, np.zeros((1, 1))), record, out)
    other, _ = trees_for("square", 3)
    kept = np.isfinite(record[:, LOSS])
    assert np.array_equal(learned(other, loss, X[kept], Y[kept]), out[kept], equal_nan=True)


@pytest.mark.parametrize("loss", ["square", "logistic", "huber"])
def test_the_stack_joins_as_its_plain_second_writing_does(loss):
    rng, parts = np.random.default_rng(3), 3
    Y = rng.normal(size=(400, 2)) if loss != "logistic" else rng.choice([-1.0, 1.0], size=(400, 2))
    said = Y + rng.normal(size=(parts, 400, 2)) * np.array([0.3, 1.0, 2.0])[:, None, None]
    said[1, :20, 0] = np.nan  # nothing to say yet
    sizes = rng.uniform(0.1, 3.0, 400)
    said[1, 300] *= 1000.0  # what all say together is bounded
    stack = fresh_stack(loss != "logistic", 2, parts)
    record, loss_key = np.zeros((400, SAID + 2)), key(LOSSES[loss])
    record[:, SAID:] = said[0]
    others = np.ascontiguousarray(said[1:])
    learn_to_join(stack, loss_key, record, np.zeros((0, 2)), others, Y, sizes)
    plain = [Stack(loss, parts) for _ in range(2)]
    for row in range(400):
        if row < 20:
            assert (record[row, SAID:] == said[0, row]).all()
            for m in range(2):
                plain[m].see(Y[row, m])
            continue
        expected = [plain[m].predict(said[:, row, m]) for m in range(2)]
        np.testing.assert_allclose(record[row, SAID:], expected, rtol=1e-9, atol=1e-9)
        if row == 300:
            assert any(abs(plain[m].w @ said[:, row, m]) > 2 * abs(expected[m]) for m in range(2))
        for m in range(2):
            plain[m].learn(said[:, row, m], Y[row, m], sizes[row])
        own = sum(loss_value(loss, record[row, SAID + m], Y[row, m]) for m in range(2))
        assert record[row, LOSS] == pytest.approx(own)
    values = said[0, -3:].copy()
    join(stack, values, np.ascontiguousarray(others[:, -3:]))
    np.testing.assert_allclose(values[:, 0], [plain[0].predict(z) for z in said[:, -3:, 0].T], rtol=1e-9)
    assert stack.weights[:, 0].min() > stack.weights[:, 2].max()


def test_many_rows_at_once_hear_what_each_hears_alone():
    """Also of trees of one leaf and of few, and in any cut."""
    X, Y = rows_of(1500)
    trees, loss = trees_for("square", 4)
    learned(trees, loss, X, np.where(np.arange(1500)[:, None] < 1100, Y, 0.0))
    trees.nodes[3, 0] = [0, 255, -1, -1]
    said, alone = np.empty((300, 1)), np.empty((300, 1))
    predict_rows(Held((trees,)), X[:300], said)
    for row in range(300):
        predict_rows(Held((trees,)), X[row : row + 1], alone[row : row + 1])
    assert np.array_equal(said, alone) and len(np.unique(said)) > 50


def test_a_tree_that_is_being_grown_is_the_one_that_was_finished_before():
    X, Y = rows_of(1200, 6)
    X[:700, 4:] = 0.0
    trees, loss = trees_for("square", 4)
    learned(trees, loss, np.ascontiguousarray(X[:700, :4]), Y[:700])
    assert trees.clock[PHASE] > READY  # it is not done
    settled, fresh = copy.deepcopy(trees), [trees_for("square", 6)[0] for _ in range(2)]
    settle_all(settled, loss)
    for name, (old, axes) in arrays_of(settled).items():
        if not axes.given:
            getattr(fresh[0], name)[tuple(map(slice, old.shape))] = old
    said = [learned(one, loss, X[700:], Y[700:]) for one in (fresh[0], trees.widened(fresh[1]))]
    assert np.array_equal(*said)
