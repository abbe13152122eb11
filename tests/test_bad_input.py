"""Bad input: one sentence that says what, where and what to do; the state is untouched."""

import numpy as np
import pytest
from states import arrays, copied

import kernelpick
from kernelpick import Gaussian, Polynomial, core
from kernelpick.core import Specification

X = np.arange(12.0).reshape(6, 2)
Y = np.array([1.0, -1, 1, 1, -1, 1])


def with_entry(array, position, value):
    array = array.copy()
    array[position] = value
    return array


CASES = [
    ({"X": with_entry(X, (3, 1), np.nan)}, r"X holds nan in row 3, column 1"),
    ({"X": with_entry(X, (2, 0), np.inf)}, r"X holds inf in row 2, column 0"),
    ({"y": with_entry(Y, 4, np.nan)}, r"y holds nan in row 4"),
    ({"y": with_entry(Y, 1, -np.inf)}, r"y holds -inf in row 1"),
    ({"X": np.zeros((0, 2)), "y": np.zeros(0)}, r"X is empty"),
    ({"X": np.zeros((3, 0)), "y": np.zeros(3)}, r"X is empty"),
    ({"X": np.zeros(6)}, r"two dimensions"),
    ({"X": [["a", "b"]], "y": [1]}, r"matrix of numbers"),
    ({"y": Y[:5]}, r"6 in all.*\(5,\)"),
    ({"y": ["a"] * 6}, r"list of numbers"),
    ({"y": with_entry(Y, 3, 0.0)}, r"-1 or \+1.*y is 0 in row 3"),
    ({"X": np.ma.array(X, mask=X == 3)}, r"X has masked entries"),
    ({"X": [np.ma.array(row, mask=row == 3) for row in X]}, r"X has masked entries"),
    ({"y": np.ma.array(Y, mask=Y < 0)}, r"y has masked entries"),
    ({"uniforms": np.ma.array(np.zeros(6), mask=[1, 0, 0, 0, 0, 0])}, r"uniforms has masked entries"),
    ({"X": X + 2j}, r"X must be real numbers"),
    ({"y": Y + 2j}, r"y must be real numbers"),
    ({"frequencies": np.ones((4, 2)) * 1j}, r"frequencies must be real numbers"),
    ({"algorithm": "rf-oks+"}, r"Unknown algorithm 'rf-oks\+': did you mean 'rf-oks\+\+'"),
    ({"algorithm": "xgboost"}, r"Unknown algorithm 'xgboost'.*'oks'"),
    ({"loss": "logistc"}, r"Unknown loss 'logistc': did you mean 'logistic'"),
    ({"settings": "publish"}, r"Unknown settings 'publish': did you mean 'published'"),
    ({"widths": []}, r"no kernels to choose from"),
    ({"kernels": []}, r"no kernels to choose from"),
    ({"kernels": ["rbf"]}, r"kernels\[0\] is 'rbf'"),
    ({"widths": [1.0, -2.0]}, r"width must be a positive number, not -2.0"),
    ({"widths": [0.0]}, r"width must be a positive number"),
    ({"widths": [1.0], "kernels": [Gaussian(1.0)]}, r"not both"),
    ({"radius": 0}, r"radius must be a positive number, not 0"),
    ({"radius": -1.5}, r"radius must be a positive number"),
    ({"radius": np.nan}, r"radius must be a positive number"),
    ({"horizon": 0}, r"horizon must be a whole number from 1 up, not 0"),
    ({"horizon": 2.5}, r"horizon must be a whole number"),
    ({"n_features": 0}, r"n_features must be a whole number"),
    ({"budget": 0}, r"budget must be a whole number"),
    ({"step_scale": 0}, r"step_scale must be a positive number"),
    ({"random_state": -1}, r"random_state must be a whole number"),
    ({"uniforms": np.zeros(5)}, r"uniforms must be an array of shape \(6\)"),
    ({"uniforms": np.ones(6)}, r"from 0 up to, but not including, 1"),
    ({"frequencies": np.zeros((4, 3))}, r"frequencies must be an array of shape \(any, 2\)"),
    ({"frequencies": np.full((4, 2), np.nan)}, r"frequencies holds"),
]


