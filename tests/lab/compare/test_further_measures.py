"""What a contest tells beside the error: sizes, windows, kappa; and the boosting that is refitted."""

import math
import pickle

import numpy as np
import pytest
from lab.compare.contests import STREAMS, answers, builder
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from kernelpick.lab.compare import contest
from kernelpick.lab.compare.contestants import Setting
from kernelpick.lab.compare.measures import ends, windowed
from kernelpick.lab.compare.ours import Ours


def test_the_size_is_that_of_the_pickle(regression):
    ours = Ours("raker", Setting(0, 4, 0))
    answers(ours, regression)
    assert ours.size() == len(pickle.dumps(ours.model, protocol=5))


def test_missing_labels_count_as_the_most_frequent(classification):
    filled, lost = contest.completed([None, 1, 1, math.inf], classification._replace(y=np.array([1, 1, 0, 1, 1])), True)
    assert filled.tolist() == [0, 1, 1, 1, 1] and lost == 1


@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("name", ["raker", "no-change", "constant"])
def test_windows_and_kappa_by_a_second_way(name, kind, request):
    """90 rows are 18 windows of 5; kappa from the shares of right labels, as it is defined."""
    stream = request.getfixturevalue(kind)
    score = contest.validate(builder(name, stream), stream, forgiving=True)
    said, y = contest.completed(answers(builder(name, stream)(), stream), stream, True)[0].tolist(), stream.y.tolist()
    span = max(y) - min(y)

    def loss(answer, label):
        return float(answer != label) if stream.classes else ((answer - label) / span) ** 2

    losses = [loss(answer, label) for answer, label in zip(said, y, strict=True)]
    still = [loss(answer, label) for answer, label in zip([0, *y], y, strict=False)]
    assert score.windows == pytest.approx([sum(losses[start : start + 5]) / 5 for start in range(0, 90, 5)])
    right, right_still = 1 - sum(losses) / 90, 1 - sum(still) / 90
    assert score.kappa == pytest.approx((right - right_still) / (1 - right_still), abs=1e-12)
    assert np.mean(score.windows) == pytest.approx(score.error)
    if name == "no-change":
        assert score.kappa == 0


def test_kappa_where_nothing_changes(classification):
    still = classification._replace(y=np.zeros(90, dtype=int))
    assert math.isnan(contest.validate(builder("constant", still), still, forgiving=False).kappa)


def test_the_last_window_has_what_is_left():
    assert windowed(np.arange(45.0)) == [np.mean(block) for block in np.split(np.arange(45.0), range(3, 45, 3))]
    assert windowed(np.array([1.0, 2, 3] * 7)) == [1.5, 2.0, 2.5] * 3 + [1.5, 3.0]
    assert ends(21) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21]


@pytest.mark.parametrize("kind", STREAMS)
def test_boosting_is_fitted_at_doubling_rounds_on_all_rows_before(kind, request):
    """A second way: one row at a time, with fits at 64, 128, ... of which a stream of 90 rows has one."""
    stream = request.getfixturevalue(kind)
    model = (HistGradientBoostingClassifier if stream.classes else HistGradientBoostingRegressor)(random_state=1)
    said = answers(builder("offline-boosting", stream)(), stream)
    pieces, cut = [], builder("offline-boosting", stream)()
    with threadpool_limits(1):
        model.fit(stream.X[:64], stream.y[:64])
        expected = [model.predict(stream.X[row : row + 1])[0] for row in range(64, 90)]
        for rows in (slice(0, 50), slice(50, 64), slice(64, 70), slice(70, 90)):
            cut.answer_and_learn(stream.X[rows], stream.y[rows].tolist(), pieces)
    assert said[:64] == answers(builder("constant", stream)(), stream)[:64]
    assert said[64:] == expected and pieces == said
    assert cut.size() > stream.X.nbytes


def test_boosting_goes_on_with_a_constant_where_there_is_one_class(classification):
    still = classification._replace(y=np.zeros(90, dtype=int))
    assert answers(builder("offline-boosting", still)(), still)[1:] == [0] * 89
