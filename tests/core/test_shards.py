"""States of shards are added up as the axes of their arrays and the classes of their parts say."""

from itertools import pairwise

import numpy as np
import pytest
from problems import loss_for, stream

from kernelpick import Gaussian, core
from kernelpick.core.numerics.panels import dense
from kernelpick.core.priors import weakened
from kernelpick.core.shards import added, blank

PRIOR = 5.0


def specification(algorithm: str, **options) -> core.Specification:
    return core.Specification(algorithm, loss_for(algorithm, "square"), 5, n_features=8, **options)


def learned(spec: core.Specification, rows: slice, start: core.State | None = None) -> core.State:
    X, y, *_ = stream(spec.loss, 700, n_features=8)
    return core.advance(spec, core.start(spec) if start is None else start, X[rows], y[rows, None])[0]


def hypothesis(state: core.State, arm: int) -> np.ndarray:
    return state.learner.hypothesis(state.space, arm, state.seat(arm))


@pytest.mark.parametrize("algorithm", ["rf-oks++", "rf-ioks", "raker", "rf-oks-adagrad"])
def test_counts_add_up_and_hypotheses_are_averages_by_rounds(algorithm):
    spec = specification(algorithm)
    first, second = learned(spec, slice(100)), learned(spec, slice(100, 300))
    both = added(spec, [first, second])
    assert both.rounds == 300
    assert np.array_equal(both.ledger, first.ledger + second.ledger)
    mean = (100 * first.space.weights + 200 * second.space.weights) / 300
    assert np.allclose(both.space.weights, mean, rtol=1e-13, atol=0)
    assert np.array_equal(both.space.frequencies, first.space.frequencies)
    for name in ("squares", "gradients"):
        if hasattr(both.learner, name):
            assert np.array_equal(
                getattr(both.learner, name), getattr(first.learner, name) + getattr(second.learner, name)
            )
    one = added(spec, [first])
    assert all(np.array_equal(a, b) for a, b in zip(one.space[1:], first.space[1:], strict=True))


def normal_equations(spec: core.Specification, arm: int, X: np.ndarray, y: np.ndarray, factors=1.0) -> np.ndarray:
    """(M, weights) the ridge of all rows at once, in plain NumPy; features as docs/algorithms.md has them."""
    start = core.start(spec)
    squashed = X / np.sqrt(1 + (X / 3.0) ** 2)
    angles = squashed @ start.space.frequencies[0] / spec.kernels[arm].width
    waves = np.concatenate([np.cos(angles), np.sin(angles)], axis=1) / np.sqrt(spec.n_features)
    Z, y = factors * np.concatenate([waves, np.ones((len(X), 1)), X], axis=1), factors * y
    return np.linalg.solve(Z.T @ Z + np.eye(Z.shape[1]) / PRIOR, Z.T @ y).T


@pytest.mark.parametrize("cuts", [(350,), (1, 64, 65, 400), (128, 500)])
def test_second_order_shards_know_what_one_learner_knows(cuts):
    """All arms play all rounds, so all of them are learned in full. Rows that wait are among what is added up."""
    spec = specification("leader-newton", hypotheses=6.0, step_scale=PRIOR)
    X, y, *_ = stream("square", 700, n_features=8)
    edges = [0, *cuts, 700]
    parts = [learned(spec, slice(*edge)) for edge in pairwise(edges)]
    whole, single = added(spec, parts), learned(spec, slice(None))
    for arm in range(len(spec.kernels)):
        plain = normal_equations(spec, arm, X, y[:, None])
        assert np.allclose(hypothesis(whole, arm), plain, rtol=0, atol=1e-8 * abs(plain).max())
        assert np.allclose(hypothesis(single, arm), plain, rtol=0, atol=1e-8 * abs(plain).max())
        P = dense(whole.learner.P[whole.seat(arm)])
        assert np.array_equal(P, P.T) and np.linalg.eigvalsh(P).min() > 0
    assert np.array_equal(whole.learner.seen, single.learner.seen)
    said = [core.values(spec, state, X[:50]) for state in (whole, single)]
    assert np.allclose(*said, rtol=0, atol=1e-8)


