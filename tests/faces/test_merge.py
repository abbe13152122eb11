"""kernelpick.merge: shards that begin as blanks of one model become one that knows what all of them know."""

import copy
import threading

import numpy as np
import pytest
from shards_begun import ALONE, LABELS, X, Y, begun, shards

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, core
from kernelpick.online.metric import plain_leader


@pytest.fixture(scope="module")
def parts():
    return shards(begun())


def test_the_square_loss_is_learned_as_in_one_place():
    """All kernels play all rounds, so that every shard has learned every hypothesis in full."""
    start = begun(hypotheses=8.0, **ALONE)
    whole, single = kernelpick.merge(shards(start)), start.blank().partial_fit(X, Y)
    assert whole.n_rounds_ == single.n_rounds_ == 3000
    assert np.allclose(whole.predict(X), single.predict(X), rtol=0, atol=1e-8)
    check_the_kernels(whole, single)


def test_kernels_know_what_they_would_know_in_one_place_whoever_is_beside_them():
    start = begun(hypotheses=8.0)
    whole, single = kernelpick.merge(shards(start)), start.blank().partial_fit(X, Y)
    assert whole._model.companions.parts
    check_the_kernels(whole, single)


def check_the_kernels(whole, single):
    scaled = single._model._scaled(X[:200])
    said = [core.values(m._model.spec, m._model.state, scaled) for m in (whole, single)]
    assert np.allclose(*said, rtol=0, atol=1e-8)
    for arm in range(len(single.kernels_)):
        one, other = (m._model.state for m in (whole, single))
        assert np.allclose(
            one.learner.hypothesis(one.space, arm, one.seat(arm)),
            other.learner.hypothesis(other.space, arm, other.seat(arm)),
            rtol=0,
            atol=1e-8,
        )


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_other_losses_are_learned_nearly_as_in_one_place(loss):
    start = begun(KernelClassifier, LABELS, loss=loss, **ALONE)
    parts = shards(start, LABELS)
    whole, single = kernelpick.merge(parts), start.blank().partial_fit(X, LABELS)
    fresh = np.random.default_rng(8).normal(size=(2000, 4))
    truth = np.array(["no", "yes", "maybe"])[
        (np.sin(2 * fresh[:, 0]) + fresh[:, 1] > 0).astype(int) + (fresh[:, 2] > 1)
    ]
    scores = [model.score(fresh, truth) for model in (whole, single, *parts)]
    assert scores[0] > scores[1] - 0.01 and scores[0] > min(scores[2:])


def test_counts_losses_and_coverage_add_up(parts):
    whole = kernelpick.merge(parts)
    assert whole.n_rounds_ == sum(part.n_rounds_ for part in parts)
    assert np.isclose(whole.loss_, np.mean([part.loss_ for part in parts]))
    assert np.isclose(whole.coverage_, np.mean([part.coverage_ for part in parts]))
    assert np.isclose(whole.interval_width_, np.mean([part.interval_width_ for part in parts]), rtol=0.02)
    low, high = whole.predict_interval(X).T
    assert 0.85 < ((low <= Y) & (high >= Y)).mean() < 0.99
    assert [entry.why for entry in whole.history_] == ["merge"]
    assert whole.importances_.shape == (4,)


def test_neither_the_order_nor_the_tree_matters_but_for_rounding(parts):
    a, b, c = parts
    trees = [[a, b, c], [c, b, a], [kernelpick.merge([a, b]), c], [b, kernelpick.merge([c, a])]]
    made = [kernelpick.merge(models) for models in trees]
    for other in made[1:]:
        assert np.allclose(other.predict(X[:50]), made[0].predict(X[:50]), rtol=0, atol=1e-9)
        assert np.allclose(other.predict_interval(X[:50]), made[0].predict_interval(X[:50]), rtol=1e-9)
        assert np.isclose(other.loss_, made[0].loss_) and np.array_equal(other.probabilities_, made[0].probabilities_)
        assert np.array_equal(other._model.watch.recent.rows().X, made[0]._model.watch.recent.rows().X)


def test_calibrations_do_not_depend_on_the_tree_either():
    a, b, c = shards(begun(KernelClassifier, LABELS), LABELS)
    one, other = kernelpick.merge([a, b, c]), kernelpick.merge([kernelpick.merge([c, a]), b])
    assert np.allclose(one.predict_proba(X[:50]), other.predict_proba(X[:50]), rtol=1e-9)
    assert np.isclose(one._model.calibration.scale, np.mean([s._model.calibration.scale for s in (a, b, c)]), rtol=0.2)
    assert one._model.calibration.rows == 3000


def test_of_one_it_is_the_model_itself_to_the_bit_and_blanks_add_nothing(parts):
    own = parts[0].to_bytes()
    assert kernelpick.merge(parts[:1]).to_bytes() == own
    assert kernelpick.merge([parts[0].blank(), parts[0], parts[1].blank()]).to_bytes() == own


