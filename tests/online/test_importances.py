"""importances_: against finite differences of what the model says, and by columns."""

import numpy as np
import pandas as pd
import pytest

from kernelpick import KernelClassifier, KernelRegressor, from_bytes
from kernelpick.core.gradients import gradients

RNG = np.random.default_rng(3)
X = RNG.normal(size=(700, 3)) * [1.0, 20.0, 0.1]
Y = np.sin(2 * X[:, 0]) + 0.03 * X[:, 1]
SMALL = {"n_features": 16, "random_state": 0}


def by_differences(model, X):
    """A second way: the same from the model's own answers, one input a little further at a time."""
    rows = model._scaled(X)[-256:]
    total = np.zeros(rows.shape[1])
    for k in range(len(total)):
        step = np.zeros(len(total))
        step[k] = 1e-5
        slopes = (model._decide(rows + step, False) - model._decide(rows - step, False)) / 2e-5
        total[k] = (slopes**2).mean(axis=0).sum() * rows[:, k].var()
    return total / total.sum()


@pytest.mark.parametrize(
    ("algorithm", "rows"),
    [("auto", 700), ("auto", 576), ("auto", 40), ("rf-oks++", 700), ("raker", 700), ("leader-adagrad", 650)],
)
def test_they_are_those_of_finite_differences(algorithm, rows):
    """Of the leader, where nothing else is heard."""
    model = KernelRegressor(algorithm, **SMALL, forgetting=1).partial_fit(X[:rows], Y[:rows])
    found = model.importances_
    assert found.shape == (3,) and found.sum() == pytest.approx(1.0)
    assert found == pytest.approx(by_differences(model._model, X[:rows]), abs=1e-5)
    assert (from_bytes(model.to_bytes()).importances_ == found).all()


def test_gradients_of_all_outputs_of_all_arms():
    model = KernelClassifier(hypotheses=8, **SMALL).partial_fit(X, np.digitize(Y, [-0.3, 0.3]), classes=[0, 1, 2])
    state, spec, rows = model._model.state, model._model.spec, model._model._scaled(X[:20])
    from kernelpick.core import values

    seated = [arm for arm in range(len(spec.kernels)) if state.seat(arm) >= 0]
    for k in range(3):
        step = np.eye(3)[k] * 1e-6
        slopes = (values(spec, state, rows + step) - values(spec, state, rows - step)) / 2e-6
        for arm in seated:
            for m in range(3):
                assert gradients(state, arm, m, rows)[:, k] == pytest.approx(slopes[:, arm, m], abs=1e-5)
    assert model.importances_[2] < 0.05


def test_a_linear_target_of_independent_columns():
    rows = RNG.normal(size=(2000, 3)) * [1.0, 1000.0, 1e-3]
    model = KernelRegressor(random_state=0).partial_fit(rows, rows @ [2.0, 1e-3, 0.0] + 7)
    assert model.importances_ == pytest.approx([0.8, 0.2, 0.0], abs=0.03)


def test_the_inputs_of_a_column_add_up():
    words = RNG.choice(["red", "green", "blue"], 600)
    level = {"red": 0.0, "green": 3.0, "blue": -3.0}
    frame = pd.DataFrame({"colour": words, "noise": RNG.normal(size=600), "size": RNG.normal(size=600)})
    y = np.array([level[word] for word in words]) + frame["size"].to_numpy()
    model = KernelRegressor(**SMALL).partial_fit(frame, y)
    found = model.importances_
    assert list(found) == ["colour", "noise", "size"] and sum(found.values()) == pytest.approx(1.0)
    assert found["colour"] > 0.6 and found["noise"] < 0.05 < found["size"]
    inputs = model._model.importances()
    places = [place for name, place in model._model.names.items() if name not in ("noise", "size")]
    assert found["colour"] == pytest.approx(inputs[places].sum()) and len(places) == len(model.inputs_["colour"]) == 3


def test_of_river():
    river = pytest.importorskip("kernelpick.river")
    model = river.KernelRegressor(n_features=16, seed=0)
    for row, y in zip(X[:300].tolist(), Y[:300].tolist(), strict=True):
        model.learn_one(dict(zip("abc", row, strict=True)), y)
    assert set(model.importances_) == set("abc") and model.importances_["c"] < 0.1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"algorithm": "oks++"}, "oks.. has no random features"),
        ({"algorithm": "rf-oks++", "n_features": 8, "scale": None}, "keeps no rows"),
    ],
)
def test_a_model_without_them_says_why(options, why):
    model = KernelRegressor(**options, random_state=0)
    with pytest.raises(AttributeError, match="has not seen any row"):
        model.importances_  # noqa: B018
    model.partial_fit(X[:5], Y[:5])
    with pytest.raises(AttributeError, match="no importances_: there are no kernels yet"):
        model.importances_  # noqa: B018
    with pytest.raises(AttributeError, match=f"no importances_: .*{why}"):
        model.partial_fit(X[:100], Y[:100]).importances_  # noqa: B018