@pytest.mark.parametrize("forgetting", [0.99, 0.9])
def test_shards_that_forget_are_added_up_by_what_rows_weigh_now(forgetting):
    """Rows that wait count more than older ones; the next row counts 1 again, so these must not stay as they are."""
    spec = specification("leader-newton", hypotheses=6.0, step_scale=PRIOR, forgetting=forgetting)
    X, y, *_ = stream("square", 700, n_features=8)
    whole = added(spec, [learned(spec, slice(60)), learned(spec, slice(60, 100))])
    ages = np.concatenate([np.arange(60, 0, -1), np.arange(40, 0, -1)])
    weights = forgetting ** (0.5 * ages[:, None])  # of a row and its target, each
    for arm in range(len(spec.kernels)):
        plain = normal_equations(spec, arm, X[:100], y[:100, None], weights)
        assert np.allclose(hypothesis(whole, arm), plain, rtol=0, atol=1e-8 * abs(plain).max())
    assert not whole.learner.waiting.any() and not whole.learner.turn.any()


def test_an_arm_is_added_up_from_the_seats_that_it_has():
    """Twelve kernels and eight seats; the second shard has seated others, in other places."""
    widths = tuple(Gaussian(width) for width in np.geomspace(0.2, 8, 12))
    spec = specification("leader-newton", kernels=widths, hypotheses=8.0, step_scale=PRIOR)
    start = core.start(spec)
    other = core.copy(start)
    other.selector.enter(np.array([11, 2, 0, 1, 5, 6, 7, 8]), 512)
    first, second = learned(spec, slice(200), start), learned(spec, slice(200, 500), other)
    both = added(spec, [first, second])
    both.selector.checked()
    X, y, *_ = stream("square", 700, n_features=8)
    seated = np.flatnonzero(both.selector.seat >= 0)
    assert len(seated) == 8 and both.leader in seated
    counts = []
    for arm in seated:
        rows = np.concatenate(
            [np.arange(200) if first.seat(arm) >= 0 else [], np.arange(200, 500) if second.seat(arm) >= 0 else []]
        )
        counts.append(len(rows))
        plain = normal_equations(spec, arm, X[rows.astype(int)], y[rows.astype(int), None])
        assert np.allclose(hypothesis(both, arm), plain, rtol=0, atol=1e-8 * abs(plain).max())
    assert 500 in counts and min(counts) < 500
    assert not both.space.weights[both.selector.seat < 0].any()


def test_scores_are_compared_within_shards():
    """The losses of two shards differ more than those of two arms: what counts is who was better in the same shard."""
    spec = specification("leader-newton", kernels=(Gaussian(1.0), Gaussian(2.0)), hypotheses=2.0)
    states = [learned(spec, slice(200)), learned(spec, slice(200, 500))]
    for state, scores, evidence in zip(
        states, ([1.0, 1.5], [0.1, 0.2]), ([256.0, 900.0], [2000.0, 256.0]), strict=True
    ):
        state.selector.score[:], state.selector.evidence[:] = scores, evidence
    both = added(spec, states).selector
    assert np.isclose(both.score[1] - both.score[0], (1156 * 0.5 + 2256 * 0.1) / (1156 + 2256))
    assert np.array_equal(both.evidence, [2256.0, 1156.0]) and both.speaker == 0


