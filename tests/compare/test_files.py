"""A user's own file: its format, target and task are found out, and what cannot be used is told with its place."""

import numpy as np
import pytest

from kernelpick.compare import files, sources
from kernelpick.compare.sources import Wanted
from kernelpick.streams.errors import DataError

ARFF = """% a comment
@relation small
@attribute 'a' numeric
@attribute kind {x, y}
@attribute b numeric
@data
1,x,5
2,y,6
3,x,8
"""


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1 1:0.5 3:2\n-1 2:1\n", "libsvm"),
        ("# made by hand\n1\n-1 2:1\n", "libsvm"),
        (ARFF, "arff"),
        ("\n@RELATION r\n", "arff"),
        ("a,b\n1,2\n", "csv"),
        ("1, 2, 3\n", "csv"),
        ("", "csv"),
    ],
)
def test_the_format_is_told_by_the_contents(write, text, form):
    assert files.form(write("file", text)) == form


@pytest.mark.parametrize(
    ("text", "target", "X", "y", "names"),
    [
        ("1,2,3\n4,5,6\n", None, [[1, 2], [4, 5]], [3, 6], None),
        ("a,b,c\n1,2,3\n4,5,6\n", None, [[1, 2], [4, 5]], [3, 6], None),
        ("a,b,c\n1,2,3\n4,5,6\n", "a", [[2, 3], [5, 6]], [1, 4], None),
        ('"a","b"\n1,2\n4,5\n', "a", [[2], [5]], [1, 4], None),
        ("1,2,3\n4,5,6\n", "2", [[1, 3], [4, 6]], [2, 5], None),
        ("1,2,g\n4,5,h\n4,5,g\n", None, [[1, 2], [4, 5], [4, 5]], [0, 1, 0], ("g", "h")),
        ("a,b,kind\n1,2,g\n4,5,h\n", "kind", [[1, 2], [4, 5]], [0, 1], ("g", "h")),
        ("1,2,price\n4,5,6\n", None, [[4, 5]], [6], None),
        ("g,1\nh,2\n", "1", [[1], [2]], [0, 1], ("g", "h")),
        ("2 1:5\n3 2:1\n", None, [[5, 0], [0, 1]], [2, 3], None),
    ],
)
def test_columns_and_target(write, text, target, X, y, names):
    table = files.read(write("file", text), target)
    assert table.X.tolist() == X and table.y.tolist() == y and table.names == names


def test_arff(write):
    path = write("small.arff", ARFF.replace("kind {x, y}", "kind numeric").replace("x", "0").replace(",y,", ",1,"))
    assert files.read(path).y.tolist() == [5, 6, 8]
    table = files.read(write("other.arff", ARFF), "kind")
    assert table.names == ("x", "y") and table.y.tolist() == [0, 1, 0] and table.X.tolist() == [[1, 5], [2, 6], [3, 8]]


@pytest.mark.parametrize(
    ("text", "target", "words"),
    [
        ("a,b\n1,2\n", "c", "has no column 'c' for --target: its columns are a, b"),
        ("1,2\n1,2\n", "c", "it names no columns, so give the number, from 1"),
        ("1 1:2\n", "c", "leave --target out"),
        ("a,b,c\n1,red,2\n", None, "line 2: 'red' in column 2 is not a finite number"),
        ("a,b,c\n1,2,3\n1,2,NA\n", None, "line 3: the target 'NA' is not a finite number"),
        ("a,b\n1,yes\n2,\n3,no\n", None, "line 3: the target is missing"),
        ("one\n2\n", None, "values are parted by commas"),
        ("", None, "the file holds no rows"),
        ("1,2\n", "7", "cannot be the target"),
        (ARFF, "9", "Attribute 8 cannot be the target"),
        (ARFF, None, "is nominal, not numeric"),
    ],
)
def test_what_cannot_be_read_is_told(write, text, target, words):
    with pytest.raises(ValueError, match=words):
        files.read(write("file", text), target)


def test_the_task_is_guessed(table, write):
    assert sources.load(Wanted(str(table()))).task == "regression"
    named = sources.load(Wanted(str(table(name="named.csv", labels=("low", "high")))))
    assert named.task == "classification" and named.classes == ("high", "low") and set(named.y) == {0, 1}
    two = str(write("two", "1,0\n2,1\n3,1\n"))
    assert sources.load(Wanted(two)).classes == ("0", "1")
    assert sources.load(Wanted(two, task="regression")).task == "regression"
    three = str(write("three", "1,7\n2,8\n3,9\n"))
    assert sources.load(Wanted(three)).task == "regression"
    assert sources.load(Wanted(three, task="classification")).classes == ("7", "8", "9")


@pytest.mark.parametrize(
    ("text", "task", "words"),
    [
        ("1,g\n2,h\n", "regression", "names such as 'g', and regression needs numbers"),
        ("1,3\n2,3\n", None, "the target is the same in all 2 rows"),
    ],
)
def test_what_cannot_be_compared_is_told(write, text, task, words):
    with pytest.raises(DataError, match=words):
        sources.load(Wanted(str(write("file", text)), task=task))


def test_names_that_are_neither_dataset_nor_file():
    with pytest.raises(DataError, match=r"Did you mean 'bank'\?.* Nor is there such a file"):
        sources.load(Wanted("bnak"))
    with pytest.raises(DataError, match="for regression; leave --task out"):
        sources.load(Wanted("bank", task="classification"))
    with pytest.raises(DataError, match="--target is for files"):
        sources.load(Wanted("bank", target="x"))


def test_the_order_is_that_of_the_file_or_a_counted_permutation(regression):
    assert (regression.played(False, 3).y == regression.y).all()
    first, second = regression.played(True, 0), regression.played(True, 1)
    assert (first.y != second.y).any() and (np.sort(first.y) == np.sort(regression.y)).all()
    assert (first.X == regression.played(True, 0).X).all()


def test_the_first_rows_are_those_of_the_permutation(table):
    whole = sources.load(Wanted(str(table()), shuffle=True))
    few = sources.load(Wanted(str(table()), shuffle=True, rows=30))
    assert few.rounds == 30 and few.span == whole.span
    assert (few.played(True, 2).y == whole.played(True, 2).y[:30]).all()
    head = sources.load(Wanted(str(table()), rows=30))
    assert (head.played(False, 2).y == whole.y[:30]).all()
