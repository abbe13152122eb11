"""Memories beside the leader: the definition, and what a stream may do to them."""

import copy
import itertools

import naive_memories
import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, core, draw_frequencies
from kernelpick.core import Specification, state
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.loop import Rows
from kernelpick.files import states
from kernelpick.online.memories import MOST_COLUMNS, PACES, Memories, begun

RNG = np.random.default_rng(3)
TURNING = np.arange(900) / 40
X = RNG.normal(size=(900, 3))
Y = np.cos(TURNING) * X[:, 0] + np.sin(TURNING) * X[:, 1] + 0.1 * RNG.normal(size=900)
SMALL = {"n_features": 16, "random_state": 3}


@pytest.mark.parametrize(
    ("loss", "outputs", "columns"),
    [("square", 1, 3), ("logistic", 1, 3), ("logistic", 3, 40), ("huber", 2, 3), ("squared_hinge", 1, 3)],
)
def test_they_are_what_the_page_says(loss, outputs, columns):
    generator = np.random.default_rng(1)
    rows, said = generator.normal(size=(400, columns)), generator.normal(size=(400, outputs))
    targets = np.cos(TURNING[:400, None]) * rows[:, :outputs] + 0.5 * said
    targets = np.sign(targets) if loss in ("logistic", "squared_hinge") else targets
    spec = Specification("auto", loss, columns, (Gaussian(1.0), Gaussian(2.0)), outputs, n_features=8)
    memories = begun(spec, 1, columns)
    outcome = memories.learn(Rows(rows, targets, core.NO_WEIGHTS, np.zeros((400, 1))), said)
    frequencies = draw_frequencies(8, min(columns, 32), orthogonal=True)
    expected, p = naive_memories.trace(rows, targets, said, loss=loss, width=2.0, frequencies=frequencies)
    assert np.abs(outcome.predictions - expected).max() < 1e-6
    assert memories.state.probabilities == pytest.approx(p, abs=1e-6)
    first = 1 if memories.line is None else 2  # the line's share is with that of the memory that forgets as it does
    assert list(memories.shares.values()) == pytest.approx([p[0], p[1 : first + 1].sum(), *p[first + 1 :]], abs=1e-6)
    assert tuple(memories.shares) == (1.0, 0.998, 0.995, 0.98, 0.95)
    assert np.abs(memories.say(rows, said) - memories.say(rows[:1], said[:1])[0]).max() > 0


def test_a_target_that_turns_is_followed_and_one_that_does_not_costs_nothing():
    errors = {}
    for name, y in (("turning", Y), ("still", np.sin(2 * X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=900))):
        for forgetting in (1.0, "auto"):
            said = KernelRegressor(**SMALL, forgetting=forgetting).progressive_fit(X, y)
            errors[name, forgetting] = np.mean((said - y)[300:] ** 2)
    assert errors["turning", "auto"] < 0.5 * errors["turning", 1.0]
    assert errors["still", "auto"] < 1.02 * errors["still", 1.0]


def test_a_number_fixes_it_and_other_algorithms_have_none():
    for options in ({"forgetting": 0.99}, {"forgetting": 1}, {"algorithm": "leader-newton"}):
        model = KernelRegressor(**SMALL | options).partial_fit(X[:600], Y[:600])
        assert model._model.memories is None and model.memories_ == {1.0: 1.0}
    with pytest.raises(ValueError, match="forgetting"):
        KernelRegressor(forgetting="none").fit(X, Y)
    with pytest.raises(ValueError, match="forgetting must be above 0"):
        KernelRegressor(forgetting=1.5).fit(X, Y)


def test_shares_add_up_and_the_fast_ones_win_where_all_changes():
    model = KernelRegressor(**SMALL).partial_fit(X, Y)
    assert sum(model.memories_.values()) == pytest.approx(1.0)
    assert model.memories_[0.98] + model.memories_[0.95] > 0.9


def test_a_label_that_comes_late_teaches_by_what_is_said_then():
    model = KernelRegressor(**SMALL).partial_fit(X[:700], Y[:700])
    ticket = model.ask(X[700])
    assert ticket.prediction == model.predict(X[700:701])[0]
    model.partial_fit(X[701:800], Y[701:800])
    before, rounds = copy.deepcopy(model._model.memories.state), model._model.memories.state.rounds
    losses = model.loss_ * model.n_rounds_
    model.tell(ticket, Y[700])
    assert model._model.memories.state.rounds == rounds + 1
    assert not np.array_equal(before.selector.sums, model._model.memories.state.selector.sums)
    assert model.loss_ * model.n_rounds_ - losses == pytest.approx((ticket.prediction - Y[700]) ** 2)


def test_a_row_that_the_leader_passes_over_is_passed_over():
    """Whether it comes alone or among others."""
    y = Y.copy()
    y[[600, 650]] = 1e300
    whole, pieces = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    with pytest.warns(RuntimeWarning, match="diverged"):
        together = whole.progressive_fit(X, y)
        parts = [pieces.progressive_fit(X[a:b], y[a:b]) for a, b in itertools.pairwise([0, 600, 601, 640, 651, 900])]
    assert (np.concatenate(parts) == together).all() and np.isfinite(together).all()
    assert whole._model.memories.state.rounds == 898


def test_a_new_class_starts_them_anew():
    labels = np.where(np.arange(900) < 700, Y > 0, 2).astype(int)
    model = KernelClassifier(**SMALL, new_classes="accept").partial_fit(X[:700], labels[:700])
    assert model._model.memories.state.rounds == 700
    model.partial_fit(X[700:], labels[700:])
    assert model._model.memories.state.rounds == 200
    assert model._model.memories.state.space.weights.shape[1] == 3
    assert model.predict_proba(X).shape == (900, 3)


def test_a_model_of_a_file_goes_on():
    model = KernelRegressor(**SMALL).partial_fit(X[:600], Y[:600])
    again = kernelpick.from_bytes(model.to_bytes())
    assert again.memories_ == model.memories_
    assert (again.progressive_fit(X[600:], Y[600:]) == model.progressive_fit(X[600:], Y[600:])).all()


@pytest.mark.parametrize("pace", [pace for pace in range(len(PACES)) if PACES[pace].others == 1])
def test_files_that_do_not_tell_the_pace_are_known_by_their_size(pace):
    spec = Specification("auto", "square", 3, (Gaussian(1.0),), n_features=64)
    kept = Memories(spec, 0, 3, 1.0, pace)
    about = states.packed_memories(kept)
    del about["pace"]
    found = states.memories(spec, about, state.arrays(kept.state))
    assert found.pace == pace and tuple(found.shares) == PACES[pace].forgetting


def test_above_so_many_columns_there_are_none():
    spec = Specification("auto", "square", MOST_COLUMNS + 1, (Gaussian(1.0),), n_features=4)
    assert begun(spec, 0, MOST_COLUMNS) is not None and begun(spec, 0, MOST_COLUMNS + 1) is None
