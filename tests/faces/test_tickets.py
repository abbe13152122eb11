"""Labels that come later."""

import numpy as np
import pytest

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.state import arrays

RNG = np.random.default_rng(1)
X = RNG.normal(size=(200, 3))
Y = 7 + 5 * np.sin(X[:, 0])
LABELS = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
SMALL = {"n_features": 30, "random_state": 0}


@pytest.mark.parametrize("algorithm", ["rf-oks++", "oks", "raker", "lkmbooks"])
def test_telling_at_once_is_partial_fit(algorithm):
    asked, plain = KernelRegressor(algorithm, **SMALL), KernelRegressor(algorithm, **SMALL)
    expected = plain.progressive_fit(X, Y)
    for t in range(len(X)):
        ticket = asked.ask(X[t])
        assert ticket.prediction == expected[t]
        asked.tell(ticket, Y[t])
    assert asked.loss_ == plain.loss_
    one, other = arrays(asked._model.state), arrays(plain._model.state)
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_in_any_order():
    model = KernelRegressor("rf-oks++", **SMALL).partial_fit(X[:100], Y[:100])
    tickets = [model.ask(x) for x in X[100:150]]
    assert len({ticket.number for ticket in tickets}) == 50
    arms = {slip.arm for slip in model._model.desk.open.values()}
    assert len(arms) > 1  # each ask has a draw of its own
    for i in RNG.permutation(50)[:40]:
        model.tell(tickets[i], Y[100 + i])
        with pytest.raises(ValueError, match="is closed"):
            model.tell(tickets[i], Y[100 + i])
    assert model.n_rounds_ == 140
    left = next(iter(model._model.desk.open))
    model.drop(left)
    with pytest.raises(ValueError, match="is closed"):
        model.tell(left, 1.0)
    with pytest.raises(ValueError, match="is unknown"):
        model.tell(10**6, 1.0)
    with pytest.raises(ValueError, match="ticket from ask"):
        model.tell(1.5, 1.0)


def test_the_loss_is_that_of_what_was_said_and_the_gradient_that_of_now():
    model = KernelRegressor("oks", **SMALL, kernels=[1.0], scale=None, scale_target=False, horizon=100, step_scale=1.0)
    ticket = model.ask([0.0, 0.0, 0.0])
    assert ticket.prediction == 0
    model.partial_fit(np.zeros((5, 3)), np.ones(5))
    now, before = model.predict([[0.0, 0.0, 0.0]])[0], model.loss_ * 5
    model.tell(ticket, 1.0)
    assert model.loss_ * 6 - before == pytest.approx(1.0)
    step = model._model.state.learner.step
    assert model.predict([[0.0, 0.0, 0.0]])[0] == pytest.approx(now - step * 2 * (now - 1))


def test_a_bad_label_leaves_the_ticket_open():
    model = KernelRegressor(**SMALL).fit(X, Y)
    ticket = model.ask(X[0])
    for bad in (np.nan, "x", [1.0, 2.0]):
        with pytest.raises(ValueError):
            model.tell(ticket, bad)
    with pytest.raises(ValueError, match="sample_weight"):
        model.tell(ticket, 1.0, sample_weight=-1)
    model.tell(ticket, 1.0)


def test_a_ticket_has_one_label():
    model = KernelClassifier(**SMALL, new_classes="accept").fit(X, LABELS)
    ticket, values = model.ask(X[0]), model.decision_function(X)
    for several in ([1, 0, 7], np.array([[0, 1]]), []):
        with pytest.raises(ValueError, match=f"one target, not {np.size(several)}"):
            model.tell(ticket, several)
    assert (model.decision_function(X) == values).all() and model.classes_.tolist() == [0, 1, 2]
    assert model.tell(ticket, [1]).n_rounds_ == 201  # one label in brackets is one label


def test_asking_first_and_across_the_first_rows():
    model = KernelClassifier(**SMALL, new_classes="accept")
    tickets = [model.ask(X[t], classes=[0, 1]) for t in range(40)]
    model.partial_fit(X[40:], LABELS[40:])
    assert model.classes_.tolist() == [0, 1, 2]
    for ticket, label in zip(tickets, LABELS[:40], strict=True):
        model.tell(ticket, label)
    assert model.n_rounds_ == 200
    with pytest.raises(ValueError, match="one row"):
        model.ask(X)
    with pytest.raises(ValueError, match="declare them"):
        KernelClassifier().ask(X[0])
