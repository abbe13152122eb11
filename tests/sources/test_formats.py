"""Every format against a plain second reading of the same rows."""

import datetime
import json
import math

import numpy as np
import pytest
from sources.example_table import NAMES, WHEN, table
from sources.whole import everything

from kernelpick.sources import Limits, Reading, open_source
from kernelpick.sources.choosing import choose


def test_json_lines(write, pipe):
    rows = table()
    lines = [
        json.dumps({name: one.isoformat() if isinstance(one, datetime.datetime) else one for name, one in pairs})
        for pairs in (zip(NAMES, row, strict=True) for row in rows)
    ]
    text = "\n".join(lines).encode()
    for path in (write(text, "data.jsonl"), write(text, "data"), pipe(text)):
        found, rejects, _, source = everything(path)
        assert found == rows and not rejects and source.names == NAMES
    assert everything(write(text, "data"), skip=2000)[0] == rows[2000:]


def test_a_key_that_comes_late_is_a_column_from_there_on(write):
    lines = [{"a": place} for place in range(50)] + [{"a": 1, "b": "x"}] + [{"b": "y"}] * 3
    path = write("".join(json.dumps(line) + "\n" for line in lines), "late.jsonl")
    blocks = list(open_source(path).blocks())
    assert [(block.first, block.count, list(block.columns)) for block in blocks] == [
        (0, 50, ["a"]),
        (50, 4, ["a", "b"]),
    ]
    [block] = open_source(path).blocks(skip=52)
    assert list(block.columns) == ["a", "b"] and math.isnan(block.columns["a"][0])


@pytest.mark.parametrize(
    ("line", "column", "told"),
    [
        ('{"a": [1]}', "a", "flatten"), ('{"a": {"b": 1}}', "a", "flatten"), ("[1, 2]", "", "no object"),
        ('{"a": 1', "", "no JSON"), ('{"a": 1, "a": 2}', "a", "twice"), ('{"a": 1e999}', "a", "infinite"),
        ('{"a": "\\ud800"}', "a", "surrogate"), ("[" * 100_000, "", "deep"), ('{"a": -Infinity}', "a", "infinite"),
        ("12", "", "no object"), ('{"a": ' + "9" * 5000 + "}", "a", "infinite"),
    ],
)  # fmt: skip
def test_json_that_is_refused(write, line, column, told):
    rows, [reject], _, _ = everything(write(f'{{"a": 1}}\n{line}\n{{"a": 2}}\n', "data.jsonl"))
    assert rows == [[1.0], [2.0]] and (reject.line, reject.column) == (2, column) and told in reject.reason


def test_libsvm(write, pipe):
    drawn = np.random.default_rng(1)
    dense = np.where(drawn.random((2000, 12)) < 0.3, drawn.normal(size=(2000, 12)), 0.0)
    labels = drawn.choice([-1, 1], size=2000)
    lines = [
        f"{label:+d} " + " ".join(f"{place + 1}:{row[place]!r}" for place in np.flatnonzero(row)) + " # comment"
        for label, row in zip(labels.tolist(), dense.astype(object), strict=True)
    ]
    text = "\n\n".join(lines).encode()
    for path in (write(text, "data"), write(text, "data.svm"), pipe(text)):
        source, read, seen = open_source(path), np.zeros((2000, 12)), set()
        for block in source.blocks():
            assert seen <= set(block.columns)
            seen = set(block.columns)
            assert block.columns["label"].tolist() == labels[block.numbers].tolist()
            for name in seen - {"label"}:
                read[block.numbers, int(name) - 1] = block.columns[name]
        assert (read == dense).all() and source.label == "label" and choose(source, None).target == "label"
    with pytest.raises(ValueError, match="leave --target out"):
        choose(source, "3")


@pytest.mark.parametrize(
    ("line", "column", "told"),
    [("1 2:3 1:4", "1", "indices rise"), ("1 a:3", "", "no pair"), ("1 2:x", "2", "not a number"),
     ("1 2", "", "no pair"), ("1 2:inf", "2", "infinite"), ("inf 1:1", "label", "infinite"),
     ("1 9999999999999:1", "", "no pair"),
     ("1 " + " ".join(f"{i}:1" for i in range(99)), "", "different columns")],
)  # fmt: skip
def test_libsvm_that_is_refused(write, line, column, told):
    path = write(f"1 1:1\n{line}\n-1 2:2\n", "data.libsvm")
    rows, [reject], _, _ = everything(path, limits=Limits(columns=50))
    assert len(rows) == 2 and reject.line == 2 and told in reject.reason
    assert reject.column == column or not column