@pytest.mark.parametrize(("change", "sentence"), CASES)
def test_one_sentence(change, sentence):
    arguments = {"algorithm": "rf-oks", "X": X, "y": Y, "loss": "logistic"} | change
    with pytest.raises(ValueError, match=sentence) as caught:
        kernelpick.trace(arguments.pop("algorithm"), arguments.pop("X"), arguments.pop("y"), **arguments)
    text = str(caught.value)
    assert "\n" not in text
    assert text.rstrip(")").endswith((".", "'"))


@pytest.mark.parametrize("loss", ["absolute", "hinge"])
@pytest.mark.parametrize("algorithm", ["oks++", "rf-oks++"])
def test_smooth_losses_only(algorithm, loss):
    with pytest.raises(ValueError, match=rf"{algorithm.replace('+', '.')} needs a smooth loss and {loss} is not"):
        kernelpick.trace(algorithm, X, Y, loss=loss)


@pytest.mark.parametrize(
    ("family", "arguments"), [(Gaussian, [-1]), (Gaussian, [np.inf]), (Polynomial, [0]), (Polynomial, [2, -1])]
)
def test_kernels_refuse_nonsense(family, arguments):
    with pytest.raises(ValueError, match=r"must be a"):
        family(*arguments)


def test_integers_and_lists_are_fine():
    run = kernelpick.trace("rf-oks", [[0, 1], [1, 0], [1, 1]], [1, -1, 1], loss="hinge", n_features=5)
    assert len(run.losses) == 3
    assert "3 rounds" in repr(run)


def test_the_core_refuses_rows_of_another_width_and_keeps_its_state():
    spec = Specification("oks", "square", 2, horizon=10)
    state, _ = core.advance_in_place(spec, core.start(spec), X, Y[:, None])
    before = copied(state)
    for rows, labels in [(X[:, :1], Y[:, None]), (X, Y[:3, None]), (X, np.ones((6, 2)))]:
        with pytest.raises(ValueError, match="2 inputs and 1 outputs"):
            core.advance_in_place(spec, state, np.ascontiguousarray(rows), labels)
    for name, array in arrays(state).items():
        assert np.array_equal(array, before[name]), name


@pytest.mark.parametrize("weight", [1e13, -1.0, float("nan"), float("inf"), "a", None])
def test_weights_that_can_not_be_are_refused_by_a_sentence(weight):
    """Beside a row of weight 1e14, no other counts, and differences of what both leave are all rounding."""
    river = pytest.importorskip("kernelpick.river")
    model = river.KernelRegressor("rf-oks++", n_features=20, seed=0)
    model.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    ticket = model.ask({"a": 1.0, "b": 1.0})
    for refused in (
        lambda: model.learn_one({"a": 1.0, "b": 2.0}, 1.0, w=weight),
        lambda: model.tell(ticket, 1.0, sample_weight=weight),
        lambda: model.blank(weight),
    ):
        with pytest.raises(ValueError, match="must be a number from 0 up to 1e\\+12, not"):
            refused()
    assert model.n_rounds_ == 1
    if isinstance(weight, float) and weight == 1e13:
        weights = np.ones(20)
        weights[3] = weight
        with pytest.raises(ValueError, match=r"sample_weight\[3\] must be a number from 0 up to"):
            kernelpick.KernelRegressor("rf-oks++").partial_fit(np.ones((20, 2)), np.ones(20), sample_weight=weights)


def test_a_target_that_no_float_can_hold_is_refused_by_a_sentence():
    river = pytest.importorskip("kernelpick.river")
    with pytest.raises(ValueError, match="where a finite number is expected"):
        river.KernelRegressor("rf-oks++", n_features=20).learn_one({"a": 1.0, "b": 2.0}, 10**400)
