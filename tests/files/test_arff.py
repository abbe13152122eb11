"""ARFF: what is read, and what is said of each kind of damage."""

import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from kernelpick.files import arff
from kernelpick.files.errors import DataError

HEADER = "% two inputs\n@relation small\n\n@attribute a real\n@ATTRIBUTE 'b c' NUMERIC\n@attribute class real\n"


def test_rows_follow_the_header(write):
    path = write(HEADER + "@DATA\n\n% first\n1, 2, 3\n4,5,6\n")
    X, y = arff.read(path)
    assert X.tolist() == [[1, 2], [4, 5]] and y.tolist() == [3, 6]
    assert X.dtype == y.dtype == np.float64 and X.flags.c_contiguous
    assert arff.read(path, target=0)[1].tolist() == [1, 4]
    assert arff.read(path, first=1, rows=1)[1].tolist() == [3]


def test_gzip_is_told_by_content_not_by_name(write):
    assert arff.read(write(gzip.compress(f"{HEADER}@data\n1,2,3\n".encode())))[1].tolist() == [3]


def test_a_nominal_target_needs_labels(write):
    path = write(HEADER.replace("class real", "class {yes, no}") + "@data\n1,2,yes\n3,4,'no'\n")
    assert arff.read(path, labels={"yes": 1.0, "no": -1.0})[1].tolist() == [1, -1]
    with pytest.raises(DataError, match=r"line 6: the attribute 'class' is nominal, not numeric; give the number"):
        arff.read(path)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (HEADER + "@data\n1,2,3\n4,x,6\n", 9, "'x' in column 2 is not a finite number"),
        (HEADER + "@data\n1,2,3\n4,?,6\n", 9, "'?' in column 2 is not a finite number"),
        (HEADER + "@data\n% note\n1,NaN,3\n", 9, "'NaN' in column 2 is not a finite number"),
        (HEADER + "@data\n1,2\n", 8, "2 value(s) where 3 are expected"),
        (HEADER + "@data\n1,2,3,4\n", 8, "4 value(s) where 3 are expected"),
        (HEADER + "@data\n1,2,3\n4,\0,6\n", 9, "there is a NUL byte"),
        (HEADER + "@data\n", 1, "the file holds no rows"),
        (HEADER, 6, "the file ends without a line @data"),
        ("", 1, "the file ends without a line @data"),
        (HEADER + "1,2,3\n", 7, "'1,2,3' has no place in an ARFF header"),
        (HEADER + "@atribute d real\n@data\n1,2,3\n", 7, "'@atribute d real' has no place in an ARFF header"),
        (HEADER.replace("a real", "a weird") + "@data\n1,2,3\n", 4, "weird"),
        (HEADER.replace("class real", "a real") + "@data\n1,2,3\n", 6, "occurs more than once"),
        (HEADER.replace("a real", "a string") + "@data\nx,2,3\n", 4, "String attributes not supported"),
        (HEADER.replace("a real", "a {1,2}") + "@data\n1,2,3\n", 4, "'a' is nominal, not numeric; turn it into"),
        (HEADER.replace("class real", "class") + "@data\n1,2,3\n", 6, "get a fresh copy"),
        (HEADER + "@attribute d real\n@data\n1,2,3,4\n", 8, "names 4 attributes where 3 are expected"),
    ],
)
def test_damage_is_told_with_file_and_line(write, content, line, words):
    path = write(content)
    with pytest.raises(DataError) as told:
        arff.read(path, features=2)
    assert str(told.value).startswith(f"{path}, line {line}: ") and words in str(told.value)


def test_a_target_outside_the_row_is_refused(write):
    with pytest.raises(ValueError, match="Attribute 3 cannot be the target"):
        arff.read(write(HEADER + "@data\n1,2,3\n"), target=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    table=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
        elements=st.floats(allow_nan=False, allow_infinity=False),
    ),
    packed=st.booleans(),
)
def test_what_is_written_is_read_back(write, table, packed):
    header = "@relation r\n" + "".join(f"@attribute x{i} real\n" for i in range(table.shape[1])) + "@data\n"
    content = (header + "".join(",".join(map(repr, row)) + "\n" for row in table.tolist())).encode()
    X, y = arff.read(write(gzip.compress(content) if packed else content))
    np.testing.assert_array_equal(X, table[:, :-1])
    np.testing.assert_array_equal(y, table[:, -1])
