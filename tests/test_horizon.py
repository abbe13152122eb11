"""Streams without a known length: epochs that double, and steps that never overshoot."""

import numpy as np
import pytest
from problems import COMPOSED_PAIRS, PAIRS, REGRESSION, stream

from kernelpick import core
from kernelpick.core import Specification, losses
from kernelpick.core.stream import tuned

ROWS = 3000


WITH_EPOCHS = [
    (a, loss) for a, loss in COMPOSED_PAIRS if a.startswith(("rf-oks-", "rf-ioks", "raker", "bao2ks", "rf-bao2ks"))
]


@pytest.mark.parametrize(("algorithm", "loss"), PAIRS + WITH_EPOCHS)
def test_mean_loss_is_close_to_that_of_the_known_horizon(algorithm, loss):
    """At most a tenth above it. With the known horizon, rf-oks with its step of 25 explodes on the square loss, and a
    bound of 192 would hold anything: there the known one has a step of 5, as for the other losses.
    """
    X, y, *_ = stream(loss, ROWS)
    means = []
    for horizon in (ROWS, None):
        scale = 5.0 if horizon and (algorithm, loss) == ("rf-oks", "square") else None
        spec = Specification(algorithm, loss, 5, n_features=40, horizon=horizon, step_scale=scale)
        _, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
        assert outcome.diverged is None
        means.append(outcome.losses.mean())
    nothing = losses.values(spec.loss_key, np.zeros(ROWS), y).mean()  # of always saying 0
    assert means[0] < nothing
    assert means[1] <= 1.1 * means[0]


@pytest.mark.parametrize(("algorithm", "loss"), PAIRS + COMPOSED_PAIRS)
@pytest.mark.parametrize("wild", ["one point", "tiny spread", "heavy tails"])
def test_no_stream_makes_it_diverge(algorithm, loss, wild):
    generator = np.random.default_rng(0)
    X = {
        "one point": np.ones((2500, 3)),
        "tiny spread": 1 + 1e-9 * generator.normal(size=(2500, 3)),
        "heavy tails": generator.standard_cauchy((2500, 3)),
    }[wild]
    y = generator.standard_cauchy(2500) if loss in REGRESSION else generator.choice([-1.0, 1.0], 2500)
    spec = Specification(algorithm, loss, 3, n_features=15, step_scale=1000.0)
    _, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert outcome.diverged is None
    assert np.isfinite(outcome.losses).all()
    assert np.abs(outcome.predictions).max() <= furthest(algorithm, loss, wild, y)


def furthest(algorithm, loss, wild, y):
    """How far out a prediction may be. Each update moves towards a label, never beyond: there are regressions held.

    Margins of rows that are all alike grow no further than the radius of the ball, 15 for the logistic loss; of rows
    that are not, up to newton's bound of 30. Only the leader's rows have a linear part that nothing bounds, and which
    is far out where inputs are. What bao2ks says stays within its ball, whose radius is 20.
    """
    if loss in REGRESSION:
        return np.abs(y).max() * (1 + 1e-9)
    if algorithm.endswith("bao2ks"):
        return 20.0 * (1 + 1e-9)
    if wild != "heavy tails":
        return 15.0
    return 200.0 if algorithm.startswith("leader") else 30.0


@pytest.mark.parametrize("algorithm", ["oks", "rf-oks", "raker", "rf-oks-adagrad", "leader-adagrad", "leader"])
def test_one_update_does_not_overshoot_the_label(algorithm):
    """With a huge step the capped update lands on the label, seen at the same point, and not beyond."""
    x = np.array([[0.3, -0.2]])
    spec = Specification(algorithm, "square", 2, n_features=10, step_scale=1e6)
    state = core.start(spec)
    state, outcome = core.advance_in_place(spec, state, x, np.array([[0.7]]))
    moved = core.values(spec, state, x)[0, :, 0]
    played = moved if outcome.arms[0] < 0 or spec.row.selector.drawn == 0 else moved[outcome.arms]
    assert np.allclose(played, 0.7, atol=1e-9)


def test_epochs_double():
    spec = Specification("rf-oks", "square", 2, n_features=4)
    generator = np.random.default_rng(0)
    state, seen = core.start(spec), []
    for _ in range(45):
        state, _ = core.advance_in_place(spec, state, generator.normal(size=(100, 2)), generator.random((100, 1)))
        seen.append(tuned(spec, state)[0].selector.eta)
    assert len(set(seen)) == 4  # 1,024, 2,048, 4,096 and 8,192
    assert seen == sorted(seen, reverse=True)
    known = core.start(Specification("rf-oks", "square", 2, n_features=4, horizon=8192))
    assert seen[-1] == known.selector.eta
