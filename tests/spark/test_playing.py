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
from kernelpick.spark.playing import Answer, How, play, read, written
from kernelpick.spark.rows import Line, frame_of, lines_of
from kernelpick.spark.shape import shape_of

RNG = np.random.default_rng(5)
HOW = How(("size", "city"), (True, False), None, None, None, False)
CITIES = ["Bonn", "Kiel", None]


def rows(count, labelled=True):
    """Lines of a key; of every third the label comes five rows later, where that is wanted."""
    lines, late = [], []
    for place in range(count):
        size, city = RNG.normal(), CITIES[RNG.integers(3)]
        target = 2.0 * size + (city == "Kiel")
        inputs = (None if place % 11 == 4 and city else size, city)
        is_late = not labelled and place % 3 == 1
        lines.append(Line(float(place), f"r{place}", None if is_late else target, inputs))
        if is_late:
            late.append(Line(place + 5.5, f"r{place}", target, (None, None)))
    return sorted(lines + late, key=lambda line: line.order)


def regressor():
    return KernelRegressor(size="tiny", random_state=0)


def by_hand(model, lines, interval):
    """The same plainly: one row after the other, each known by its id."""
    answers, open_ones = [], {}
    for line in lines:
        row = frame_of([line], HOW.inputs, HOW.numeric)
        if line.target is None:
            around = list(model.predict_interval(row, interval)[0]) if interval else None
            open_ones[line.id] = (model.ask(row, id=line.id).prediction, around)
            answers.append(Answer(line.id, *open_ones[line.id]))
        elif line.id in open_ones:
            model.tell(line.id, line.target)
            said, around = open_ones.pop(line.id)
            answers.append(Answer(line.id, said, around, line.target - said))
        else:
            around = [-np.inf, np.inf] if interval else None
            if interval and model.__sklearn_is_fitted__():
                around = list(model.predict_interval(row, interval)[0])
            said = model.progressive_fit(row, [line.target])[0]
            answers.append(Answer(line.id, said, around, line.target - said))
    return answers


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("interval", [None, 0.8])
def test_a_cut_changes_no_bit_and_rows_are_played_as_one_would_by_hand(labelled, interval):
    lines, how = rows(90, labelled), HOW._replace(interval=interval)
    plain = regressor()
    expected = by_hand(plain, lines, interval)
    for cuts in ([0, 120], [0, 7, 8, 60, 120]):
        content, asked, answers = regressor().to_bytes(), None, []
        for start, end in itertools.pairwise(cuts):
            model, book = from_bytes(content), read(asked)
            answers += play(model, book, lines[start:end], how)
            content, asked = model.to_bytes(), written(book)
        assert answers == expected and len(answers) == len(lines)
        assert content == plain.to_bytes()


def test_labels_that_are_too_late_are_dropped_and_learned_like_any_other():
    how, inputs = HOW._replace(timeout=3.0), (1.0, "Bonn")
    model, book = regressor(), {}
    play(model, book, [Line(1.0, "a", None, inputs), Line(1.0, "b", None, inputs)], how)
    assert set(book) == {"a", "b"} and len(model.open_tickets()) == 2
    first = play(model, book, [Line(4.0, "a", 2.0, (None, None)), Line(4.5, "b", 3.0, (None, None))], how)
    assert first == [Answer("a", 0.0, None, 2.0), Answer("b")]  # in time; too late, and without inputs nothing
    assert not book and not model.open_tickets() and model.n_rounds_ == 1
    play(model, book, [Line(5.0, "c", None, inputs)], how)
    play(model, book, [Line(9.0, "d", 1.0, inputs)], how)  # time goes on with any row
    assert not book and not model.open_tickets() and model.n_rounds_ == 2
    play(model, book, [Line(10.0, "e", None, inputs), Line(15.0, "e", 1.0, inputs)], how)
    assert model.n_rounds_ == 3 and not book


def test_who_asks_again_hears_the_same_and_without_an_id_it_is_a_prediction():
    model, book = regressor(), {}
    play(model, book, rows(20), HOW)
    one, changed = play(model, book, [Line(30.0, "q", None, (1.0, "Kiel"))], HOW), model.to_bytes()
    assert play(model, book, [Line(31.0, "q", None, (9.0, "Bonn")), Line(32.0, None, None, (1.0, "Kiel"))], HOW) == [
        one[0],
        Answer(None, model.predict(frame_of([Line(0, 0, 0, (1.0, "Kiel"))], *HOW[:2]))[0]),
    ]
    assert model.to_bytes() == changed and len(model.open_tickets()) == 1
    assert play(regressor(), {}, [Line(0.0, None, None, (1.0, "Kiel"))], HOW) == [Answer(None)]


def test_a_row_that_is_refused_ends_it_or_passes():
    lines = [
        Line(float(place), place, float(place), (np.inf if place == 3 else 1.0 * place, "Bonn")) for place in range(6)
    ]
    with pytest.raises(ValueError, match="size"):
        play(regressor(), {}, lines, HOW)
    for interval in (None, 0.9):
        model = regressor()
        answers = play(model, {}, lines, HOW._replace(skips=True, interval=interval))
        assert [answer.prediction is None for answer in answers] == [False] * 3 + [True] + [False] * 2
        assert model.n_rounds_ == 5
    asked = [Line(1.0, "a", None, (np.inf, "Bonn")), Line(2.0, "b", None, (0.0, "Bonn"))]
    assert play(model, {}, asked, HOW._replace(skips=True))[0] == Answer("a")
    assert len(model.open_tickets()) == 1


@pytest.mark.parametrize("classes", [None, ["large", "small"]])
@pytest.mark.parametrize("interval", [None, 0.9])
def test_classes(classes, interval):
    def model():
        kind = "refuse" if classes else "accept"
        return KernelClassifier(size="tiny", random_state=0, new_classes=kind)

    lines = [line._replace(target="large" if line.target > 0.5 else "small") for line in rows(60)]
    lines[::7] = [line._replace(target=None) for line in lines[::7]]
    how = HOW._replace(classes=None if classes is None else np.array(classes), interval=interval)
    whole, answers = model(), []
    expected, one_by_one, book = play(whole, {}, lines, how), model(), {}
    for line in lines:
        answers += play(one_by_one, book, [line], how)
    assert answers == expected and whole.to_bytes() == one_by_one.to_bytes()
    assert {answer.error for answer in answers} <= {None, 0.0, 1.0}
    told = [answer for answer, line in zip(answers, lines, strict=True) if line.target is not None]
    assert np.mean([answer.error for answer in told[20:]]) < 0.3
    assert (told[0].prediction is None) == (classes is None)  # no class was known
    assert (answers[0].prediction is None) == (classes is None)
    assert (
        all(set(answer.around) <= {"large", "small"} for answer in answers[5:]) if interval else not answers[-1].around
    )


def test_rows_are_put_in_order_however_they_come():
    fields = ("k", "x", "order", "id", "target")
    given = [("a", 1.0, 2, 7, 5.0), ("a", 2.0, 2, 7, None), ("a", 3.0, 1, 9, float("nan")), ("a", 4.0, None, 8, 1.0)]
    expected = [Line(None, 8, 1.0, (4.0,)), Line(1, 9, None, (3.0,)), Line(2, 7, None, (2.0,)), Line(2, 7, 5.0, (1.0,))]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]):
        spark = [FakeRow(fields, given[place]) for place in order]
        assert lines_of(spark, ["order", "id", "target", "x"]) == expected


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