def test_the_models_are_left_as_they_are_and_the_merged_one_goes_on(parts):
    before = [part.to_bytes() for part in parts]
    whole = kernelpick.merge(parts)
    again = kernelpick.from_bytes(whole.to_bytes())
    for model in (whole, again):
        model.partial_fit(X[:700], Y[:700])
    assert whole.to_bytes() == again.to_bytes() and whole.n_rounds_ == 3700
    assert [part.to_bytes() for part in parts] == before


@pytest.mark.parametrize("algorithm", ["rf-oks++", "raker", "oks++", "leader", "auto-small", "auto-tiny"])
def test_every_algorithm_goes_on_after_a_merge(algorithm):
    options = {} if algorithm.startswith("auto") else {"n_features": 24}
    start = KernelRegressor(algorithm, random_state=0, **options).partial_fit(X[:600], Y[:600])
    parts = [start.blank().partial_fit(X[i:600:2], Y[i:600:2]) for i in range(2)]
    whole = kernelpick.from_bytes(kernelpick.merge(parts).to_bytes())
    assert whole.partial_fit(X[600:900], Y[600:900]).n_rounds_ == 900
    assert np.mean((whole.predict(X[900:]) - Y[900:]) ** 2) < 1.1 * Y.var()


def test_memories_begin_afresh():
    whole = kernelpick.merge(shards(begun()))._model
    assert whole.memories.state.rounds == 0
    assert whole.memories.arm == plain_leader(whole.state, whole.spec.kernels)


def test_a_merged_model_is_better_than_each_shard_at_once_and_later(parts):
    fresh = np.random.default_rng(8).normal(size=(1000, 4))
    y = np.sin(2 * fresh[:, 0]) + fresh[:, 1]
    whole = kernelpick.merge(parts)
    assert whole.score(fresh, y) > max(part.score(fresh, y) for part in parts)
    errors = [np.mean((model.progressive_fit(X[:500], Y[:500]) - Y[:500]) ** 2) for model in (whole, parts[0].blank())]
    assert errors[0] < 0.5 * errors[1]


def test_tickets_are_taken_over_and_two_of_an_id_are_refused(parts):
    one, other = (copy.deepcopy(part) for part in parts[:2])
    one.ask(X[0], id="a")
    other.ask(X[1], id="b")
    whole = kernelpick.merge([one, other])
    assert [ticket.id for ticket in whole.open_tickets()] == ["a", "b"]
    assert whole.tell("b", Y[1]).n_rounds_ == one.n_rounds_ + other.n_rounds_ + 1
    one.ask(X[0], id="b")
    with pytest.raises(ValueError, match="ticket 'b' is open in two"):
        kernelpick.merge([one, other])


def test_balanced_classes_add_up():
    start = begun(KernelClassifier, LABELS, class_weight="balanced")
    whole = kernelpick.merge(shards(start, LABELS))
    assert np.array_equal(np.sort(whole._model.balance.counts), np.sort(np.unique(LABELS, return_counts=True)[1]))


def test_a_thread_may_learn_while_another_merges(parts):
    """Whoever merges sees a shard before or after a piece of learning, and nobody waits for ever."""
    one, other = (copy.deepcopy(part) for part in parts[:2])
    made, errors = [], []

    def merge(models):
        try:
            for _ in range(5):
                made.append(kernelpick.merge(models))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=merge, args=(models,)) for models in ([one, other], [other, one])]
    for thread in threads:
        thread.start()
    one.partial_fit(X, Y)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not errors and all(np.isfinite(model.predict(X[:5])).all() for model in made)
    assert all(2000 <= model.n_rounds_ <= 5000 for model in made)


def test_river_models_merge_as_those_of_scikit_learn():
    river = pytest.importorskip("river") and pytest.importorskip("kernelpick.river")
    rows = [dict(zip("abcd", row, strict=True)) for row in X[:1200].tolist()]
    start = river.KernelRegressor(seed=0, n_features=24, hypotheses=8.0, **ALONE)
    for x, y in zip(rows[:600], Y[:600], strict=True):
        start.learn_one(x, y)
    parts = [start.blank() for _ in range(3)]
    single = start.blank()
    for i, (x, y) in enumerate(zip(rows, Y[:1200], strict=True)):
        parts[i % 3].learn_one(x, y)
        single.learn_one(x, y)
    whole = kernelpick.merge(parts)
    said = [[model.predict_one(x) for x in rows[:50]] for model in (whole, single)]
    assert np.allclose(*said, rtol=0, atol=1e-8) and whole.n_rounds_ == 1200
    assert kernelpick.from_bytes(whole.to_bytes()).predict_one(rows[0]) == said[0][0]
    parts[0].learn_one({**rows[0], "e": 1.0}, 0.0)  # no input is born in a shard: it could not be merged
    assert kernelpick.merge(parts).n_rounds_ == 1201
    start.learn_one({**rows[0], "e": 1.0}, 0.0)
    with pytest.raises(ValueError, match="different inputs, as 'e'"):
        kernelpick.merge([start.blank(), parts[0]])
