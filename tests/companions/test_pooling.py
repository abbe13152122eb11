"""Trees of shards: one forest, and the rows of all learned again; the stack; and models with both."""

import copy

import numpy as np
import pytest
from companions.test_boosted_trees import leaf_value, learned, rows_of, trees_for

import kernelpick
from kernelpick import KernelRegressor
from kernelpick.core.companions import predict_rows, settle_all
from kernelpick.core.companions.boosted_trees import BEGIN, MOST, RING
from kernelpick.core.companions.growing import AGAIN, BASE, BEHIND, COUNT, TREES
from kernelpick.core.companions.pooling import BROUGHT, pooled
from kernelpick.core.companions.stack import fresh_stack, pooled_stack
from kernelpick.core.numerics.held import Held
from kernelpick.core.parts import arrays_of

X, Y = rows_of(4200, 4)
FRESH, _ = rows_of(50, 4, seed=9)


def shards_of(*slices, loss="square", outputs=1, edges=True):
    """Trees that have learned these rows, beginning with the edges of a common start."""
    Z, V = rows_of(4200, 4, outputs, loss == "logistic")
    start, key = trees_for(loss, 4, outputs)
    learned(start, key, Z[:BEGIN], V[:BEGIN])
    found = []
    for rows in slices:
        trees, _ = trees_for(loss, 4, outputs)
        if edges:
            trees.edges[:] = start.edges
        learned(trees, key, Z[rows], V[rows])
        settle_all(trees, key)
        found.append(trees)
    return found, key


def merged(shards, key):
    whole, rows = pooled(shards)
    learned(whole, key, rows.X, rows.Y, rows.weights)
    settle_all(whole, key)
    return whole


def said(trees, rows=FRESH):
    out = np.empty((len(rows), len(trees.scores)))
    predict_rows(Held((trees,)), rows, out)
    return out


def with_the_one_that_waits(trees):
    """What trees will say when the next one is begun."""
    bins = np.array([(edges[:, None] < FRESH[:, k]).sum(axis=0) for k, edges in enumerate(trees.edges)])
    waits = np.array([leaf_value(trees, MOST, column) for column in bins.T])
    return said(trees) + waits[:, None] * trees.shares[MOST]


@pytest.mark.parametrize(("loss", "outputs"), [("square", 1), ("logistic", 3)])
def test_the_forest_says_the_mean_by_rows_and_the_rows_are_those_of_all(loss, outputs):
    shards, _ = shards_of(slice(700), slice(700, 1700), slice(1700, 3100), loss=loss, outputs=outputs)
    before = copy.deepcopy(shards)
    whole, rows = pooled(shards)
    plain = sum(n * with_the_one_that_waits(shard) for n, shard in zip((700, 1000, 1400), shards, strict=True)) / 3100
    assert whole.clock[TREES] == whole.clock[BASE] == 46 + 56 + 68 < BROUGHT
    np.testing.assert_allclose(said(whole), plain, rtol=0, atol=1e-12)
    assert whole.clock[AGAIN] == whole.clock[BEHIND] == len(rows.X) == 3100
    Z, V = rows_of(4200, 4, outputs, loss == "logistic")
    bins = [
        [(edges[:, None] < values[:, k]).sum(axis=0) for k, edges in enumerate(whole.edges)]
        for values in (rows.X, Z[:3100])
    ]
    ours, theirs = (np.vstack([b, v.T]) for b, v in zip(bins, (rows.Y, V[:3100]), strict=True))
    assert np.array_equal(ours[:, np.lexsort(ours)], theirs[:, np.lexsort(theirs)])
    for shard, old in zip(shards, before, strict=True):
        assert all(np.array_equal(array, getattr(old, name)) for name, (array, _) in arrays_of(shard).items())


def test_rows_of_all_are_learned_as_if_they_came_now():
    shards, key = shards_of(slice(700), slice(700, 1700))
    whole, rows = pooled(shards)
    by_hand = copy.deepcopy(whole)
    for row in range(len(rows.X)):
        learned(by_hand, key, rows.X[row : row + 1], rows.Y[row : row + 1], rows.weights[row : row + 1])
    whole = merged(shards, key)
    settle_all(by_hand, key)
    assert np.array_equal(said(by_hand), said(whole)) and whole.clock[COUNT] == 1700


@pytest.mark.parametrize("count", [3, 6])  # with 6 there are more trees than are taken
def test_neither_the_order_nor_the_tree_matters_but_for_rounding(count):
    shards, key = shards_of(*(slice(i * 700, i * 700 + 600 + 10 * i) for i in range(count)))
    a, b, *rest = shards
    flat = merged(shards, key)
    assert (flat.clock[BASE] == BROUGHT) == (count == 6)
    for way in (
        [*reversed(shards)],
        [merged([b, a], key), *rest],
        [merged([merged([a, rest[0]], key), b], key), *rest[1:]],
        [a, merged([b, *rest], key)],
    ):
        other = merged(way, key)
        assert np.array_equal(other.clock, flat.clock)
        np.testing.assert_allclose(said(other), said(flat), rtol=0, atol=1e-9)


def test_after_further_rows_all_trees_of_a_merged_forest_count():
    (a, b, c), key = shards_of(slice(700), slice(700, 1400), slice(1500, 2200))
    whole = merged([a, b], key)
    learned(whole, key, X[1400:1500], Y[1400:1500])
    settle_all(whole, key)
    more, rows = pooled([whole, c])
    assert more.clock[BEHIND] == len(rows.X) == 2200
    assert more.clock[BASE] == BROUGHT < whole.clock[TREES] + c.clock[TREES]


