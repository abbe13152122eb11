"""Progressive validation: every answer comes before its label, and errors are what they are said to be."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab.compare.contests import STREAMS, answers, builder

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.lab.compare import contest
from kernelpick.lab.compare.contestants import RowByRow, Setting, Units
from kernelpick.lab.compare.ours import Ours
from kernelpick.lab.compare.peers import PEERS
from kernelpick.lab.compare.sources import stream

EVERY = [
    *(pytest.param(name, marks=pytest.mark.java if peer.package == "capymoa" else ()) for name, peer in PEERS.items()),
    "rf-oks++",
    "raker",
]


class Spy(RowByRow):
    """Writes down what it is told, and answers with what it learned last."""

    model = None

    def __init__(self, heard):
        self.heard = heard

    def predict(self, row):
        self.heard.append(("predict", row[0], None))
        return self.model

    def learn(self, row, label):
        self.heard.append(("learn", row[0], label))
        self.model = label


def test_a_label_is_told_after_the_answer(regression):
    heard = []
    score = contest.validate(lambda: Spy(heard), regression, forgiving=True)
    heard = heard[2 * Spy.warm :]
    X, y = regression.X[:, 0], regression.y
    assert heard == [
        told for x, label in zip(X, y, strict=True) for told in (("predict", x, None), ("learn", x, label))
    ]
    said = np.array([0.0, *y[:-1]])
    assert math.isclose(score.error, np.mean((said - y) ** 2) / np.ptp(y) ** 2) and score.lost == 0


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("kind", STREAMS)
def test_nothing_of_what_comes_later_is_known(name, kind, request):
    stream = request.getfixturevalue(kind)
    build, here = builder(name, stream), 57
    X, y = stream.X.copy(), stream.y.copy()
    X[here + 1 :] = X[here:-1][::-1] * 3
    y[here:] = np.roll(y[here:], 1)[::-1]
    before, after = answers(build(), stream), answers(build(), stream._replace(X=X, y=y))
    assert len(before) == len(stream.y) and before[: here + 1] == after[: here + 1]
    assert before != after or name == "constant"


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("kind", STREAMS)
def test_every_contestant_takes_every_task(name, kind, request):
    stream = request.getfixturevalue(kind)
    build = builder(name, stream)
    score = contest.validate(build, stream, forgiving=False)
    said, y = answers(build(), stream), stream.y.tolist()
    for row, answer in enumerate(said):  # before the first labels there may be no answer
        if answer is None:
            assert row == 0 or name.startswith("capymoa")  # whose trees start anew now and then
            usual = max(sorted(set(y[:row])), key=y[:row].count) if stream.classes and row else np.mean(y[:row] or [0])
            said[row] = usual
    said = np.array(said)
    wrong = said != stream.y if stream.classes else ((said - stream.y) / np.ptp(stream.y)) ** 2
    assert math.isclose(score.error, wrong.mean(), rel_tol=1e-9) and score.seconds > 0
    assert score.size > 0 or name == "capymoa-srp"
    assert score.note == "" and score.lost == 0 and score.curve[-1] == score.error


@pytest.mark.parametrize("kind", ["regression", "classification"])
def test_what_intervals_and_sets_have_held(kind, request):
    """A second way: those before each row, from the first kernels on."""
    stream = request.getfixturevalue(kind)
    score, peer = (contest.validate(builder(name, stream), stream, False) for name in ("rf-oks++", "constant"))
    assert math.isnan(peer.coverage) and math.isnan(peer.width)
    model = (KernelClassifier if stream.classes else KernelRegressor)("rf-oks++", random_state=1)
    first = {"classes": [0, 1]} if stream.classes else {}
    model.partial_fit(stream.X[:32], stream.y[:32], **first)
    rows, within, widths = 32, 32 * model.coverage_, []
    for row in range(32, len(stream.y)):
        x, y = stream.X[row : row + 1], stream.y[row]
        if stream.classes:
            chances = model.predict_proba(x, selection="drawn")
            within += model._model.calibration.members(chances, 0.9)[0, y]
        else:
            lower, upper = model.predict_interval(x, selection="drawn")[0]
            within, widths = within + (lower <= y <= upper), [*widths, upper - lower]
        rows, model = rows + 1, model.partial_fit(x, [y])
    assert score.coverage == pytest.approx(within / rows)
    if stream.classes:
        assert math.isnan(score.width)
    else:
        early = KernelRegressor("rf-oks++", random_state=1).partial_fit(stream.X[:32], stream.y[:32]).interval_width_
        mean = (31 * early + sum(widths)) / (31 + len(widths))  # the first row tells how wide the next is
        assert score.width == pytest.approx(mean / np.ptp(stream.y))


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_ours_say_what_they_would_row_by_row(data):
    rows, seed = data.draw(st.integers(40, 90)), data.draw(st.integers(0, 99))
    classes = data.draw(st.sampled_from([0, 2, 3]))
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    y = rng.integers(classes, size=rows) if classes else rng.normal(size=rows)
    y[:3] = range(3) if classes == 3 else [0, 1, 0]
    rows_of = stream("random", X, y, tuple(map(str, range(classes))))
    heard = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contest, "CHUNK", data.draw(st.integers(1, 64)))
        contest.ask(lambda: Ours("rf-oks++", Setting(classes, 3, seed)), rows_of, heard, forgiving=False)

    model = (KernelClassifier if classes else KernelRegressor)("rf-oks++", random_state=seed)
    first = {"classes": np.arange(classes)} if classes else {}
    model.partial_fit(X[:1], y[:1], **first)
    said = []
    for t in range(1, rows):
        said.append(model.predict(X[t : t + 1], selection="drawn")[0])
        model.partial_fit(X[t : t + 1], y[t : t + 1])
    assert heard[1:] == said


@given(targets=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_units_are_means_and_deviations(targets):
    units = Units()
    for t, target in enumerate(targets, start=1):
        scaled, seen = units.scaled(target), np.array(targets[:t])
        assert math.isclose(units.mean, seen.mean(), rel_tol=1e-9, abs_tol=1e-6)
        assert math.isclose(units.squares / t, seen.var(), rel_tol=1e-6, abs_tol=1e-6)
        assert math.isclose(units.raw(scaled), target, rel_tol=1e-9, abs_tol=1e-6)


class Diverging(RowByRow):
    """Useless answers, and then none at all."""

    model = 0

    def __init__(self, worst, last):
        self.worst, self.last = worst, last

    def predict(self, row):
        self.model += 1
        return self.worst if self.model > 10 else 0.0

    def learn(self, row, label):
        if self.model > self.last:
            raise ValueError("an\noverflow")


def test_answers_that_are_not_finite_count_as_the_mean(regression):
    score = contest.validate(lambda: Diverging(math.nan, 10**6), regression, forgiving=True)
    constant = contest.validate(builder("constant", regression), regression, forgiving=True)
    assert score.lost == 80 and score.note == ""
    y = regression.y
    means = np.cumsum(y)[9:-1] / np.arange(10, 90)
    floor = np.minimum.accumulate(y)[:9]  # zeros are cut to the range of the targets before
    expected = np.concatenate([y[:1] ** 2, (y[1:10] - floor) ** 2, (y[10:] - means) ** 2]).mean() / np.ptp(y) ** 2
    assert math.isclose(score.error, expected) and constant.lost == 0


def test_a_peer_that_breaks_down_is_told(regression):
    score = contest.validate(lambda: Diverging(1e200, 30), regression, forgiving=True)
    assert score.note == "stopped after 31 rows: ValueError, an overflow"
    # zeros and then 1e200, both cut to the range of the targets before; from row 31 on, their mean
    y = regression.y
    low, high, means = np.minimum.accumulate(y), np.maximum.accumulate(y), np.cumsum(y) / np.arange(1, len(y) + 1)
    expected = np.concatenate([[0.0], low[:9], high[9:30], means[30:-1]])
    assert math.isclose(score.error, np.mean((expected - y) ** 2) / np.ptp(y) ** 2)
    with pytest.raises(ValueError, match="an\noverflow"):
        contest.validate(lambda: Diverging(1.0, 30), regression, forgiving=False)
    assert contest.validate(lambda: Diverging(1e200, 10**6), regression, forgiving=False).error == math.inf
