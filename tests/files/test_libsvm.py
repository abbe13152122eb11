"""LIBSVM text: what is read, and what is said of each kind of damage."""

import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from kernelpick.files import libsvm
from kernelpick.files.errors import DataError

LABELS = {"+1": 1.0, "-1": -1.0}


def test_what_is_not_named_is_zero(write):
    X, y = libsvm.read(write("+1 1:0.5 3:2\n-1\n"), features=4, labels=LABELS)
    assert X.tolist() == [[0.5, 0, 2, 0], [0, 0, 0, 0]] and y.tolist() == [1, -1]
    assert X.dtype == y.dtype == np.float64 and X.flags.c_contiguous


def test_without_features_the_largest_index_is_the_width(write):
    assert libsvm.read(write("0.25 1:1\n-7 3:1\n"))[0].shape == (2, 3)


def test_labels_are_mapped_and_targets_kept(write):
    path = write("0 1:1\n1 1:2\n1.0 1:3\n")
    assert libsvm.read(path, labels={"1": 1.0, "0": -1.0})[1].tolist() == [-1, 1, 1]
    assert libsvm.read(path)[1].tolist() == [0, 1, 1]


def test_first_rows_comments_blank_lines_and_line_ends(write):
    X, y = libsvm.read(write("# made by hand\r\n1 1:1 # one\r\n\r\n2 1:2\r\n3 1:3"), first=2)
    assert X.tolist() == [[1], [2]] and y.tolist() == [1, 2]


def test_gzip_is_told_by_content_not_by_name(write):
    assert libsvm.read(write(gzip.compress(b"1 1:1\n")))[0].tolist() == [[1]]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("2 1:1", "the label '2' is none of +1, -1"),
        ("x 1:1", "the label 'x' is none of +1, -1"),
        ("nan 1:1", "the label 'nan' is none of +1, -1"),
        ("1 1:1 1:2", "the index 1 follows 1, but indices start at 1 and rise"),
        ("1 2:1 1:2", "the index 1 follows 2, but indices start at 1 and rise"),
        ("1 0:1", "the index 0 follows 0, but indices start at 1 and rise"),
        ("1 4:1", "the index 4 is larger than the number of features, 3"),
        ("1 99999999999999999999:1", "is larger than the number of features, 3"),
        ("1 -1:1", "'-1:1' is no pair index:value"),
        ("1 1.5:1", "'1.5:1' is no pair index:value"),
        ("1 1", "'1' is no pair index:value"),
        ("1 1:", "the value '' of index 1 is not a finite number"),
        ("1 1:abc", "the value 'abc' of index 1 is not a finite number"),
        ("1 1:nan", "the value 'nan' of index 1 is not a finite number"),
        ("1 1:inf", "the value 'inf' of index 1 is not a finite number"),
        ("1 1:1_0", "the value '1_0' of index 1 is not a finite number"),
        ("1 1:1\xa02:1", "the value '1\\xa02:1' of index 1 is not a finite number"),
        ("1 1:1\x1c", "the value '1\\x1c' of index 1 is not a finite number"),
        ("1 1:\0", "there is a NUL byte"),
        ("1 1:1\xff", "of index 1 is not a finite number"),
    ],
)
def test_damage_is_told_with_file_and_line(write, row, words):
    path = write(f"+1 1:1\n# a comment\n{row}\n-1 2:1\n".encode("latin-1"))
    with pytest.raises(DataError) as told:
        libsvm.read(path, features=3, labels=LABELS)
    assert str(told.value).startswith(f"{path}, line 3: ") and words in str(told.value)


def test_an_empty_file_and_a_short_one(write):
    with pytest.raises(DataError, match="rows, line 1: the file holds no rows"):
        libsvm.read(write(""))
    with pytest.raises(DataError, match="rows, line 2: this is the last of 2 rows where 3 are expected"):
        libsvm.read(write("1 1:1\n1 1:1\n"), rows=3)


def test_an_absurd_index_does_not_exhaust_the_memory(write):
    with pytest.raises(DataError, match="do not fit into memory"):
        libsvm.read(write("1 2000000000:1\n" * 20_000))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    table=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
        elements=st.one_of(st.just(0.0), st.floats(allow_nan=False, allow_infinity=False)),
    ),
    packed=st.booleans(),
)
def test_what_is_written_is_read_back(write, table, packed):
    X, y = table[:, 1:], table[:, 0]
    pairs = [" ".join(f"{i + 1}:{v!r}" for i, v in enumerate(row) if v) for row in X.tolist()]
    content = "".join(f"{label!r} {row}\n" for label, row in zip(y.tolist(), pairs, strict=True)).encode()
    read_X, read_y = libsvm.read(write(gzip.compress(content) if packed else content), features=X.shape[1])
    np.testing.assert_array_equal(read_X, X)
    np.testing.assert_array_equal(read_y, y)
