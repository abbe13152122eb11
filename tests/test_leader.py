"""The leader with scouts: who leads, who plays how often, and what happens when the world changes."""

import numpy as np
import pytest
from problems import waves, with_a_change
from states import arrays, copied, restored

from kernelpick import Gaussian, KernelRegressor, core
from kernelpick.core import Specification
from kernelpick.core.rounds import BLOCK
from kernelpick.core.selectors.leader import Leader, seats_for
from kernelpick.core.selectors.race import CHALLENGE, CONTEST

WIDTHS = (0.1, 0.5, 2.5)


def planted(width, rows=3000, seed=0):
    generator = np.random.default_rng(seed + 1)
    X = generator.uniform(-1, 1, (rows, 2))
    return X, waves(X, width, seed) + 0.3 * generator.normal(size=rows)


def spec_for(hypotheses=1.3, widths=WIDTHS, loss="square", algorithm="leader-newton", n_features=48, seed=0):
    kernels = tuple(Gaussian(width) for width in widths)
    return Specification(algorithm, loss, 2, kernels, n_features=n_features, hypotheses=hypotheses, random_state=seed)


def blocks(spec, X, y, state=None):
    """The state after each block, and what happened; who plays a block is decided before it."""
    state, players, outcomes = core.start(spec) if state is None else state, [], []
    for start in range(0, len(X), BLOCK):
        players.append(np.flatnonzero(state.selector.playing))
        state, outcome = core.advance_in_place(spec, state, X[start : start + BLOCK], y[start : start + BLOCK, None])
        outcomes.append(outcome)
    return state, players, outcomes


@pytest.mark.parametrize("hypotheses", [1.0, 1.3, 3.0])
@pytest.mark.parametrize("best", range(len(WIDTHS)))
def test_it_follows_a_planted_best_kernel(best, hypotheses):
    X, y = planted(WIDTHS[best])
    losses = []
    for spec in (spec_for(hypotheses), *(spec_for(widths=[width]) for width in WIDTHS)):
        _, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
        losses.append(outcome.losses[1024:].mean())
        if len(losses) == 1:
            share = np.bincount(outcome.arms[1024:], minlength=3) / (len(X) - 1024)
    own, *alone = losses
    assert np.argmin(alone) == best
    as_good = np.array(alone) < 1.02 * min(alone)  # for a wide one, the next may do as well
    assert share[as_good].sum() > (0.75 if hypotheses == 1 else 0.95)
    assert own < (1.5 if hypotheses == 1 else 1.03) * min(alone)


def test_of_labels_too():
    X, y = planted(0.5)
    spec = spec_for(loss="logistic", widths=(0.02, 0.5, 12.0))
    _, outcome = core.advance_in_place(spec, core.start(spec), X, np.sign(y)[:, None])
    assert (outcome.arms[1024:] == 1).mean() > 0.9


def test_one_hypothesis_a_round_is_a_pure_bandit():
    X, y = planted(0.5, 6400)
    state, players, outcomes = blocks(spec_for(1.0), X, y)
    assert all(len(play) == 1 for play in players)
    assert all((outcome.arms == play[0]).all() for play, outcome in zip(players, outcomes, strict=True))
    lead = state.selector.race["leader"][0]
    scouting = np.mean([play[0] != lead for play in players[-60:]])
    assert 0 < scouting < 0.3  # in a tenth of the blocks
    assert state.selector.p == pytest.approx(np.where(np.arange(3) == lead, 0.9, 0.05))


def test_one_hypothesis_a_round_also_after_a_change():
    X, y, *_ = with_a_change("square", 3200, 1900)
    state, players, _ = blocks(spec_for(1.0, n_features=12), X, y)
    assert state.selector.race["since"][0] > 0
    assert all(len(play) == 1 for play in players)


def test_as_many_hypotheses_as_kernels_is_full_information():
    X, y = planted(0.5)
    state, players, _ = blocks(spec_for(3.0), X, y)
    assert all(len(play) == 3 for play in players)
    assert state.rounds == 3000
    wide = np.geomspace(0.1, 3, 12)
    _, players, _ = blocks(spec_for(12.0, wide, n_features=8), X, y)
    assert all(len(play) == 12 for play in players)


