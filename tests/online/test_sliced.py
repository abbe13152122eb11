"""Fits beside the rounds: no round does more than its share, and neither the cut nor a file changes a bit."""

import copy

import numpy as np
import pytest
from spread_fits import learned, plan_for, rows_for, saved

from kernelpick.core.numerics.panels import padded
from kernelpick.core.stream import NO_WEIGHTS
from kernelpick.online.columns import NamedModel
from kernelpick.online.model import Model
from kernelpick.online.pace import longest
from kernelpick.online.preparation import AT_ONCE

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
    X, Y = rows_for(2300, classifies=classifies, skewed=skewed)
    whole, model = learned(Model(plan), X, Y, [])
    assert model.rounds == 2300 and model.job is None and model.first is None and model.state is not None
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
    single, _ = learned(Model(plan), X, Y, range(1, 2300))
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


@pytest.mark.parametrize(("hypotheses", "features"), [(2.0, 0), (5.0, 0), (8.0, 0), (2.0, 200)])
def test_no_round_plays_more_than_twice_the_usual(hypotheses, features):
    """Rounds of one player, of the kernels and of a fit, which may be larger; with the memories, which always play."""
    X, Y = rows_for(4200)
    model, work, before = Model(plan_for(companions=(), hypotheses=hypotheses, features=features)), [], 0.0
    for row in range(len(X)):
        players = int(model.state.selector.playing.sum()) if model.state is not None else 0
        job = model.job
        model.learn(X[row : row + 1], Y[row : row + 1])
        done = job.done - before if job is not None else 0.0
        before = model.job.done if model.job is not None else 0.0
        own = model.spec if job is None or not job.last else model.plan.specification
        work.append(players * _player(model.spec) + done * _player(own) + _beside(model))
    usual = np.median(work)
    assert max(work[AT_ONCE:]) <= 2 * usual and model.first is None


def _player(spec):
    """The multiply-adds of a round: once over half of a matrix, for three products each, and over the frequencies."""
    return 1.5 * padded(spec.problem(1).weights) ** 2 + spec.n_features * spec.n_inputs


def _beside(model):
    return 0.0 if model.memories is None else len(model.memories.spec.kernels) * _player(model.memories.spec)


@pytest.mark.parametrize(("hypotheses", "pace", "ends"), [(2.0, 2, 1500), (5.0, 4, 900), (8.0, 7, 700)])
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


@pytest.mark.parametrize(("d", "hypotheses", "kernels", "takes"), [
    (5, 2.0, 5, 1328),
    (50, 2.0, 3, 1328),  # with many columns a metric has fewer kernels, and their heats are longer
    (5, 5.0, 5, 448),
    (5, 6.0, 6, 368),  # where so many play there is room for more widths
    (5, 8.0, 8, 288),
    (50, 8.0, 6, 256),
])  # fmt: skip
def test_all_is_done_before_it_takes_effect(d, hypotheses, kernels, takes):
    X, Y = rows_for(512 + takes - 1, d=d)
    model = Model(plan_for(d=d, hypotheses=hypotheses, companions=()))
    model.learn(X, Y)
    job = model.job
    assert (job.base, job.due, len(X)) == (512, 512 + takes, job.due - 1)
    assert len(job.widening.whole[0].kernels) == kernels
    assert job.steps.send(1.0) == 0.0  # there is nothing left to do, but for the row that is still to come


def test_columns_and_classes_may_come_while_a_fit_is_under_way():
    X, Y = rows_for(2300, classifies=True)
    model = NamedModel(plan_for(d=4, classifies=True), list("abcd"))
    model.learn(np.ascontiguousarray(X[:600, :4]), Y[:600])
    job = model.job
    assert job is not None
    model.admit(["e"])
    assert model.job is job and [batch[0] for batch in job.late] == [["e"]]
    wide = np.zeros((1700, model.spec.n_inputs))
    wide[:, :5] = X[600:]
    model.learn(wide[:100], Y[600:700])
    model.remap([0, -1, -1], [1.0, 1.0, 1.0])
    assert model.job is job and (job.base, job.columns, [one.since for one in job.outputs]) == (512, 4, [700])
    three = np.repeat(Y[700:], 3, axis=1)
    model.learn(wide[100:], three)
    model.learn(wide, np.repeat(Y[600:], 3, axis=1))
    assert model.job is None and model.first is None and model.rounds == 4000


def test_a_label_that_comes_late_is_a_round_like_any_other():
    X, Y = rows_for(2100)
    model = Model(plan_for())
    model.learn(X[:700], Y[:700])
    ticket = model.ask(X[700:701], lambda values: values)
    model.learn(X[701:], Y[701:])
    assert model.job is None
    model.tell(ticket.id, Y[700:701])
    assert model.rounds == 2100


def test_without_a_budget_fits_are_done_at_once():
    X, Y = rows_for(600)
    model = Model(plan_for(spread=False))
    for row in range(600):
        model.learn(X[row : row + 1], Y[row : row + 1], NO_WEIGHTS)
        assert model.job is None
    assert model.first is None