ARFF = """% a comment
@RELATION things

@attribute 'the number' NUMERIC
@Attribute text {w0, 'w 1', "it''s"}
@attribute when date "yyyy-MM-dd HH:mm"
@attribute class {0,1}
@attribute free string
@data
"""


def test_arff(write, pipe):
    body = "1.5,w0,'2024-05-01 12:30',1,'a, b'\n?, 'w 1' ,?,0,?\n% note\n\n-2e3,\"it''s\",2024-05-02,?,'it\\'s'\n"
    for path in (write(ARFF + body, "data"), pipe((ARFF + body).encode())):
        rows, rejects, _, source = everything(path)
        assert not rejects and source.names == ("the number", "text", "when", "class", "free")
        assert rows == [
            [1.5, "w0", WHEN, "1", "a, b"],
            [None, "w 1", None, "0", None],
            [-2000.0, "it''s", datetime.datetime(2024, 5, 2), None, "it's"],
        ]


@pytest.mark.parametrize(
    ("line", "column", "told"),
    [("1,w0,?,1", "", "4 value"), ("x,w0,?,1,?", "the number", "not a number"), ("1,w9,?,1,?", "text", "header names"),
     ("{0 1}", "", "sparse"), ("1,'w0,?,1,?", "", "quotes"), ("inf,w0,?,1,?", "the number", "infinite")],
)  # fmt: skip
def test_arff_that_is_refused(write, line, column, told):
    rows, [reject], _, _ = everything(write(f"{ARFF}1,w0,?,1,?\n{line}\n2,w0,?,1,?\n", "data.arff"))
    assert len(rows) == 2 and reject.line == 11 and reject.column == column and told in reject.reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@relation x\n@attribute a numeric\n", "line 2: the file ends without a line @data"),
        ("@relation x\n@attribute a\n@data\n", "line 2: the attribute 'a' has the type ''"),
        ("@relation x\n@attribute a numeric\nhello\n@data\n1\n", "line 3: 'hello' has no place in an ARFF header"),
        ("@relation x\n@attribute a numeric\n@attribute a real\n@data\n1,2\n", "two attributes are called 'a'"),
        ("@relation x\n@attribute a relational\n@data\n1\n", "the type 'relational', which is not read"),
        ("@relation x\n@data\n1\n", "names no attribute"),
    ],
)
def test_headers_of_arff_that_are_refused(write, text, told):
    with pytest.raises(ValueError) as problem:
        open_source(write(text, "data.arff"))
    assert told in str(problem.value)


def test_what_is_not_there_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"nothing\.csv cannot be read: No such file"):
        open_source(str(tmp_path / "nothing.csv"))
    with pytest.raises(ValueError, match="a folder without files"):
        open_source(str(tmp_path))


@pytest.mark.parametrize(
    ("given", "told"),
    [({"delimiter": ";;"}, "a single character"), ({"delimiter": "a"}, "a single character"),
     ({"encoding": "utf8000"}, "no encoding 'utf8000'"), ({"encoding": "base64"}, "no encoding"),
     ({"format": "xlsx"}, "Unknown format 'xlsx'"), ({"on_error": "ignore"}, "Unknown on_error")],
)  # fmt: skip
def test_what_can_be_stated_is_checked(given, told):
    with pytest.raises(ValueError, match=told):
        Reading(**given)


def test_columns_are_chosen_by_name_or_number(write):
    source = open_source(write('id,city,"a,b",price\n1,x,2,3\n'))
    assert choose(source, "price", ["id,city"]).inputs(source.names) == ["a,b"]
    assert choose(source, "2", ["a,b"]).inputs(source.names) == ["id", "price"]
    assert choose(source, None, None, ["id", "city"]).inputs(source.names) == ["id", "city"]
    for given, told in (
        (("prize",), "no column 'prize' for --target. Did you mean 'price'?"),
        (("price", ["ID"]), "no column 'ID' for --drop"),
        (("price", ["price"]), "which is the target"),
        (("price", ["1,2,3"]), "no column is left"),
        (("0",), "no column '0'"),
    ):
        with pytest.raises(ValueError) as problem:
            choose(source, *given)
        assert told in str(problem.value)
