"""Columns that come late, inputs that leave their range, values that are missing: a model learns on."""

import warnings
from itertools import pairwise

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelRegressor
from kernelpick.core import Specification
from kernelpick.online.columns import NamedModel
from kernelpick.online.kept_rows import settled
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan
from kernelpick.online.scaling import CENTER, KIND, LEFT, LOG, NOTHING, SPREAD, STANDARD, WAIT
from kernelpick.online.watch import WINDOW

RNG = np.random.default_rng(0)
U = RNG.uniform(-1, 1, size=(9000, 3))
Y = np.sin(3 * U[:, 0]) + U[:, 1] * U[:, 2]
ALGORITHMS = ("auto", "rf-oks++", "rf-oks")


def plan(algorithm, inputs=3, scale="standard"):
    return Plan(Specification(algorithm, "square", inputs, n_features=32, radius=10.0), True, scale, True)


def progressive(model, X, Y):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        said = model.progressive_fit(X, Y)
    return (said - Y) ** 2, [one for one in told if "left the range" in str(one.message)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_inputs_that_leave_their_range_are_followed(algorithm):
    X = U.copy()
    X[5000:] *= 100
    model, fresh = (KernelRegressor(algorithm, n_features=64, random_state=0) for _ in range(2))
    errors, told = progressive(model, X, Y)
    expected, none = progressive(fresh, X[5000:], Y[5000:])
    assert errors[8000:].mean() <= 1.3 * expected[3000:].mean()
    assert len(told) == 1 and "out_of_range_ counts such rows" in str(told[0].message) and not none
    assert 500 < model.out_of_range_ and fresh.out_of_range_ == 0
    assert model.n_rounds_ == len(X)


def test_a_counter_that_does_no_harm_is_left_alone():
    X = np.column_stack([U, np.arange(len(U))])
    model = KernelRegressor(n_features=64, random_state=0)
    errors, told = progressive(model, X, Y)
    assert model._model.given_up == 0 and len(told) == 1 and model.out_of_range_ > 5000
    assert errors[6000:].mean() < 0.05 * Y.var()


def test_however_rows_are_cut_and_saved_the_same_bits_come_out(tmp_path):
    X = U[:4000].copy()
    X[1500:] *= 50
    whole, pieces = (KernelRegressor("rf-oks++", n_features=16, random_state=1) for _ in range(2))
    with pytest.warns(UserWarning, match="left the range"):
        said = whole.progressive_fit(X, Y[:4000])
    assert whole._model.given_up > 0
    parts, cuts = [], [0, 1, 40, 1400, 1999, 2048, 2049, 2600, 3333, 4000]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for start, stop in pairwise(cuts):
            parts.append(pieces.progressive_fit(X[start:stop], Y[start:stop]))
            pieces.save(tmp_path / "model")
            pieces = kernelpick.load(tmp_path / "model")
    assert (np.concatenate(parts) == said).all() and pieces.out_of_range_ == whole.out_of_range_
    assert (pieces.predict(X) == whole.predict(X)).all()


def test_a_ticket_from_before_is_an_ordinary_round_after():
    X = U[:4000].copy()
    X[1500:] *= 50
    model = KernelRegressor("rf-oks++", n_features=16, random_state=1).partial_fit(X[:1500], Y[:1500])
    ticket = model.ask(X[0])
    with pytest.warns(UserWarning, match="left the range"):
        model.partial_fit(X[1500:], Y[1500:4000])
    assert model._model.given_up > 0
    assert model.tell(ticket, 0.5).n_rounds_ == 4001 and np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_late_column_is_scaled_by_its_own_rows(algorithm):
    """pressure = 101325 + 500 u, from row 5,000 on, had an error of 0.5."""
    pressure = RNG.uniform(-1, 1, size=len(U))
    target = Y + np.where(np.arange(len(U)) >= 5000, pressure, 0.0)
    model, known = NamedModel(plan(algorithm), "abc"), NamedModel(plan(algorithm), "abc")
    for one, column in ((model, 101325 + 500 * pressure), (known, pressure)):
        one.learn(U[:5000], target[:5000, None])
        one.admit(["pressure"])
        assert one.inputs.table[WAIT, 3] > 0
        rows = np.zeros((4000, one.spec.n_inputs))
        rows[:, :3], rows[:, 3] = U[5000:], column[5000:]
        one.said_late = one.learn(rows, target[5000:, None]).in_units()[:, 0]
        assert one.inputs.table[WAIT, 3] == 0
    errors = (model.said_late - target[5000:]) ** 2
    assert errors[2000:].mean() <= 1.1 * ((known.said_late - target[5000:]) ** 2)[2000:].mean()
    without = np.var(pressure)
    assert errors[2000:].mean() < (0.3 if algorithm == "auto" else 1.0) * without


def test_a_column_that_comes_before_the_last_fit_has_gaps_and_no_zeros():
    model = NamedModel(plan("auto"), "abc")
    model.learn(U[:500], Y[:500, None])
    model.admit(["pressure"])
    rows = np.column_stack([U[500:532], 101325 + U[500:532, 0], np.zeros((32, model.spec.n_inputs - 4))])
    model.learn(rows[:12], Y[500:512, None])
    assert model.inputs.table[WAIT, 3] == 20 and model.first is None  # 12 values are few
    model.learn(rows[12:], Y[512:532, None])
    assert model.inputs.table[CENTER, 3] == pytest.approx(101325, abs=1)
    assert 0 < model.inputs.table[SPREAD, 3] < 1 and model.inputs.table[LEFT, 3] == 0


def test_gaps_are_means_or_zeros():
    X = np.array([[np.nan, np.nan, 1.0], [4.0, 0.0, 2.0], [6.0, 0.0, 3.0], [5.0, 1.0, np.nan]])
    assert settled(X) == pytest.approx(np.array([[5, 0, 1], [4, 0, 2], [6, 0, 3], [5, 1, 2]]))
    assert (settled(X[1:3]) == X[1:3]).all()


@pytest.mark.parametrize("scale", ["standard", "range", "maxabs", None])
@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_a_missing_value_reads_as_the_mean_so_far(algorithm, scale):
    """Also when it is asked for, and however rows are cut; a plain second writing fills the gaps by hand."""
    X = U[:1500] + 5
    X[RNG.random(X.shape) < 0.1] = np.nan
    whole, pieces, filled = (Model(plan(algorithm, scale=scale)) for _ in range(3))
    said = whole.learn(X, Y[:1500, None]).in_units()
    cut = [part for a, b in ((0, 7), (7, 600), (600, 1500)) for part in pieces.learn(X[a:b], Y[a:b, None]).in_units()]
    assert (said == np.array(cut)).all()
    means = np.array([np.nanmean(X[:1500, k]) for k in range(3)])
    row = np.array([[np.nan, 5.2, np.nan]])
    assert whole.decide(row) == pytest.approx(whole.decide(np.where(np.isnan(row), means, row)), rel=1e-9)
    assert np.isfinite(said).all()
    by_hand = X.copy()
    for t, k in zip(*np.nonzero(np.isnan(X)), strict=True):
        before = X[:t, k][~np.isnan(X[:t, k])]
        by_hand[t, k] = before.mean() if len(before) else 0.0
    expected = filled.learn(by_hand, Y[:1500, None]).in_units()
    ours, theirs = (((one[500:, 0] - Y[500:1500]) ** 2).mean() for one in (said, expected))
    assert ours < 1.2 * theirs  # not the same: rows that are kept for a fit are filled by the mean of all of them


def test_the_window_is_one_of_rows():
    model = KernelRegressor("rf-oks++", n_features=8, random_state=0).partial_fit(U[: 32 + 3], Y[: 32 + 3])
    assert model._model.watch.left == WINDOW - 3
    assert KernelRegressor("rf-oks++", n_features=8, scale=None).partial_fit(U[:64], Y[:64])._model.watch is None


def test_skewed_columns_of_mixed_tables_are_read_as_logarithms():
    size = np.exp(2 * RNG.normal(size=700))
    X = np.column_stack([size, RNG.normal(size=700), np.zeros(700)])
    for targets, kind in ((np.log(size), LOG), (size, STANDARD), (X[:, 1], None)):
        model = NamedModel(plan("auto", 2), ["size", "other"])
        model.admit(["made"], made=True)
        model.learn(X, targets[:, None])
        assert kind is None or model.inputs.table[KIND, 0] == kind
        assert model.inputs.table[KIND, 1] == STANDARD and model.inputs.table[KIND, 2] == NOTHING
        assert np.isfinite(model.decide(np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [np.nan, np.nan, 0.0]]))).all()
    numbers = NamedModel(plan("auto", 2), ["size", "other"])
    numbers.learn(X[:, :2], np.log(size)[:, None])
    assert (numbers.inputs.table[KIND] == STANDARD).all()
