"""CSV: what is read, and what is said of each kind of damage."""

import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from kernelpick.files import csv
from kernelpick.files.errors import DataError

LABELS = {"g": 1.0, "h": -1.0}


def test_the_last_column_is_the_target_unless_told_otherwise(write):
    path = write("1,2,3\n4,5,6\n")
    X, y = csv.read(path)
    assert X.tolist() == [[1, 2], [4, 5]] and y.tolist() == [3, 6]
    assert X.dtype == y.dtype == np.float64 and X.flags.c_contiguous and y.flags.c_contiguous
    X, y = csv.read(path, target=0)
    assert X.tolist() == [[2, 3], [5, 6]] and y.tolist() == [1, 4]


def test_labels_become_their_numbers(write):
    _, y = csv.read(write("1,2,g\n3,4, h \n"), labels=LABELS)
    assert y.tolist() == [1, -1]


def test_a_label_is_the_same_number_however_printed(write):
    _, y = csv.read(write("1.000000000000000000e+00,2\n0,3\n+1,4\n"), target=0, labels={"1": 1.0, "0": -1.0})
    assert y.tolist() == [1, -1, 1]


def test_first_rows_header_blank_lines_and_line_ends(write):
    X, y = csv.read(write("a,b\r\n1,2\r\n\r\n3,4\r\n5,6"), header=True, first=2)
    assert X.tolist() == [[1], [3]] and y.tolist() == [2, 4]


def test_gzip_is_told_by_content_not_by_name(write):
    path = write(gzip.compress(b"1,2\n3,4\n"))
    assert csv.read(path)[0].tolist() == [[1], [3]]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("1,2,g\n3,4,g\nx,6,h\n", 3, "'x' in column 1 is not a finite number"),
        ("1,2,g\n3,,g\n", 2, "'' in column 2 is not a finite number"),
        ("1,2,g\n\n3,nan,g\n", 3, "'nan' in column 2 is not a finite number"),
        ("1,2,g\n3,-inf,g\n", 2, "'-inf' in column 2 is not a finite number"),
        ("1,2,g\n3,1e999,g\n", 2, "'1e999' in column 2 is not a finite number"),
        ("1,2,g\n3,1_0,g\n", 2, "'1_0' in column 2 is not a finite number"),
        ("1,2,g\n3,4,2\n", 2, "the label '2' is none of g, h"),
        ("1,2,g\n3,g\n", 2, "2 value(s) where 3 are expected"),
        ("1,2,g\n3,4,5,g\n", 2, "4 value(s) where 3 are expected"),
        ("1,g\n3,g\n", 1, "2 value(s) where 3 are expected"),
        (b"1,2,g\n3,\0,g\n", 2, "there is a NUL byte"),
        (b"1,2,g\n3,\xff,g\n", 2, "'\xff' in column 2 is not a finite number"),
        ("1,2,g\n3," + "9" * 50 + "x,g\n", 2, "'" + "9" * 30 + "...' in column 2"),
        ("", 1, "the file holds no rows"),
        (" \n\n", 1, "the file holds no rows"),
    ],
)
def test_damage_is_told_with_file_and_line(write, content, line, words):
    path = write(content)
    with pytest.raises(DataError) as told:
        csv.read(path, features=2, labels=LABELS)
    assert str(told.value).startswith(f"{path}, line {line}: ") and words in str(told.value)


def test_a_target_that_is_no_number(write):
    with pytest.raises(DataError, match="line 2: the target 'inf' is not a finite number"):
        csv.read(write("1,2\n3,inf\n"))


def test_damage_beyond_the_first_rows_does_not_matter(write):
    assert len(csv.read(write("1,2\n3,4\nx,y\n"), first=2, rows=2)[1]) == 2


@pytest.mark.parametrize(
    ("rows", "line", "words"), [(3, 3, "the last of 2 rows where 3 are expected"), (1, 3, "beyond the expected 1")]
)
def test_too_few_and_too_many_rows(write, rows, line, words):
    path = write("1,2\n\n3,4\n")
    with pytest.raises(DataError) as told:
        csv.read(path, rows=rows)
    assert f"{path}, line {line}: " in str(told.value) and words in str(told.value)


@pytest.mark.parametrize("target", [2, -3])
def test_a_target_outside_the_row_is_refused(write, target):
    with pytest.raises(ValueError, match=f"Column {target} cannot be the target"):
        csv.read(write("1,2\n"), target=target)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    table=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
        elements=st.floats(allow_nan=False, allow_infinity=False),
    ),
    packed=st.booleans(),
    data=st.data(),
)
def test_what_is_written_is_read_back(write, table, packed, data):
    target = data.draw(st.integers(-table.shape[1], table.shape[1] - 1))
    content = "".join(",".join(map(repr, row)) + "\n" for row in table.tolist()).encode()
    X, y = csv.read(write(gzip.compress(content) if packed else content), target=target)
    np.testing.assert_array_equal(X, np.delete(table, target, axis=1))
    np.testing.assert_array_equal(y, table[:, target])
