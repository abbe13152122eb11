"""A row whose loss is not finite teaches nothing, and takes nothing from the others."""

import itertools

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelRegressor, core
from kernelpick.core import state

RNG = np.random.default_rng(0)
ROWS = 150
X = RNG.normal(size=(ROWS, 3))
WILD = [5, 6, 40, 41, 66, 149]
Y = np.where(np.isin(np.arange(ROWS), WILD), 1e200, np.sin(X[:, 0]))  # the square of such a target overflows
ALGORITHMS = ["rf-oks++", "oks", "raker", "lkmbooks", "auto", "leader-adagrad"]
CUTS = {
    "row by row": list(range(ROWS + 1)),
    "before and after": [0, 5, 6, 7, 40, 42, 149, 150],
    "anywhere": [0, 1, 6, 41, 100, 150],
}


def model(algorithm, **more):
    widths = {"kernels": [0.5, 1.0, 2.0], "n_features": 8, "random_state": 1}
    return KernelRegressor(algorithm, scale=None, scale_target=False, **widths | more)


def arrays(estimator):
    return state.arrays(estimator._model.state)


@pytest.mark.filterwarnings("ignore:.*diverged:RuntimeWarning")
@pytest.mark.parametrize("cuts", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_all_other_rows_are_learned_however_they_are_cut(algorithm, cuts):
    weights = RNG.choice([0.5, 1.0, 2.0], ROWS)
    for given in (None, weights):
        whole, pieces = model(algorithm), model(algorithm)
        said = whole.progressive_fit(X, Y, sample_weight=given)
        parts = [
            pieces.progressive_fit(X[a:b], Y[a:b], sample_weight=None if given is None else given[a:b])
            for a, b in itertools.pairwise(cuts)
        ]
        assert np.isfinite(said).all() and (np.concatenate(parts) == said).all()
        assert whole.loss_ == pieces.loss_ and np.isfinite(whole.loss_)
        one, other = arrays(whole), arrays(pieces)
        assert all(np.array_equal(one[name], other[name]) for name in one)
        assert whole._model.state.rounds == pieces._model.state.rounds == ROWS - len(WILD)


@pytest.mark.filterwarnings("ignore:.*diverged:RuntimeWarning")
@pytest.mark.parametrize("algorithm", ["rf-oks++", "oks"])
def test_what_is_learned_is_what_the_others_teach(algorithm):
    """The numbers that decide the rounds go on being counted, so only those of the rows left out are missing."""
    kept = np.setdiff1d(np.arange(ROWS), WILD)
    whole = model(algorithm).partial_fit(X, Y)
    numbers = core.arm_numbers(whole._model.spec, 0, ROWS)
    start = core.start(whole._model.spec)
    taught, _ = core.advance_in_place(whole._model.spec, start, X[kept], Y[kept, None], numbers[kept])
    one, other = arrays(whole), state.arrays(taught)
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert whole._model.draws == ROWS


def test_it_is_said_once_a_call():
    with pytest.warns(RuntimeWarning, match="rf-oks.. diverged: .*nothing was learned from that row") as caught:
        model("rf-oks++").partial_fit(X, Y)
    assert len(caught) == 1


@pytest.mark.filterwarnings("ignore:.*diverged:RuntimeWarning")
def test_in_the_tournament_of_many_kernels_too():
    many = {"kernels": np.geomspace(0.05, 20, 20).tolist()}
    whole, single = model("auto", **many), model("auto", **many)
    said = whole.progressive_fit(X, Y)
    assert [single.progressive_fit(X[t : t + 1], Y[t : t + 1])[0] for t in range(ROWS)] == said.tolist()
    scores = arrays(whole)["selector.score"]
    assert np.isfinite(scores).all() and (scores != 0).sum() == 8


def test_a_ticket_is_closed_and_teaches_nothing():
    estimator = model("rf-oks++").partial_fit(X[:5], Y[:5])
    ticket = estimator.ask(X[5])
    before = estimator.predict(X), estimator.loss_
    with pytest.warns(RuntimeWarning, match="diverged"):
        estimator.tell(ticket, 1e200)
    assert (estimator.predict(X) == before[0]).all() and estimator.loss_ == before[1] and estimator.n_rounds_ == 5
    with pytest.raises(ValueError, match="is closed"):
        estimator.tell(ticket, 1.0)


def test_a_trace_keeps_its_own_rule():
    with pytest.warns(RuntimeWarning, match="overflowed in round 5"):
        run = kernelpick.trace("rf-oks++", X, Y, loss="square", n_features=8)
    assert np.isfinite(run.losses[:5]).all() and np.isnan(run.losses[5:]).all() and (run.arms[5:] == -1).all()


@pytest.mark.filterwarnings("ignore:.*diverged:RuntimeWarning")
@pytest.mark.parametrize("wild", [1e160, -1e200, 1e308])
@pytest.mark.parametrize("at", [0, 3, 20])
@pytest.mark.parametrize("algorithm", ["rf-oks++", "auto"])
def test_running_scales_take_nothing_from_such_a_target(algorithm, at, wild):
    rows = RNG.normal(size=(400, 3))
    y = np.sin(rows[:, 0])
    broken = y.copy()
    broken[at] = wild
    said = KernelRegressor(algorithm, n_features=20, random_state=0).progressive_fit(rows, broken)
    assert np.abs(said[200:] - y[200:]).mean() < 1.0