@pytest.mark.parametrize("hypotheses", [1.3, 2.6])
def test_hypotheses_a_round_on_average(hypotheses):
    X, y = planted(0.5, 20_000)
    _, players, _ = blocks(spec_for(hypotheses, np.geomspace(0.1, 3, 6), n_features=8), X, y)
    counts = np.array([len(play) for play in players])
    opening, contest = CONTEST // BLOCK, 2 * CONTEST // BLOCK
    assert (counts[:opening] == 6).all()
    assert (counts[opening:contest] >= 2).all()
    rest = counts[contest:]
    assert set(rest) == {int(hypotheses), int(hypotheses) + 1}
    assert rest.mean() == pytest.approx(hypotheses, abs=4 * 0.5 / np.sqrt(len(rest)))
    scouts = np.concatenate(players[contest:])
    assert (np.bincount(scouts, minlength=6) > 0).all()  # half of the scouts are any of the arms


def test_the_leader_is_among_those_that_play_and_speaks():
    X, y = planted(0.5, 2560)
    state = core.start(spec_for())
    for start in range(0, 2560, BLOCK):
        race = state.selector.race[0].copy()
        assert race["speaker"] == race["leader"] and state.selector.playing[race["leader"]]
        rows = slice(start, start + BLOCK)
        state, outcome = core.advance_in_place(spec_for(), state, X[rows], y[rows, None])
        assert (outcome.arms == race["leader"]).all()