def test_of_more_rows_than_a_ring_has_any_are_kept():
    Z, V = rows_of(12_000, 2)
    shards = []
    for part in (slice(6000), slice(6000, 12_000), slice(6000)):
        trees, key = trees_for("square", 2)
        learned(trees, key, Z[part], V[part])
        settle_all(trees, key)
        shards.append(trees)
    whole, rows = pooled(shards)
    assert len(rows.X) == RING == whole.clock[AGAIN] and whole.clock[BEHIND] == 18_000
    assert merged(shards, key).clock[TREES] < MOST


def test_shards_that_are_too_short_for_trees_have_them_together():
    shards, key = shards_of(slice(300), slice(300, 600), slice(600, 900))
    assert all(shard.clock[TREES] == 0 for shard in shards)
    whole, alone = merged(shards, key), trees_for("square", 4)[0]
    learned(alone, key, X[:900], Y[:900])
    errors = [np.mean((said(trees, X[900:]) - Y[900:]) ** 2) for trees in (whole, alone)]
    assert whole.clock[BASE] == 0 and errors[0] < 1.2 * errors[1]


def test_other_edges_are_moved_to_the_nearest_and_shards_without_any_bring_nothing():
    (a, b, short), _ = shards_of(slice(700), slice(700, 1400), slice(300), edges=False)
    assert not np.array_equal(a.edges, b.edges) and np.isinf(short.edges).all()
    whole, rows = pooled([a, b, short])
    assert whole.clock[BEHIND] == len(rows.X) == 1400
    plain = 0.5 * with_the_one_that_waits(a) + 0.5 * with_the_one_that_waits(b)
    assert np.corrcoef(said(whole).ravel(), plain.ravel())[0, 1] > 0.97
    nothing, rows = pooled([short, short])
    assert np.isnan(said(nothing)).all() and nothing.clock[BEHIND] == 0 and len(rows.X) == 0


def test_stacks_are_means_by_rows_of_what_they_know():
    rng, stacks = np.random.default_rng(0), [fresh_stack(True, 2, 3) for _ in range(3)]
    for stack in stacks:
        roots = rng.normal(size=(2, 3, 3))
        stack.trust[:], stack.weights[:] = roots @ roots.transpose(0, 2, 1) + np.eye(3), rng.normal(size=(2, 3))
        stack.seen[:] = np.sort(rng.normal(size=(2, 2)), axis=0)
    rows = [100, 300, 50]
    whole = pooled_stack(stacks, rows)
    for m in range(2):
        known = sum(n / 450 * np.linalg.inv(stack.trust[m]) for n, stack in zip(rows, stacks, strict=True))
        b = sum(n / 450 * np.linalg.solve(s.trust[m], s.weights[m]) for n, s in zip(rows, stacks, strict=True))
        np.testing.assert_allclose(whole.trust[m], np.linalg.inv(known), rtol=1e-9)
        np.testing.assert_allclose(whole.weights[m], np.linalg.solve(known, b), rtol=1e-9)
    assert np.array_equal(whole.seen[0], np.min([stack.seen[0] for stack in stacks], axis=0))
    two = pooled_stack([pooled_stack(stacks[:2], rows[:2]), stacks[2]], [400, 50])
    np.testing.assert_allclose(two.weights, whole.weights, rtol=1e-9)


def test_a_model_of_shards_is_nearly_what_one_place_learns_where_trees_matter():
    rng = np.random.default_rng(0)
    Z = rng.integers(0, 6, (7000, 3))
    y = rng.normal(size=(6, 6, 6))[tuple(Z.T)] + 0.1 * rng.normal(size=7000)  # 216 numbers to remember
    start = KernelRegressor(random_state=0, n_features=24).partial_fit(Z[:1024], y[:1024])
    blank = start.blank()._model.companions
    assert np.array_equal(blank.parts[0].edges, start._model.companions.parts[0].edges) and blank.rows[0] == 0
    assert np.isfinite(blank.parts[0].edges).any() and blank.parts[0].clock[COUNT] == 0
    parts = [start.blank().partial_fit(Z[i:5000:5], y[i:5000:5]) for i in range(5)]
    whole, single = kernelpick.merge(parts), start.blank().partial_fit(Z[:5000], y[:5000])
    errors = [np.mean((model.predict(Z[5000:]) - y[5000:]) ** 2) for model in (whole, single, *parts)]
    assert errors[0] < 1.6 * errors[1] and errors[0] < 0.5 * min(errors[2:])
    two = kernelpick.merge([kernelpick.merge(parts[3:]), *parts[:3]])
    np.testing.assert_allclose(two.predict(Z[5000:]), whole.predict(Z[5000:]), rtol=1e-9)


def test_a_companion_that_says_nothing_of_merging_is_that_of_the_shard_with_most_rows():
    from companions.yesterday import Yesterday

    start = KernelRegressor(companions=["trees", Yesterday], random_state=0, n_features=24).partial_fit(
        X[:600], Y[:600, 0]
    )
    few, many = (start.blank().partial_fit(X[rows], Y[rows, 0]) for rows in (slice(700), slice(700, 1500)))
    for models in ([few, many], [many, few]):
        whole = kernelpick.merge(models)._model.companions
        assert np.array_equal(whole.parts[1].mean, many._model.companions.parts[1].mean) and whole.rows[0] == 1500
