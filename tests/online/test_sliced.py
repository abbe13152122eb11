"""Fits beside the rounds: no round does more than its share, and neither the cut nor a file changes a bit."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from kernelpick import KernelClassifier, KernelRegressor, parameters
from kernelpick.core.stream import NO_WEIGHTS
from kernelpick.files.packing import pack, unpack
from kernelpick.online.columns import NamedModel
from kernelpick.online.job import CHANGED, RANGE
from kernelpick.online.learning import Stream
from kernelpick.online.model import Model
from kernelpick.online.pace import longest
from kernelpick.online.preparation import AT_ONCE, Refitted


def plan_for(algorithm="auto", d=5, classifies=False, spread=True, **options):
    face = KernelClassifier if classifies else KernelRegressor
    features = options.pop("features", 0)
    options = {"n_features": features or 16, "hypotheses": 2.0, **options}
    plan = parameters.plan(face(algorithm, **options).get_params(deep=False), classifies, d, 1, seed=0)
    spec = replace(plan.specification, steady=spread)
    return replace(plan, spread=spread, features=features, specification=spec)


def rows_for(n, d=5, classifies=False, seed=0, skewed=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    f = np.sin(2 * X[:, :1]) + X[:, 1:2] * X[:, -1:] / 10 + 0.1 * rng.normal(size=(n, 1))
    return X, np.where(f > 0, 1.0, -1.0) if classifies else np.exp(1.5 * f) if skewed else f


def saved(model):
    """As a file has it."""
    about, arrays = pack(model)
    return unpack(type(model), about, {name: np.array(array) for name, array in arrays.items()})


def learned(model, X, Y, cuts, between=lambda model: model):
    said = []
    for part in np.split(np.arange(len(X)), cuts):
        if len(part):
            said.append(model.learn(X[part], Y[part]).in_units())
            model = between(model)
    return np.concatenate(said), model


KINDS = [
    ("auto", {}),
    ("auto", {"classifies": True}),
    ("auto", {"skewed": True}),
    ("auto", {"features": 200}),
    ("auto", {"size": "small"}),
    ("auto", {"size": "tiny", "n_features": 16}),
    ("rf-oks++", {}),
    ("rf-oks++", {"skewed": True}),
    ("leader-newton", {"kernels": [0.5, 1.0, 2.0]}),
]


@pytest.mark.parametrize(("algorithm", "options"), KINDS)
def test_neither_the_cut_nor_a_file_changes_a_bit(algorithm, options):
    options = dict(options)
    classifies, skewed = options.get("classifies", False), options.pop("skewed", False)
    plan = plan_for(algorithm, **options)
    X, Y = rows_for(2200, classifies=classifies, skewed=skewed)
    whole, model = learned(Model(plan), X, Y, [])
    assert model.rounds == 2200 and model.job is None and model.first is None and model.state is not None
    jobs = set()

    def through_a_file(model):
        jobs.add(model.job and model.job.base)
        return saved(model)

    pieces = [
        1,
        7,
        8,
        9,
        40,
        41,
        64,
        65,
        70,
        100,
        239,
        241,
        300,
        399,
        401,
        511,
        512,
        513,
        514,
        700,
        1000,
        1001,
        1127,
        1500,
        1807,
        1809,
        2050,
    ]
    again, other = learned(Model(plan), X, Y, pieces, through_a_file)
    assert np.array_equal(whole, again) and len(jobs) > 1
    single, _ = learned(Model(plan), X, Y, range(1, 2200))
    assert np.array_equal(whole, single)
    assert np.array_equal(model.state.space.weights, other.state.space.weights)
    assert [e.why for e in model.history.entries] == [e.why for e in other.history.entries]


def test_copies_go_on_as_the_model_does():
    X, Y = rows_for(1300)
    model = Model(plan_for())
    model.learn(X[:600], Y[:600])
    assert model.job is not None and model.job.done > 0
    twin = copy.deepcopy(model)
    assert np.array_equal(model.learn(X[600:], Y[600:]).in_units(), twin.learn(X[600:], Y[600:]).in_units())


@pytest.mark.parametrize("hypotheses", [2.0, 5.0])
def test_no_round_plays_more_than_twice_the_usual(hypotheses):
    """Rounds of one player, of the kernels and of a fit; with the memories beside them, which always play."""
    X, Y = rows_for(4200)
    model, work, before = Model(plan_for(companions=(), hypotheses=hypotheses)), [], 0.0
    for row in range(len(X)):
        players = int(model.state.selector.playing.sum()) if model.state is not None else 0
        job = model.job
        model.learn(X[row : row + 1], Y[row : row + 1])
        done = job.done - before if job is not None else 0.0
        before = model.job.done if model.job is not None else 0.0
        work.append(_multiply_adds(model, players + done))
    usual = np.median(work)
    assert max(work[AT_ONCE:]) <= 2 * usual and model.first is None


def _multiply_adds(model, rounds):
    """A round of a player goes once over half of a matrix, for three products each, and over the frequencies."""

    def player(spec, state):
        order = state.learner.P.shape[2]
        return 1.5 * order**2 + spec.n_features * spec.n_inputs

    if model.state is None:
        return 0.0
    beside = 0.0
    if model.memories is not None:
        beside = len(model.memories.state.probabilities) * player(model.memories.spec, model.memories.state)
    return rounds * player(model.spec, model.state) + beside


@pytest.mark.parametrize(("hypotheses", "pace", "ends"), [(2.0, 2, 1500), (5.0, 4, 900)])
def test_the_old_state_answers_until_the_round_that_was_fixed(hypotheses, pace, ends):
    """With more hypotheses a round, which rest beside a fit, it takes as many rounds of them and fewer rows."""
    X, Y = rows_for(1900)
    model, seen = Model(plan_for(hypotheses=hypotheses)), {}
    for row in range(len(X)):
        kernels, job = model.spec.kernels, model.job
        if job is not None:
            assert model.state.selector.playing.sum() == 1 or row <= 64
            seen.setdefault(job.base, job.due)
            assert job.done <= pace * (row - job.base) + 4
        model.learn(X[row : row + 1], Y[row : row + 1])
        assert (model.spec.kernels is kernels) == (row + 1 not in (AT_ONCE, *seen.values()))
    assert set(seen) == {64, 512} and max(seen.values()) <= longest(model.preparation, AT_ONCE)
    assert ends < seen[512] < ends + 400


def test_rows_before_the_last_fit_have_the_usual_number_of_features():
    """Or fewer, if the budget has bought fewer; a file does not forget how many there will be."""
    X, Y = rows_for(1900)
    for features in (24, 200):
        model, sizes = Model(plan_for(features=features, companions=())), {}
        for row in range(len(X)):
            model.learn(X[row : row + 1], Y[row : row + 1])
            if model.state is not None:
                sizes.setdefault(model.spec.n_features, row + 1)
            if row == 600:
                due, model = model.job.due, saved(model)
        usual = model.spec.row.features_for(5)
        assert 24 < usual < 200
        assert sizes == ({24: AT_ONCE} if features == 24 else {usual: AT_ONCE, 200: due})


@pytest.mark.parametrize("wrong", [-1, 2**40, 1.5, True])
def test_forged_numbers_of_features_are_refused(wrong):
    model = Model(plan_for(features=24))
    about, arrays = pack(model)
    with pytest.raises(ValueError, match="no count"):
        unpack(Model, about | {"plan": about["plan"] | {"features": wrong}}, arrays)


@pytest.mark.parametrize("why", [RANGE, CHANGED])
def test_what_has_changed_is_fitted_beside_the_rounds(why, monkeypatch):
    """Columns that leave their range, or another function of them."""
    X, Y = rows_for(8000, d=3)
    monkeypatch.setattr(Refitted, "may_have_changed", lambda self, state: why == CHANGED)
    if why == RANGE:
        X[4000:] = 40 * X[4000:] + 300
    else:
        Y[4000:] = np.cos(3 * X[4000:, 1:2]) * 5
    jobs, model = set(), Model(plan_for(d=3, companions=(), forgetting=1.0))
    with pytest.warns(UserWarning) if why == RANGE else _nothing():
        said, model = learned(model, X, Y, range(100, 8000, 100), lambda m: jobs.add(m.job and m.job.why) or m)
    assert why in jobs and model.rounds == 8000
    assert model.given_up > 0
    with pytest.warns(UserWarning) if why == RANGE else _nothing():
        again, other = learned(Model(model.plan), X, Y, [4100, 5000, 5200, 5555, 6000, 6500, 7000], saved)
    assert np.array_equal(said, again) and other.given_up == model.given_up


def test_what_begins_with_a_fit_says_at_first_what_its_leader_says():
    """Memories and companions that have heard few rows are not to be sure of them: neither who is heard nor how far
    from the others a target may lie is known from these."""
    X, _ = rows_for(2100, d=3)
    X = np.ascontiguousarray(X / np.arange(1, 4))
    Y = 5.0 * X[:, :1]
    near = np.abs(X[:, 0]) < 1.0
    far = X[~near & (np.arange(2100) < 1500)][:40]
    model = Model(plan_for(d=3, n_features=64))
    model.learn(X[:1000], Y[:1000])
    due = model.job.due
    model.learn(X[1000 : due - 1], Y[1000 : due - 1])
    few = np.flatnonzero(near[:due])[-6:]  # none of them is far off
    for n in range(1, 6):
        model.learn(X[few[n - 1 : n]], Y[few[n - 1 : n]])
        alone, heard = Stream._decide(model, model._scaled(far), False), model._decide(model._scaled(far), False)
        assert model.job is None and np.abs(heard - alone).mean() < 0.2 * np.abs(alone).mean()


@pytest.mark.parametrize("seed", range(3))
def test_what_has_not_changed_is_not_given_up(seed, monkeypatch):
    """Though a fit with the last rows is tried again and again: in rows that both have heard, it pays more. A few
    targets far off, which some of its rows have and others have not, do not decide that."""
    X, Y = rows_for(6000, d=3, seed=seed)
    Y[np.random.default_rng(seed).random(6000) < 0.004] *= 60.0
    tried, model = set(), Model(plan_for(d=3, companions=(), forgetting=1.0, n_features=64))
    monkeypatch.setattr(Refitted, "may_have_changed", lambda self, state: True)
    _, model = learned(model, X, Y, range(64, 6000, 64), lambda m: tried.add(m.job and m.job.why) or m)
    assert CHANGED in tried and model.given_up == 0


def _nothing():
    import contextlib

    return contextlib.nullcontext()


def test_columns_and_classes_may_come_while_a_fit_is_under_way():
    X, Y = rows_for(2300, classifies=True)
    model = NamedModel(plan_for(d=4, classifies=True), list("abcd"))
    model.learn(np.ascontiguousarray(X[:600, :4]), Y[:600])
    job = model.job
    assert job is not None
    model.admit(["e"])
    assert model.job is not job and (model.job.base, model.job.due) == (job.base, job.due)
    wide = np.zeros((1700, model.spec.n_inputs))
    wide[:, :5] = X[600:]
    model.learn(wide[:100], Y[600:700])
    model.remap([0, -1, -1], [1.0, 1.0, 1.0])
    three = np.repeat(Y[700:], 3, axis=1)
    model.learn(wide[100:], three)
    assert model.job is None and model.first is None and model.rounds == 2300


def test_a_label_that_comes_late_is_a_round_like_any_other():
    X, Y = rows_for(2100)
    model = Model(plan_for())
    model.learn(X[:700], Y[:700])
    ticket = model.ask(X[700:701], lambda values: values)
    model.learn(X[701:], Y[701:])
    assert model.job is None
    model.tell(ticket.id, Y[700:701])
    assert model.rounds == 2100


def test_forged_jobs_are_refused():
    X, Y = rows_for(700)
    model = Model(plan_for())
    model.learn(X, Y)
    about, arrays = pack(model)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    for wrong in (
        {"due": 10**6}, {"due": 5}, {"base": 699_999}, {"leader": 99}, {"leader": True}, {"why": "range"}, {"why": 3},
        {"base": -1},
    ):  # fmt: skip
        with pytest.raises((ValueError, KeyError, TypeError)):
            unpack(Model, about | {"job": about["job"] | wrong}, arrays)
    with pytest.raises(ValueError, match="table"):
        unpack(Model, about, arrays | {"job.inputs.table": np.zeros((2, 2))})


@pytest.mark.parametrize("more", [-40, 40])
@pytest.mark.parametrize("why", ["first", RANGE])
def test_files_of_versions_that_had_room_for_other_numbers_of_rows_load(more, why):
    """How long a fit takes, and so how many rows are kept for it, may be another number in another version."""
    X, Y = rows_for(3600, d=3)
    if why == RANGE:
        X[2000:] = 40 * X[2000:] + 300
    model, row = Model(plan_for(d=3, companions=())), 700 if why == "first" else 0
    model.learn(X[:700], Y[:700])
    with pytest.warns(UserWarning) if why == RANGE else _nothing():
        while why == RANGE and (model.job is None or model.job.why != RANGE):
            row = max(row, 700) + 10
            model.learn(X[row - 10 : row], Y[row - 10 : row])
    about, arrays = pack(model)
    own = {name: np.array(array) for name, array in arrays.items()}
    for name in own:
        if name.startswith("held." if why == "first" else "job.") and "table" not in name:
            room = np.zeros((len(own[name]) + more, *own[name].shape[1:]))
            room[: len(own[name])] = own[name][: len(room)]
            own[name] = room
    other = unpack(Model, about, own)
    rest = slice(row, 3600)
    assert np.array_equal(model.learn(X[rest], Y[rest]).in_units(), other.learn(X[rest], Y[rest]).in_units())
    short = own | {name: own[name][:50] for name in own if name.startswith(("held.", "job.")) and "table" not in name}
    with pytest.raises(ValueError):
        unpack(Model, about, short)


def test_without_a_budget_fits_are_done_at_once():
    X, Y = rows_for(600)
    model = Model(plan_for(spread=False))
    for row in range(600):
        model.learn(X[row : row + 1], Y[row : row + 1], NO_WEIGHTS)
        assert model.job is None
    assert model.first is None
