"""A row at a time: the short way of a row, beside the long way that all rows can go, bit by bit."""

import copy
import pickle
import warnings
from contextlib import nullcontext
from unittest.mock import patch

import numpy as np
import pytest

pytest.importorskip("river")
import kernelpick
from kernelpick import parameters
from kernelpick.budget import planned
from kernelpick.budget.calibration import evenly
from kernelpick.online.sliced import SlicedStream
from kernelpick.river import KernelClassifier, KernelRegressor

ROWS = 1100  # beyond the first epoch, and two windows


def stream(rows=ROWS, seed=0):
    """Rows with a change in the middle, and a kind of target for each way."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    X[rng.random(X.shape) < 0.1] = 0.0
    signs = np.where(np.arange(rows) < 700, 1.0, -1.0)
    y = np.sin(2 * X[:, 0]) * signs + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=rows)
    return [dict(zip("abcd", row, strict=True)) for row in X.tolist()], y


def several(y):
    return {"one": float(y), "other": float(-2.0 * y)}


def growing(y):
    return float(np.exp(3.0 * y))


def three(y):
    return "low" if y < -0.5 else "high" if y > 0.5 else "between"


CASES = {
    "rf-oks++": (KernelRegressor, {"algorithm": "rf-oks++", "n_features": 16}, float),
    "raker, several targets": (KernelRegressor, {"algorithm": "raker", "n_features": 16}, several),
    "exact": (KernelRegressor, {"algorithm": "oks++"}, float),
    "not scaled": (KernelRegressor, {"algorithm": "rf-ioks", "n_features": 16, "scale": None}, float),
    "auto": (KernelRegressor, {"n_features": 16}, float),
    "auto, logarithms": (KernelRegressor, {"n_features": 16, "scale_target": "log"}, growing),
    "auto, small": (KernelRegressor, {"size": "small"}, float),
    "auto, two classes": (KernelClassifier, {"n_features": 16}, lambda y: bool(y > 0)),
    "auto, three classes": (KernelClassifier, {"n_features": 16}, three),
}


def play(model, rows, targets, short=True, asks=True):
    """What is said to each row before it is learned."""
    said = []
    with nullcontext() if short else patch("kernelpick.online.model.single_of", lambda model: None):
        for x, y in zip(rows, targets, strict=True):
            said += [model.predict_one(x)] if asks else []
            model.learn_one(x, y)
    return said


@pytest.mark.parametrize("case", CASES)
def test_the_short_way_gives_the_bits_of_the_long_one(case):
    cls, options, kind = CASES[case]
    rows, y = stream()
    targets = [kind(one) for one in y]
    fast, slow, silent = (cls(seed=1, **options) for _ in range(3))
    assert play(fast, rows, targets) == play(slow, rows, targets, short=False)
    play(silent, rows, targets, short=False, asks=False)  # nothing was noted down by a prediction
    assert fast._model.single is not None and slow._model.single is None
    assert fast.to_bytes() == slow.to_bytes() == silent.to_bytes()
    assert fast.n_rounds_ == ROWS


@pytest.mark.parametrize("case", [case for case in CASES if "several" not in case])
def test_scikit_learns_face_takes_the_short_way_with_single_rows(case):
    cls, options, kind = CASES[case]
    rows, y = stream()
    X, targets = np.array([list(row.values()) for row in rows]), np.array([kind(one) for one in y])
    fast, slow = (getattr(kernelpick, cls.__name__)(random_state=1, **options) for _ in range(2))
    declared = {} if cls is KernelRegressor else {"classes": np.unique(targets)}
    for t in range(ROWS):
        x, target = X[t : t + 1], targets[t : t + 1]
        for model in (fast, slow) if t else ():
            with nullcontext() if model is fast else patch("kernelpick.online.model.single_of", lambda model: None):
                model.said = model.predict(x)
        assert not t or fast.said == slow.said
        fast.partial_fit(x, target, **declared)
        with patch("kernelpick.online.model.single_of", lambda model: None):
            slow.partial_fit(x, target, **declared)
    kept = fast.predict(X[:1])
    fast.predict(X[1:2])
    assert kept == slow.predict(X[:1])  # what was said is not overwritten
    assert fast._model.single is not None and slow._model.single is None
    assert fast.to_bytes() == slow.to_bytes()


@pytest.mark.parametrize(("companions", "hypotheses"), [("auto", 2.0), ((), 1.0)])
def test_a_row_beside_a_fit_goes_the_short_way(companions, hypotheses, monkeypatch):
    """The last of the first fits takes effect after more than a thousand rows; inputs leave their range after it."""
    rows, y = stream(3000)
    rows[1900:] = [{name: 40.0 + 9.0 * value for name, value in x.items()} for x in rows[1900:]]
    fast, slow = (
        KernelRegressor(seed=1, n_features=16, companions=companions, hypotheses=hypotheses) for _ in range(2)
    )
    beside, go_on = [], SlicedStream.beside
    monkeypatch.setattr(
        SlicedStream, "beside", lambda model, given: beside.append(model.job.why) or go_on(model, given)
    )
    monkeypatch.setattr(planned, "plan", evenly_planned)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert play(fast, rows, y.tolist()) == play(slow, rows, y.tolist(), short=False)
    assert fast.to_bytes() == slow.to_bytes()
    assert beside.count("first") > 300 and beside.count("range") > 100
    assert fast._model.first is None


def evenly_planned(params, classifies, n_inputs, n_columns=None, *, n_outputs, seed, way):
    return evenly(parameters.plan(params, classifies, n_inputs, n_outputs, seed), way.rows)


def other_row(model, x, y):
    model.predict_one({name: value + 1.0 for name, value in x.items()})


def zero_of_another_sign(model, x, y):
    model.predict_one({name: value or -0.0 for name, value in x.items()})


def the_row_itself(model, x, y):
    model.learn_one(x, y)


def a_ticket(model, x, y):
    model.tell(model.ask(x), y)


def a_weight(model, x, y):
    model.learn_one(x, y, w=2.0)


def a_weight_of_nothing(model, x, y):
    model.learn_one(x, y, w=0.0)


def a_target_out_of_all_proportion(model, x, y):
    with pytest.warns(RuntimeWarning, match="diverged"):
        model.learn_one(x, 1e300)


def a_new_column(model, x, y):
    model.learn_one(x | {"late": y}, y)


def several_rows(model, x, y):
    pandas = pytest.importorskip("pandas")
    model.learn_many(pandas.DataFrame([x, x]), pandas.Series([y, -y]))


BETWEEN = (other_row, zero_of_another_sign, the_row_itself, a_ticket, a_weight, a_weight_of_nothing)
BETWEEN += (a_target_out_of_all_proportion, a_new_column, several_rows)


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
@pytest.mark.parametrize("between", BETWEEN)
def test_whatever_comes_between_a_prediction_and_its_row(algorithm, between):
    rows, y = stream(620)
    fast, slow = (KernelRegressor(algorithm, seed=1, n_features=16) for _ in range(2))
    for model, short in ((fast, True), (slow, False)):
        play(model, rows[:600], y[:600].tolist(), short, asks=short)
        for x, target in zip(rows[600:], y[600:].tolist(), strict=True):
            if short or between is not zero_of_another_sign:
                model.predict_one(x) if short else None
                between(model, x, target)
            model.learn_one(x, target)
            if not short:
                model._model.single = None
    assert fast.to_bytes() == slow.to_bytes()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_goes_its_own_way(copied):
    rows, y = stream(700)
    model = KernelRegressor(seed=1, n_features=16)
    play(model, rows[:600], y[:600].tolist())
    model.predict_one(rows[600])
    other, kept = copied(model), model.to_bytes()
    play(other, rows[600:], y[600:].tolist())
    assert model.to_bytes() == kept
    play(model, rows[600:], y[600:].tolist())
    assert model.to_bytes() == other.to_bytes()


def test_a_refused_row_leaves_the_model_as_it_was():
    rows, y = stream(600)
    model = KernelRegressor(seed=1, n_features=16, missing="raise")
    play(model, rows, y.tolist())
    kept, said = model.to_bytes(), model.predict_one(rows[0])
    x = rows[0]
    for row, target in ((x | {"a": None}, 1.0), (x, float("inf")), (x, "much"), (x | {"a": []}, 1.0)):
        with pytest.raises(ValueError, match=r"'a'|'y'"):
            model.learn_one(row, target)
    assert model.to_bytes() == kept and model.predict_one(rows[0]) == said


def test_a_dict_that_was_changed_since_it_was_predicted_is_read_again():
    rows, y = stream(400)
    one, other = (KernelRegressor(seed=1, algorithm="rf-oks++", n_features=16) for _ in range(2))
    for t, (x, target) in enumerate(zip(rows, y.tolist(), strict=True)):
        own = dict.fromkeys(x, 0.5)
        assert one.predict_one(own) == other.predict_one(dict.fromkeys(x, 0.5))
        own.update(x)
        if t % 50 == 49:
            own["a"] = "nothing that is a number"
            assert one._model.row_of(own) is None
            own["a"] = x["a"]
        one.learn_one(own, target)
        other.learn_one(x, target)
    assert one.to_bytes() == other.to_bytes()


def test_a_model_in_memory_that_can_not_be_written_takes_single_rows():
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = kernelpick.KernelRegressor("rf-oks++", n_features=16, random_state=0)
    for t in range(60):
        model.partial_fit(X[t : t + 1], X[t : t + 1, 0])
    buffers = []
    bytes_of = pickle.dumps(model, protocol=5, buffer_callback=buffers.append)
    frozen = pickle.loads(bytes_of, buffers=[bytes(one.raw()) for one in buffers])
    for one in (model, frozen):
        one.partial_fit(X[:1], X[:1, 0])
    assert frozen.predict(X[:1]) == model.predict(X[:1])