def test_randomness_is_counted():
    """The numbers of the rounds decide, and nothing else: not the cut into calls, not what was asked in between."""
    X, y = planted(0.5, 4000)
    spec = spec_for(1.3, np.geomspace(0.1, 3, 6), n_features=8)
    numbers = np.random.default_rng(3).random((4000, 1))
    runs = []
    for uniforms in (numbers, numbers.copy(), 1 - numbers - 1e-12):
        state, who = core.start(spec), []
        for start in range(0, 4000, BLOCK):
            who.append(state.selector.playing.copy())
            rows = slice(start, start + BLOCK)
            if uniforms is numbers:
                core.predict(spec, state, X[:5], 0.3)
                core.values(spec, state, X[:5])
            state, _ = core.advance_in_place(spec, state, X[rows], y[rows, None], uniforms[rows])
        runs.append(np.array(who))
    assert np.array_equal(runs[0], runs[1])
    assert np.array_equal(runs[0][: CONTEST // BLOCK], runs[2][: CONTEST // BLOCK])  # there is nothing to draw
    assert not np.array_equal(runs[0], runs[2])


def test_predicting_changes_nothing():
    X, y = planted(0.5, 700)
    spec = spec_for()
    state, _ = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    before = copied(state)
    for u in (None, 0.0, 0.9):
        core.predict(spec, state, X, u)
    core.values(spec, state, X)
    assert all(np.array_equal(array, before[name]) for name, array in arrays(state).items())


@pytest.mark.parametrize("seed", range(3))
def test_a_change_of_the_best_kernel_is_noticed(seed):
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1, 1, (6400, 2))
    y = np.where(np.arange(6400) < 3200, waves(X, 2.5, seed), waves(X, 0.15, seed + 10))
    y += 0.3 * generator.normal(size=6400)
    _, players, outcomes = blocks(spec_for(widths=(0.15, 2.5), seed=seed, hypotheses=1.3), X, y)
    arms = np.concatenate([outcome.arms for outcome in outcomes])
    assert (arms[1600:3200] == 1).mean() > 0.9
    assert (arms[4800:] == 0).mean() > 0.9
    # all of them play, soon and for CONTEST rounds; in the blocks before the change few scouts do
    counts = np.array([len(play) for play in players])
    long = CONTEST // BLOCK
    runs = [t for t in range(2 * long, len(counts) - long) if (counts[t : t + long] == 2).all()]
    assert 3200 // BLOCK <= runs[0] <= 3200 // BLOCK + 10


def test_without_a_change_there_is_no_challenge():
    for seed in range(4):
        X, y = planted(0.5, 20_000, seed)
        spec = spec_for(n_features=12, seed=seed)
        state, _ = core.advance_in_place(spec, core.start(spec), X, y[:, None])
        assert state.selector.race["since"][0] == 0


def test_a_false_alarm_costs_nothing_but_time():
    """Noise that grows is no reason to forget: the leader is challenged and stays."""
    generator = np.random.default_rng(0)
    X = generator.uniform(-1, 1, (6000, 2))
    y = waves(X, 0.5, 0) + np.where(np.arange(6000) < 3000, 0.1, 0.6) * generator.normal(size=6000)
    spec = spec_for()
    state, _, outcomes = blocks(spec, X, y)
    assert state.selector.race["since"][0] > 3000
    losses = np.concatenate([outcome.losses for outcome in outcomes])
    assert losses[3000 + CHALLENGE :].mean() < 1.1 * 0.36
    arms = np.concatenate([outcome.arms for outcome in outcomes])
    assert (arms[3000:] == 1).mean() > 0.9


@pytest.mark.parametrize("cut", [37, 512 + 10, 1300, 2300])
def test_a_state_that_is_restored_inside_a_block_goes_on(cut):
    X, y, *_ = with_a_change("square", 3000, 1900)
    spec = spec_for(1.3, np.geomspace(0.1, 8, 12), n_features=12)
    state, _ = core.advance_in_place(spec, core.start(spec), X[:cut], y[:cut, None])
    twin = restored(spec, copied(state))
    ends = [core.advance_in_place(spec, start, X[cut:], y[cut:, None]) for start in (state, twin)]
    for name in ("arms", "predictions", "losses"):
        assert np.array_equal(getattr(ends[0][1], name), getattr(ends[1][1], name))
    one, other = arrays(ends[0][0]), arrays(ends[1][0])
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_seats():
    assert [seats_for(arms, n) for arms, n in [(3, 1.3), (60, 1.3), (60, 20.5), (10, 99.0)]] == [3, 8, 21, 10]
    start = Leader.build(spec_for(1.3, np.geomspace(0.1, 8, 60)).problem(1))
    assert (np.flatnonzero(start.seat >= 0) == [0, 8, 17, 25, 34, 42, 51, 59]).all()
    assert sorted(start.seat[start.seat >= 0]) == list(range(8))


@pytest.mark.parametrize("width", [0.25, 0.7, 2.0])
def test_sixty_kernels_take_eight_seats_and_the_right_neighbourhood_is_found(width):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(2500, 2))
    y = waves(X, width, 0) + 0.05 * generator.normal(size=2500)
    widths = np.geomspace(0.02, 50, 60)
    model = KernelRegressor(kernels=widths, n_features=64, random_state=0)
    error = np.mean((model.progressive_fit(X, y)[512:] - y[512:]) ** 2)
    state = model._model.state
    assert len(state.learner.P) == 8 and (state.selector.seat >= 0).sum() == 8
    few = KernelRegressor(kernels=widths[::8], n_features=64, random_state=0).partial_fit(X, y)
    assert model.memory_bytes_ < 1.2 * few.memory_bytes_
    known = KernelRegressor(kernels=[width], n_features=64, random_state=0)
    assert error < 1.25 * np.mean((known.progressive_fit(X, y)[512:] - y[512:]) ** 2)
    lead = widths[model.probabilities_.argmax()]
    assert width / 3 < lead < width * 3
    players = []
    for _ in range(60):
        players.append((state.selector.playing > 0).sum())
        model.partial_fit(X[:BLOCK], y[:BLOCK])
        state = model._model.state
    assert np.mean(players) < 1.6  # N = 1.3, whatever the number of kernels


def test_an_arm_that_is_alone_starts_afresh_after_a_change():
    X, y, *_ = with_a_change("square", 6400, 3200)
    spec = spec_for(1.3, np.array([1.0]), n_features=24)
    state, _, outcomes = blocks(spec, X, y)
    _, _, fresh = blocks(spec, X[3200:], y[3200:])
    assert state.selector.race["since"][0] > 3200
    late, young = (np.concatenate([part.losses for part in run])[-1000:].mean() for run in (outcomes, fresh))
    assert late < 1.10 * young
