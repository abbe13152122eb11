"""history_, coverage_ and interval_width_: against a plain second writing that looks after each row."""

import copy
import pickle

import numpy as np
import pytest
from problems import drifting

from kernelpick import Gaussian, KernelClassifier, KernelRegressor, ModelFileError, from_bytes
from kernelpick.files.container import seal, unseal
from kernelpick.online.history import MOST, History, entry

DRIFT, Y, _ = drifting("abrupt", False, 0)
AUTO, LEADER, BANDIT, ALL = (
    {"n_features": 16},
    {"algorithm": "leader", "n_features": 16},
    {"algorithm": "rf-oks++", "n_features": 16},
    {"algorithm": "raker", "n_features": 16, "kernels": [0.3, 1.0, 3.0], "scale": None, "scale_target": False},
)


def regressor(options):
    return KernelRegressor(**options, random_state=0)


def looked_at(model, X, y, told, start):
    """What is to be in the history, by looking after each row at what everybody can see."""
    expected, kernels, leader, tells = [], (), -1, told is not None
    for row in range(len(y)):
        model.partial_fit(X[row : row + 1], y[row : row + 1])
        n, lead = model.n_rounds_, int(model.probabilities_.argmax()) if len(model.kernels_) else -1
        fitted, power = model.kernels_ != kernels, n in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
        if lead < 0 or not (power or fitted or (lead != leader and (tells or (n - start) % 512 == 0))):
            continue
        kernels, leader = model.kernels_, lead
        losses = told(model) if tells else model._model.state.ledger[2:] / model._model.state.rounds
        others = [loss for arm, loss in enumerate(losses) if arm != lead and not np.isnan(loss)]
        expected.append(
            (n, kernels, lead, min(others, default=np.nan) - losses[lead], model.loss_, model.coverage_, losses)
        )
    return expected


def scores(model):
    selector = model._model.state.selector
    mean, lead = model._model.said.plain / model._model.said.weight, selector.score[selector.p.argmax()]
    return [s - lead + mean if e > 0 else np.nan for s, e in zip(selector.score, selector.evidence, strict=True)]


@pytest.mark.parametrize(
    ("options", "told", "rows"), [(AUTO, scores, 1600), (LEADER, scores, 1600), (BANDIT, None, 2100), (ALL, None, 1100)]
)
def test_it_is_what_one_sees_after_each_row(options, told, rows):
    X, y = DRIFT[:rows], Y[:rows]
    one_by_one = regressor(options)
    expected = looked_at(one_by_one, X, y, told, 32 if options is BANDIT else 0)
    whole = regressor(options).partial_fit(X, y)
    assert repr(whole.history_) == repr(one_by_one.history_)  # NaN is not itself
    found = [one for one in whole.history_ if one.why != "challenge"]
    assert [one.round for one in found] == [one[0] for one in expected]
    assert len({one.leader for one in found}) > 1 or options is BANDIT
    for one, (_, kernels, leader, lead, error, coverage, losses) in zip(found, expected, strict=True):
        assert one.kernels == kernels and one.leader == leader and one.kernel == kernels[leader]
        assert np.array_equal(one.losses, losses, equal_nan=True)
        assert np.array_equal([one.lead, one.error, one.coverage], [lead, error, coverage], equal_nan=True)


def test_a_challenge_is_told_in_its_round():
    model = KernelRegressor(**AUTO, random_state=2)
    model.partial_fit(DRIFT, Y)
    told = [one for one in model.history_ if one.why == "challenge"]
    assert told and all(one.round % 64 == 0 and one.round > 512 for one in told)
    later = [one for one in model.history_ if one.why == "fit" and one.round > told[-1].round]
    assert later[0].round >= told[-1].round + 512  # who started afresh was better: the last rows decide on widths anew
    assert model._model.given_up > 0
    assert np.isnan(np.delete(told[-1].losses, told[-1].leader)).all()  # the others start afresh


@pytest.mark.parametrize("options", [AUTO, BANDIT])
def test_copies_and_files_go_on_with_it(options):
    whole = regressor(options).partial_fit(DRIFT[:1500], Y[:1500])
    part = regressor(options).partial_fit(DRIFT[:700], Y[:700])
    before = repr(part.history_)
    for twin in (from_bytes(part.to_bytes()), pickle.loads(pickle.dumps(part)), copy.deepcopy(part), copy.copy(part)):
        assert repr(twin.history_) == before
    twin = from_bytes(part.to_bytes()).partial_fit(DRIFT[700:1500], Y[700:1500])
    assert repr(twin.history_) == repr(whole.history_) and repr(part.history_) == before


