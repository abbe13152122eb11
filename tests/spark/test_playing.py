"""One key's rows of a micro-batch, without Spark: what is said, learned, asked and told."""

import itertools
import sys
from datetime import timedelta
from types import SimpleNamespace

import numpy as np
import pytest

from kernelpick import KernelClassifier, KernelRegressor, from_bytes
from kernelpick.spark import sessions
from kernelpick.spark.options import checked
from kernelpick.spark.playing import Answer, How, answer_rows, read, written
from kernelpick.spark.rows import Arrival, arrivals_of, frame_of
from kernelpick.spark.shape import shape_of

RNG = np.random.default_rng(5)
HOW = How(("size", "city"), (True, False), None, None, None, False)
CITIES = ["Bonn", "Kiel", None]


def rows(count, labelled=True):
    """Lines of a key; of every third the label comes five rows later, where that is wanted."""
    arrivals, late = [], []
    for place in range(count):
        size, city = RNG.normal(), CITIES[RNG.integers(3)]
        target = 2.0 * size + (city == "Kiel")
        inputs = (None if place % 11 == 4 and city else size, city)
        is_late = not labelled and place % 3 == 1
        arrivals.append(Arrival(float(place), f"r{place}", None if is_late else target, inputs))
        if is_late:
            late.append(Arrival(place + 5.5, f"r{place}", target, (None, None)))
    return sorted(arrivals + late, key=lambda arrival: arrival.order)


def regressor():
    return KernelRegressor(size="tiny", random_state=0)


def by_hand(model, arrivals, interval):
    """The same plainly: one row after the other, each known by its id."""
    answers, open_ones = [], {}
    for arrival in arrivals:
        row = frame_of([arrival], HOW.inputs, HOW.numeric)
        if arrival.target is None:
            around = list(model.predict_interval(row, interval)[0]) if interval else None
            open_ones[arrival.id] = (model.ask(row, id=arrival.id).prediction, around)
            answers.append(Answer(arrival.id, *open_ones[arrival.id]))
        elif arrival.id in open_ones:
            model.tell(arrival.id, arrival.target)
            said, around = open_ones.pop(arrival.id)
            answers.append(Answer(arrival.id, said, around, arrival.target - said))
        else:
            around = [-np.inf, np.inf] if interval else None
            if interval and model.__sklearn_is_fitted__():
                around = list(model.predict_interval(row, interval)[0])
            said = model.progressive_fit(row, [arrival.target])[0]
            answers.append(Answer(arrival.id, said, around, arrival.target - said))
    return answers


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("interval", [None, 0.8])
def test_a_cut_changes_no_bit_and_rows_are_played_as_one_would_by_hand(labelled, interval):
    arrivals, how = rows(90, labelled), HOW._replace(interval=interval)
    plain = regressor()
    expected = by_hand(plain, arrivals, interval)
    for cuts in ([0, 120], [0, 7, 8, 60, 120]):
        content, asked, answers = regressor().to_bytes(), None, []
        for start, end in itertools.pairwise(cuts):
            model, awaited = from_bytes(content), read(asked)
            answers += answer_rows(model, awaited, arrivals[start:end], how)
            content, asked = model.to_bytes(), written(awaited)
        assert answers == expected and len(answers) == len(arrivals)
        assert content == plain.to_bytes()


def test_labels_that_are_too_late_are_dropped_and_learned_like_any_other():
    how, inputs = HOW._replace(timeout=3.0), (1.0, "Bonn")
    model, awaited = regressor(), {}
    answer_rows(model, awaited, [Arrival(1.0, "a", None, inputs), Arrival(1.0, "b", None, inputs)], how)
    assert set(awaited) == {"a", "b"} and len(model.open_tickets()) == 2
    first = answer_rows(
        model, awaited, [Arrival(4.0, "a", 2.0, (None, None)), Arrival(4.5, "b", 3.0, (None, None))], how
    )
    assert first == [Answer("a", 0.0, None, 2.0), Answer("b")]  # in time; too late, and without inputs nothing
    assert not awaited and not model.open_tickets() and model.n_rounds_ == 1
    answer_rows(model, awaited, [Arrival(5.0, "c", None, inputs)], how)
    answer_rows(model, awaited, [Arrival(9.0, "d", 1.0, inputs)], how)  # time goes on with any row
    assert not awaited and not model.open_tickets() and model.n_rounds_ == 2
    answer_rows(model, awaited, [Arrival(10.0, "e", None, inputs), Arrival(15.0, "e", 1.0, inputs)], how)
    assert model.n_rounds_ == 3 and not awaited


def test_who_asks_again_hears_the_same_and_without_an_id_it_is_a_prediction():
    model, awaited = regressor(), {}
    answer_rows(model, awaited, rows(20), HOW)
    one, changed = answer_rows(model, awaited, [Arrival(30.0, "q", None, (1.0, "Kiel"))], HOW), model.to_bytes()
    assert answer_rows(
        model, awaited, [Arrival(31.0, "q", None, (9.0, "Bonn")), Arrival(32.0, None, None, (1.0, "Kiel"))], HOW
    ) == [
        one[0],
        Answer(None, model.predict(frame_of([Arrival(0, 0, 0, (1.0, "Kiel"))], *HOW[:2]))[0]),
    ]
    assert model.to_bytes() == changed and len(model.open_tickets()) == 1
    assert answer_rows(regressor(), {}, [Arrival(0.0, None, None, (1.0, "Kiel"))], HOW) == [Answer(None)]


