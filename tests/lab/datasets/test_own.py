"""A user's own file: its format and target are found out, and what cannot be used is told with its place."""

import pytest

from kernelpick.lab.datasets import own

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
    assert own.form(write("file", text)) == form


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
    table = own.read(write("file", text), target)
    assert table.X.tolist() == X and table.y.tolist() == y and table.names == names


def test_arff(write):
    path = write("small.arff", ARFF.replace("kind {x, y}", "kind numeric").replace("x", "0").replace(",y,", ",1,"))
    assert own.read(path).y.tolist() == [5, 6, 8]
    table = own.read(write("other.arff", ARFF), "kind")
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
        own.read(write("file", text), target)