@pytest.mark.parametrize("algorithm", ["oks++", "ioks", "oks"])
def test_stored_examples_are_united(algorithm):
    """f is the mean of the hypotheses by rounds, its norm that of its coefficients, and it is in the ball."""
    spec = specification(algorithm)
    parts = [learned(spec, slice(150)), learned(spec, slice(150, 400))]
    both = added(spec, parts)
    both.space.checked()
    X, *_ = stream("square", 700, n_features=8)
    said = [core.values(spec, state, X[:30]) for state in (both, *parts)]
    assert np.allclose(said[0], (150 * said[1] + 250 * said[2]) / 400, rtol=0, atol=1e-12)
    assert both.space.used[1] == sum(part.space.used[1] for part in parts)
    assert (both.space.norms <= both.space.radius**2 + 1e-12).all()
    if np.isfinite(both.space.radius):
        arm = both.leader
        first, _, count = both.space.chains[arm]
        tiles = range(first, first + -(-count // 128))
        rows = np.concatenate([both.space.tiles[tile].T for tile in tiles])[:count]
        c = np.concatenate([both.space.coefficients[tile, 0] for tile in tiles])[:count]
        assert np.isclose(both.space.norms[arm, 0], c @ spec.kernels[arm](rows, rows) @ c)


def test_a_budget_of_examples_is_kept():
    spec = specification("lkmbooks", budget=40)
    parts = [learned(spec, slice(300)), learned(spec, slice(300, 700))]
    both = added(spec, parts)
    both.space.checked()
    assert both.space.used[1] == 40 < sum(part.space.used[1] for part in parts)


@pytest.mark.parametrize("algorithm", ["rf-ioks", "leader-newton", "leader-adagrad", "oks++"])
def test_neither_the_order_nor_the_tree_matters_but_for_rounding(algorithm):
    spec = specification(algorithm)
    a, b, c = (learned(spec, slice(200 * i, 200 * i + 200)) for i in range(3))
    X, *_ = stream("square", 700, n_features=8)
    trees = [[a, b, c], [c, a, b], [added(spec, [a, b]), c], [a, added(spec, [c, b])]]
    made = [added(spec, states) for states in trees]
    for other in made[1:]:
        assert other.leader == made[0].leader
        assert np.allclose(other.ledger, made[0].ledger)
        assert np.allclose(core.values(spec, other, X[:20]), core.values(spec, made[0], X[:20]), rtol=0, atol=1e-10)
        assert np.allclose(other.losses, made[0].losses, equal_nan=True)


def test_a_blank_has_learned_nothing_and_shares_the_frequencies():
    spec = specification("leader-newton")
    state = learned(spec, slice(500))
    state.space.frequencies[0, 0, 0] += 1.0
    fresh = blank(spec, state)
    assert fresh.rounds == 0 and not fresh.space.weights.any() and not fresh.selector.evidence.any()
    assert np.array_equal(fresh.space.frequencies, state.space.frequencies)
    assert fresh.leader == state.leader and np.array_equal(fresh.selector.seat, state.selector.seat)
    assert np.array_equal(dense(fresh.learner.P[0]), fresh.learner.prior * np.eye(fresh.learner.K.shape[2]))


def test_a_prior_weighs_as_many_rows_as_it_is_allowed():
    """Ridge regression whose first rows count by a part of their weight, written plainly."""
    spec = specification("leader-newton", hypotheses=6.0, step_scale=PRIOR)
    X, y, *_ = stream("square", 700, n_features=8)
    state = learned(spec, slice(100, 200), weakened(spec, learned(spec, slice(100)), 25.0))
    assert state.rounds == 100
    weights = np.sqrt(np.where(np.arange(200) < 100, 0.25, 1.0))[:, None]
    for arm in range(len(spec.kernels)):
        start = core.start(spec)
        angles = (X[:200] / np.sqrt(1 + (X[:200] / 3.0) ** 2)) @ start.space.frequencies[0] / spec.kernels[arm].width
        waves = np.concatenate([np.cos(angles), np.sin(angles)], axis=1) / np.sqrt(spec.n_features)
        Z = weights * np.concatenate([waves, np.ones((200, 1)), X[:200]], axis=1)
        plain = np.linalg.solve(Z.T @ Z + np.eye(Z.shape[1]) / PRIOR, Z.T @ (weights[:, 0] * y[:200]))
        assert np.allclose(hypothesis(state, arm)[0], plain, rtol=0, atol=1e-8 * abs(plain).max())


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (("bao2ks", "bao2ks"), "not added up entry by entry"),
        (("rf-oks++", "rf-oks"), "different selectors"),
        (("leader-newton", "leader-adagrad"), "different learners"),
    ],
)
def test_what_does_not_add_up_is_refused(pair, sentence):
    specs = [specification(name) for name in pair]
    with pytest.raises(ValueError, match=sentence):
        added(specs[0], [learned(specs[0], slice(100)), learned(specs[1], slice(100, 300))])


def test_shards_of_other_frequencies_are_refused():
    spec = specification("rf-oks++")
    first, second = learned(spec, slice(100)), learned(spec, slice(100, 300))
    second.space.frequencies[0, 0, 0] += 1.0
    with pytest.raises(ValueError, match="did not start from the same model"):
        added(spec, [first, second])