def test_a_row_that_is_refused_ends_it_or_passes():
    arrivals = [
        Arrival(float(place), place, float(place), (np.inf if place == 3 else 1.0 * place, "Bonn"))
        for place in range(6)
    ]
    with pytest.raises(ValueError, match="size"):
        answer_rows(regressor(), {}, arrivals, HOW)
    for interval in (None, 0.9):
        model = regressor()
        answers = answer_rows(model, {}, arrivals, HOW._replace(skips=True, interval=interval))
        assert [answer.prediction is None for answer in answers] == [False] * 3 + [True] + [False] * 2
        assert model.n_rounds_ == 5
    asked = [Arrival(1.0, "a", None, (np.inf, "Bonn")), Arrival(2.0, "b", None, (0.0, "Bonn"))]
    assert answer_rows(model, {}, asked, HOW._replace(skips=True))[0] == Answer("a")
    assert len(model.open_tickets()) == 1


@pytest.mark.parametrize("classes", [None, ["large", "small"]])
@pytest.mark.parametrize("interval", [None, 0.9])
def test_classes(classes, interval):
    def model():
        kind = "refuse" if classes else "accept"
        return KernelClassifier(size="tiny", random_state=0, new_classes=kind)

    arrivals = [arrival._replace(target="large" if arrival.target > 0.5 else "small") for arrival in rows(60)]
    arrivals[::7] = [arrival._replace(target=None) for arrival in arrivals[::7]]
    how = HOW._replace(classes=None if classes is None else np.array(classes), interval=interval)
    whole, answers = model(), []
    expected, one_by_one, awaited = answer_rows(whole, {}, arrivals, how), model(), {}
    for arrival in arrivals:
        answers += answer_rows(one_by_one, awaited, [arrival], how)
    assert answers == expected and whole.to_bytes() == one_by_one.to_bytes()
    assert {answer.error for answer in answers} <= {None, 0.0, 1.0}
    told = [answer for answer, arrival in zip(answers, arrivals, strict=True) if arrival.target is not None]
    assert np.mean([answer.error for answer in told[20:]]) < 0.3
    assert (told[0].prediction is None) == (classes is None)  # no class was known
    assert (answers[0].prediction is None) == (classes is None)
    assert (
        all(set(answer.around) <= {"large", "small"} for answer in answers[5:]) if interval else not answers[-1].around
    )


def test_rows_are_put_in_order_however_they_come():
    fields = ("k", "x", "order", "id", "target")
    given = [("a", 1.0, 2, 7, 5.0), ("a", 2.0, 2, 7, None), ("a", 3.0, 1, 9, float("nan")), ("a", 4.0, None, 8, 1.0)]
    expected = [
        Arrival(None, 8, 1.0, (4.0,)),
        Arrival(1, 9, None, (3.0,)),
        Arrival(2, 7, None, (2.0,)),
        Arrival(2, 7, 5.0, (1.0,)),
    ]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]):
        spark = [FakeRow(fields, given[place]) for place in order]
        assert arrivals_of(spark, ["order", "id", "target", "x"]) == expected


class FakeRow(tuple):
    def __new__(cls, fields, values):
        self = super().__new__(cls, values)
        self.__fields__ = fields
        return self


def stream_of(**types):
    """What is looked at of a data frame of Spark's."""
    fields = [
        SimpleNamespace(name=name, dataType=SimpleNamespace(typeName=lambda kind=kind: kind))
        for name, kind in types.items()
    ]
    return SimpleNamespace(columns=list(types), schema=fields)


COLUMNS = {"key": "k", "target": "y", "id": "row", "order": "t"}
TYPES = {"k": "string", "y": "double", "row": "long", "t": "timestamp", "a": "integer", "b": "string"}


@pytest.mark.parametrize(
    ("types", "columns", "options", "sentence"),
    [
        ({}, {"target": "z"}, {}, "no column 'z'; it has 'k', 'y'"),
        ({"row": "double"}, {}, {}, "id: the column 'row' is of type double, and must be a string or a whole number"),
        ({"y": "string"}, {}, {}, "target: the column 'y' is of type string"),
        ({"b": "array"}, {}, {}, "inputs: the column 'b' is of type array"),
        ({"a.b": "string"}, {"key": "a.b"}, {}, "can't group by 'a.b'"),
        ({"error": "long"}, {"id": "error"}, {}, "'error' is a column of the predictions"),
        ({"t": "string"}, {}, {"timeout": 5}, "timeout: 5 can't be counted in the column of order"),
    ],
)
def test_columns_that_do_not_do(types, columns, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        shape_of(stream_of(**TYPES | types), COLUMNS | columns, False, checked(options))


def test_columns_that_do():
    found = shape_of(stream_of(**TYPES), COLUMNS, False, checked({"timeout": timedelta(seconds=2)}))
    assert found.inputs == ("a", "b") and found.numeric == (True, False) and found.timeout == 2e6
    some = shape_of(stream_of(**TYPES), COLUMNS | {"key": ["k", "b"]}, False, checked({"inputs": ["t", "a"]}))
    assert some.keys == ("k", "b") and some.inputs == ("t", "a") and some.numeric == (False, True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"intervals": 0.9}, "did you mean 'interval'"),
        ({"interval": 2.0}, "confidence must be a number between 0 and 1"),
        ({"on_error": "pass"}, "Unknown on_error 'pass'"),
        ({"ttl": 0}, "ttl must be a positive number"),
    ],
)
def test_options_that_do_not_do(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        checked(options)


def test_what_is_missing_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(RuntimeError, match="Spark needs Java 17 or later, and none was found: install one"):
        sessions.needs_java()
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n")
    java.chmod(0o755)
    with pytest.raises(RuntimeError, match="bin/java is release 8"):
        sessions.needs_java()
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(ImportError, match=r"pip install 'kernelpick\[spark\]'"):
        sessions.needed()