def test_late_labels_and_rows_without_weight():
    one = regressor(AUTO).partial_fit(DRIFT[:1020], Y[:1020])
    for row in range(1020, 1024):
        one.tell(one.ask(DRIFT[row]), Y[row])
    assert one.history_[-1].round == 1024
    weights = np.ones(1100)
    weights[::3] = 0.0
    other = regressor(AUTO).partial_fit(DRIFT[:1100], Y[:1100], weights)
    kept = regressor(AUTO).partial_fit(DRIFT[:1100][weights > 0], Y[:1100][weights > 0])
    assert repr(other.history_) == repr(kept.history_)


def test_an_early_end_of_the_first_rows_is_a_fit():
    model = regressor(AUTO).fit(DRIFT[:100], Y[:100])
    assert [(one.round, one.why) for one in model.history_] == [
        (8, "fit"), (16, "round"), (32, "round"), (64, "fit"), (100, "fit"),
    ]  # fmt: skip


def test_it_stays_short_and_keeps_powers_of_two():
    history = History()
    for round in range(1, 3 * MOST):
        history.add(entry(round, "lead", [Gaussian(1.0), Gaussian(2.0)], round % 2, [0.5, 0.25], 0.0, 0.9))
    rounds = [one.round for one in history.entries]
    assert len(rounds) == MOST and rounds == sorted(set(rounds))
    assert [n for n in rounds if n < MOST] == [1, 2, 4, 8, 16, 32, 64, 128]
    assert history.entries[-1].lead == 0.25 and history.entries[-2].lead == -0.25
    history.add(history.entries[-1]._replace(why="fit"))
    assert len(history.entries) == MOST and history.entries[-1].why == "fit"


def forged(place, value):
    model = regressor(BANDIT).partial_fit(DRIFT[:100], Y[:100])
    header, arrays = unseal(model.to_bytes())
    if place is None:
        header["model"]["history"] = value
    else:
        header["model"]["history"]["entries"][1][place] = value
    return seal(header, arrays)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 1),
        (0, -5),
        (0, "64"),
        (1, "because"),
        (2, 1),
        (2, -1),
        (3, 6),
        (3, -1),
        (4, [1.0]),
        (4, 3),
        (5, "x"),
        (6, 1),
        (None, 3),
        (None, {"kernels": []}),
        (None, {"kernels": [[5]], "entries": []}),
    ],
)
def test_forged_ones_are_refused(place, value):
    assert from_bytes(forged(6, 0.5)).history_[1].coverage == 0.5
    with pytest.raises(ModelFileError):
        from_bytes(forged(place, value))


def test_files_without_it_begin_empty():
    older = from_bytes(forged(None, None))
    assert older.history_ == []
    assert [one.round for one in older.partial_fit(DRIFT[:100], Y[:100]).history_] == [128]


@pytest.mark.parametrize("logs", [False, True])
def test_coverage_and_width_are_those_of_the_intervals_before_each_row(logs):
    X, y = DRIFT[:1100], np.exp(Y[:1100]) if logs else Y[:1100]
    model = KernelRegressor(random_state=0, n_features=16, scale_target="log" if logs else "linear", hypotheses=8)
    model.partial_fit(X[:512], y[:512])
    rows, covered = 512, 512 * model.coverage_
    looked, widths = model._model.intervals.head[0, 7], model._model.intervals.head[0, 7] * model.interval_width_
    for row in range(512, 1100):
        lower, upper = model.predict_interval(X[row : row + 1])[0]
        model.partial_fit(X[row : row + 1], y[row : row + 1])
        rows, covered = rows + 1, covered + (lower <= y[row] <= upper)
        if row < 1000 or (row + 1) % 4 == 0:
            looked, widths = looked + 1, widths + upper - lower
    assert model.coverage_ == pytest.approx(covered / rows)
    assert model.interval_width_ == pytest.approx(widths / looked, rel=1e-9)


def test_classifiers_have_the_coverage_of_sets():
    X, y = DRIFT[:900], Y[:900] > 0
    model = KernelClassifier(random_state=0, n_features=16).partial_fit(X[:512], y[:512], classes=[False, True])
    covered = 512 * model.coverage_
    for row in range(512, 900):
        covered += model.predict_set(X[row : row + 1])[0, int(y[row])]
        model.partial_fit(X[row : row + 1], y[row : row + 1])
    assert model.coverage_ == pytest.approx(covered / 900)
    with pytest.raises(AttributeError, match="no intervals"):
        model.interval_width_  # noqa: B018
