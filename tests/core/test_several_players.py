"""Rounds with several players: the exact space has room for all of them, and whoever looks at old arrays still can."""

from typing import Annotated, NamedTuple

import numpy as np
import pytest
from problems import stream, with_a_change

from kernelpick import Algorithm, Gaussian, KernelRegressor, core, trace
from kernelpick.core.spaces.tiles import TILE
from kernelpick.extend import Axes, enlist, for_what_was_said, selector

ROWS = 300
KERNELS = tuple(Gaussian(width) for width in (0.3, 0.6, 1.0, 2.0, 4.0))
ALL_AT_ONCE = Algorithm("exact", "normalised", "hedge")


def played(outputs=1):
    X, y, *_ = stream("square", ROWS, inputs=3)
    Y = np.column_stack([np.roll(y, shift) for shift in range(outputs)])
    return core.Specification(ALL_AT_ONCE, "square", 3, KERNELS, horizon=ROWS, n_outputs=outputs), X, Y


@pytest.mark.bounds
def test_all_arms_open_a_tile_in_the_same_round():
    """Fault 4: there was room for one of them, and the others wrote past the pool."""
    spec, X, Y = played()
    state, opened = core.start(spec), set()
    for t in range(ROWS):
        before = int(state.space.used[0])
        state, _ = core.advance_in_place(spec, state, X[t : t + 1], Y[t : t + 1])
        used = int(state.space.used[0])
        assert used <= len(state.space.tiles) == len(state.space.coefficients) == len(state.space.following)
        opened.add(used - before)
    assert opened == {0, len(KERNELS)} and state.space.used[1] == ROWS * len(KERNELS)
    whole, outcome = core.advance_in_place(spec, core.start(spec), X, Y)
    assert np.array_equal(whole.space.used, state.space.used) and np.isfinite(outcome.predictions).all()
    assert np.array_equal(core.values(spec, whole, X[:20]), core.values(spec, state, X[:20]))


