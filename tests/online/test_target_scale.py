"""Targets that are positive and skewed, and targets that were never negative."""

import numpy as np
import pytest

from kernelpick import KernelClassifier, KernelRegressor, from_bytes
from kernelpick.online.scaling import KIND, LOG, NEGATIVE, SMEAR

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1600, 4))
LOGS = 1.5 * X[:, 0] + np.sin(2 * X[:, 1]) + 1.0
Y = np.exp(LOGS + 0.4 * RNG.normal(size=1600))
SMALL = {"n_features": 48, "random_state": 0}


def errors(model, y=Y, rows=X):
    said = model.progressive_fit(rows, y)
    return said, abs(said - y)[600:].mean(), np.mean((said - y)[600:] ** 2)


def test_a_log_normal_target_is_learned_as_its_logarithm():
    """It was worse than the constant median, and nearly half of the predictions were negative."""
    model, by_hand = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    said, error, _ = errors(model)
    assert model.target_scale_ == "log" and (said >= 0).all()
    assert error < 0.5 * abs(np.median(Y) - Y)[600:].mean()
    assert error < 1.1 * abs(np.exp(by_hand.progressive_fit(X, np.log(Y))) - Y)[600:].mean()
    linear = KernelRegressor(**SMALL, scale_target="linear")
    assert error < 0.9 * errors(linear)[1] and linear.target_scale_ == "linear"  # squares are those of a few rows


def test_the_mean_is_not_too_small():
    """exp of the mean logarithm is the median; with noise of 0.8 the mean is 1.38 times that."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(6000, 2))
    y = np.exp(rows[:, 0] + 0.8 * rng.normal(size=6000))
    for loss, factor in (("square", np.exp(0.32)), ("absolute", 1.0)):
        options = {"loss": loss} | ({"algorithm": "rf-ioks"} if loss == "absolute" else {})
        model = KernelRegressor(**options, scale_target="log", **SMALL).partial_fit(rows, y)
        smear = model._model.targets.table[SMEAR, 0]
        assert model.target_scale_ == "log"
        assert smear == pytest.approx(factor, rel=0.1)


def test_what_is_not_skewed_or_not_positive_stays_as_it_is():
    for y in (Y - 1e-3 - Y.min(), LOGS, np.sqrt(Y) + 100.0):
        assert KernelRegressor(**SMALL).partial_fit(X, y).target_scale_ == "linear"


def test_a_skewed_target_whose_noise_is_not_multiplied_is_learned_as_it_is():
    rng = np.random.default_rng(2)
    rows = rng.exponential(size=(1600, 3))
    y = 20.0 + 3 * rows[:, 0] ** 2 + rng.normal(size=1600)
    assert y.min() > 0 and KernelRegressor(**SMALL).partial_fit(rows, y).target_scale_ == "linear"


def test_never_negative_is_never_predicted_negative():
    y = np.maximum(LOGS, 0.0)
    for options in ({}, {"algorithm": "rf-oks++"}):
        model = KernelRegressor(**SMALL | options)
        said = model.progressive_fit(X, y)
        assert (said >= 0).all() and (model.predict(X) >= 0).all() and (said == 0).any()
        assert (model.predict_interval(X) >= 0).all()
        model.partial_fit(X[:1], [-1.0])
        assert (model.predict(X) < 0).any()


def test_losses_are_those_of_what_was_said():
    for y in (Y, np.maximum(LOGS, 0.0)):
        model = KernelRegressor("rf-oks++", kernels=[1.0], scale_target="log" if y is Y else "linear", **SMALL)
        whole = model.partial_fit(X, y)._model.said.sums[0]
        again = model.progressive_fit(X, y)
        assert model._model.said.sums[0] - whole == pytest.approx(((again - y) ** 2).sum(), rel=1e-6)


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_chunks_saving_tickets_and_river(algorithm):
    options = SMALL | {"algorithm": algorithm, "scale_target": "log"}
    whole, parts = KernelRegressor(**options).partial_fit(X, Y), KernelRegressor(**options)
    for start in range(0, 1400, 7):
        parts.partial_fit(X[start : start + 7], Y[start : start + 7])
    parts = from_bytes(parts.to_bytes()).partial_fit(X[1400:], Y[1400:])
    assert (parts.predict(X) == whole.predict(X)).all() and parts.target_scale_ == "log"
    assert parts.loss_ == whole.loss_
    ticket = parts.ask(X[0])
    assert ticket.prediction == pytest.approx(whole.predict(X[:1], selection="drawn")[0])
    again = from_bytes(parts.to_bytes())
    parts.tell(ticket, Y[0])
    again.tell(ticket.id, Y[0])
    assert (parts.predict(X) == again.predict(X)).all()
    river = pytest.importorskip("kernelpick.river")
    frame = pytest.importorskip("pandas").DataFrame(X, columns=list("abcd"))
    model = river.KernelRegressor(algorithm, n_features=48, seed=0, scale_target="log")
    model.learn_many(frame, frame["a"] * 0 + Y)
    assert model.target_scale_ == "log" and model.predict_many(frame).min() > 0


def test_several_targets_have_a_scale_each():
    model = KernelRegressor(**SMALL).partial_fit(X, np.stack([Y, LOGS], axis=1))
    assert model.target_scale_ == ["log", "linear"]
    assert (model.predict(X)[:, 0] >= 0).all() and (model.predict(X)[:, 1] < 0).any()


def test_other_targets_come_later():
    model = KernelRegressor(**SMALL).partial_fit(X, Y)
    assert model._model.targets.table[KIND, 0] == LOG
    with np.errstate(all="raise"):
        model.partial_fit(X[:3], [0.0, -5.0, 1e300])
    assert np.isfinite(model.predict(X)).all() and model._model.targets.table[NEGATIVE, 0] == 1


def test_what_is_no_scale():
    with pytest.raises(ValueError, match="scale_target"):
        KernelRegressor(scale_target="square root").fit(X, Y)
    with pytest.raises(AttributeError, match="no scale"):
        KernelClassifier().fit(X, Y > 3).target_scale_  # noqa: B018