@pytest.mark.bounds
def test_each_of_them_holds_its_own_examples():
    """What each arm says is the sum over the rows that it has stored, which are all of them."""
    spec, X, Y = played(outputs=2)
    state, _ = core.advance_in_place(spec, core.start(spec), X, Y)
    space, probe = state.space, X[:20]
    found = core.values(spec, state, probe)
    for arm, kernel in enumerate(KERNELS):
        tile, rows, coefficients = space.chains[arm, 0], [], []
        for _ in range(-(-ROWS // TILE)):
            rows.append(space.tiles[tile].T)
            coefficients.append(space.coefficients[tile].T)
            tile = space.following[tile]
        assert tile == -1
        assert np.array_equal(np.concatenate(rows)[:ROWS], X)
        expected = kernel(probe, X) @ np.concatenate(coefficients)[:ROWS] * space.scales[arm]
        assert np.allclose(found[:, arm], expected, atol=1e-9)


def test_views_of_a_pool_stay_valid_when_it_grows():
    """Fault 9: the pool grew in place, and views of it looked at memory that was given back."""
    spec, X, Y = played()
    state, _ = core.advance_in_place(spec, core.start(spec), X[:100], Y[:100])
    old = state.space
    views = {name: getattr(old, name) for name in ("tiles", "squares", "coefficients", "following", "large")}
    grown = old.grown()
    assert len(grown.tiles) > len(old.tiles)
    for name, view in views.items():
        longer = getattr(grown, name)
        assert len(view) == len(old.tiles) and not np.shares_memory(view, longer)
        assert np.array_equal(longer[: len(view)], view)
    kept = {name: view.copy() for name, view in views.items()}
    state, _ = core.advance_in_place(spec, state._replace(space=grown), X[100:], Y[100:])
    assert all(np.array_equal(views[name], kept[name]) for name in views)
    assert len(state.space.tiles) >= state.space.used[0] == len(KERNELS) * 3


@pytest.mark.parametrize("learner", ["constant", "smooth"])
def test_a_challenge_with_other_gradient_learners(learner):
    """Fault 2: of the gradient learners only Normalised could start afresh, which the leader needs."""
    X, y, *_ = with_a_change("square", 3000, 1900)
    kernels = tuple(Gaussian(width) for width in (0.2, 1.0, 4.0))
    spec = core.Specification(Algorithm("augmented", learner, "leader"), "square", 2, kernels, n_features=12)
    state, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    assert state.selector.race["since"][0] > 1900 and np.isfinite(outcome.losses).all()
    assert outcome.losses[-300:].mean() < outcome.losses[1900:2200].mean()


@selector("tests.one_too_many", drawn=1)
class OneTooMany(NamedTuple):
    """It lets two arms play, and says one."""

    p: Annotated[np.ndarray, Axes("arms")]
    appraise = staticmethod(for_what_was_said)

    @classmethod
    def build(cls, problem):
        return cls(problem.uniform())

    @staticmethod
    def draw(selector, numbers, cast):
        enlist(cast, 0, 0, 1.0)
        enlist(cast, 1, 1, 1.0)
        return 2

    @staticmethod
    def select(selector, cast, count, trial, costs, ledger):
        return False


@pytest.mark.parametrize("space", ["features", pytest.param("exact", marks=pytest.mark.long)])
def test_more_players_than_a_selector_says_are_refused(space):
    """They wrote past the end of what was made for them."""
    X, y, *_ = stream("square", 40, inputs=3)
    with pytest.raises(ValueError, match="let more arms play in a round than it says: raise drawn=1"):
        trace(Algorithm(space, "normalised", OneTooMany), X, y, loss="square", kernels=KERNELS, n_features=10)


@selector("tests.one_to_three")
class OneToThree(NamedTuple):
    """One, two and three arms play by turns, and it does not say how many."""

    p: Annotated[np.ndarray, Axes("arms")]
    turn: Annotated[np.ndarray, Axes(1)]
    appraise = staticmethod(for_what_was_said)

    @classmethod
    def build(cls, problem):
        return cls(problem.uniform(), np.zeros(1))

    @staticmethod
    def draw(selector, numbers, cast):
        count = 1 + int(selector.turn[0]) % 3
        for place in range(count):
            enlist(cast, place, place, 1.0)
            cast.share[place] = 1.0 / count
        return count

    @staticmethod
    def select(selector, cast, count, trial, costs, ledger):
        selector.turn[0] += 1.0
        return False


@pytest.mark.long
def test_players_whose_number_is_not_told_are_shown_and_taught():
    """A trace said that nobody had played, and a label that came later taught those who would play now."""
    X, y, *_ = stream("square", 60, inputs=3)
    algorithm, told = Algorithm("features", "normalised", OneToThree), {"kernels": KERNELS, "n_features": 10}
    run = trace(algorithm, X, y, loss="square", every_round=True, **told)
    assert np.array_equal((run.players >= 0).sum(1), 1 + np.arange(60) % 3)
    assert np.array_equal(run.playing.sum(1), 1 + np.arange(60) % 3) and run.playing[:, 0].all()
    model = KernelRegressor(algorithm, scale=None, scale_target=False, random_state=0, **told)
    tickets = [model.ask(row) for row in X[:3]]
    for ticket, target in zip(tickets, y, strict=False):
        model.tell(ticket, target)
    learned = np.abs(model._model.state.space.weights).max(axis=(1, 2)) > 0.0
    assert learned.tolist() == [True] + [False] * (len(KERNELS) - 1)
    at_once, later = (KernelRegressor(algorithm, scale=None, scale_target=False, random_state=0, **told) for _ in "ab")
    at_once.partial_fit(X, y)
    for row, target in zip(X, y, strict=True):
        later.tell(later.ask(row), target)
    assert np.array_equal(at_once.predict(X), later.predict(X))
