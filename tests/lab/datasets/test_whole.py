"""Whole files of numbers: what is read, and what is said of each kind of damage."""

import gzip
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import whole
from kernelpick.lab.datasets.whole import KnownFile

CSV, LIBSVM, ARFF = KnownFile("csv", 2, labels={"g": 1.0, "h": -1.0}), KnownFile("libsvm", 3), KnownFile("arff", 2)
HEADER = "% two inputs\n@relation small\n\n@attribute a real\n@ATTRIBUTE 'b c' NUMERIC\n@attribute class real\n"
ROWS = 2000
CONTENT = {
    KnownFile("csv", 1): "".join(f"{i * 0.37:.6f},{i * i % 101}\n" for i in range(ROWS)),
    KnownFile("libsvm", 1): "".join(f"{i * i % 101} 1:{i * 0.37:.6f}\n" for i in range(ROWS)),
    KnownFile("arff", 1): "@relation r\n@attribute a real\n@attribute b real\n@data\n"
    + "".join(f"{i * 0.37:.6f},{i * i % 101}\n" for i in range(ROWS)),
}
FORMATS = pytest.mark.parametrize("known", CONTENT, ids=lambda known: known.form)


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "rows"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
        return path

    return write


def test_targets_labels_and_lines(write):
    X, y, lines = whole.read(write("1,2,g\r\n\r\n3,4, h \r\n5,6,g"), CSV)
    assert X.tolist() == [[1, 2], [3, 4], [5, 6]] and y.tolist() == [1, -1, 1] and lines.tolist() == [1, 3, 4]
    assert X.dtype == y.dtype == np.float64 and X.flags.c_contiguous
    _, y, _ = whole.read(write("1.0e+00,2\n0,3\n+1,4\n"), KnownFile("csv", 1, 0, {"1": 1.0, "0": -1.0}))
    assert y.tolist() == [1, -1, 1]
    X, y, _ = whole.read(write("# by hand\n0.5 1:1 3:2 # one\n-2\n"), LIBSVM)
    assert X.tolist() == [[1, 0, 2], [0, 0, 0]] and y.tolist() == [0.5, -2]
    X, y, _ = whole.read(write(HEADER + "@DATA\n\n% first\n1, 2, 3\n4,5,6\n"), ARFF)
    assert X.tolist() == [[1, 2], [4, 5]] and y.tolist() == [3, 6]


@pytest.mark.parametrize(
    ("known", "content", "line", "words"),
    [
        (CSV, "1,2,g\n3,4,g\nx,6,h\n", 3, "'x' in column '1' is not a finite number"),
        (CSV, "1,2,g\n3,,g\n", 2, "'' in column '2' is not a finite number"),
        (CSV, "1,2,g\n\n3,nan,g\n", 3, "in column '2' is not a finite number"),
        (CSV, "1,2,g\n3,-inf,g\n", 2, "column '2': an infinite number"),
        (CSV, "1,2,g\n3,1_0,g\n", 2, "'1_0' in column '2' is not a finite number"),
        (CSV, "1,2,g\n3,4,2\n", 2, "the label '2.0' is none of g, h"),
        (CSV, "1,2,g\n3,g\n", 2, "2 field(s) where 3 are expected"),
        (CSV, "1,2,g\n3,4,5,g\n", 2, "4 field(s) where 3 are expected"),
        (CSV, "1,g\n3,g\n", 1, "2 value(s) where 3 are expected"),
        (CSV, "1,2,g\n3,\0,g\n", 2, "there is a NUL byte"),
        (CSV, "1,2,g\n3,\xff,g\n", 2, "there are bytes that utf-8 does not have"),
        (CSV, "1,2,g\n3," + "9" * 50 + "x,g\n", 2, "'" + "9" * 30 + "...' in column '2'"),
        (KnownFile("csv", 1), "1,2\n3,x\n", 2, "the target 'x' is not a finite number"),
        (LIBSVM, "1 1:1\n1 4:1\n", 2, "the index 4 is not one of 1 to 3"),
        (LIBSVM, "1 1:1\n1 0:1\n", 2, "the index 0 is not one of 1 to 3"),
        (LIBSVM, "1 1:1\n# note\n1 2:1 1:2\n", 3, "the index 1 follows 2, but indices rise"),
        (LIBSVM, "1 1:1\n1 1:nan\n", 2, "the value is not a number"),
        (LIBSVM, "1 1:1\nx 1:1\n", 2, "the target 'x' is not a finite number"),
        (ARFF, HEADER + "@data\n1,2,3\n4,x,6\n", 9, "column 'b c': this is not a number"),
        (ARFF, HEADER + "@data\n1,2,3\n4,?,6\n", 9, "'' in column 'b c' is not a finite number"),
        (ARFF, HEADER + "@data\n1,2\n", 8, "2 value(s) where 3 are expected"),
        (ARFF, HEADER + "@data\n", 1, "the file holds no rows"),
        (ARFF, HEADER + "@attribute d real\n@data\n1,2,3,4\n", 9, "4 value(s) where 3 are expected"),
        (ARFF, HEADER.replace("a real", "a {1,2}") + "@data\n1,2,3\n", 8, "'1' in column 'a' is not a finite number"),
    ],
)
def test_damage_is_told_with_file_and_line(write, known, content, line, words):
    path = write(content)
    with pytest.raises(DataError) as told:
        whole.read(path, known)
    assert str(told.value).startswith(f"{path}, line {line}") and words in str(told.value)


@pytest.mark.parametrize("target", [2, -3])
def test_a_target_outside_the_row_is_refused(write, target):
    with pytest.raises(ValueError, match=f"Column {target} cannot be the target"):
        whole.read(write("1,2\n"), KnownFile("csv", 1, target))


@pytest.mark.parametrize(
    ("rows", "line", "words"), [(3, 3, "the last of 2 rows where 3 are expected"), (1, 3, "beyond the expected 1")]
)
def test_too_few_and_too_many_rows(write, rows, line, words):
    path = write("1,2\n\n3,4\n")
    with pytest.raises(DataError) as told:
        whole.read(path, KnownFile("csv", 1), rows)
    assert f"{path}, line {line}: " in str(told.value) and words in str(told.value)


@FORMATS
@pytest.mark.parametrize("kept", [30, 0.1, 0.5, 0.9, -9, -8, -4, -1])
def test_a_truncated_gzip(write, known, kept):
    packed = gzip.compress(CONTENT[known].encode(), mtime=0)
    path = write(packed[: int(kept * len(packed)) if isinstance(kept, float) else kept])
    with pytest.raises(DataError) as told:
        whole.read(path, known, rows=ROWS)
    found = re.match(re.escape(str(path)) + r", line (\d+): the gzip data (break off|are readable)", str(told.value))
    assert found and 1 <= int(found[1]) <= ROWS + 4


@FORMATS
def test_a_corrupted_byte_anywhere_in_a_gzip(write, known):
    packed = gzip.compress(CONTENT[known].encode(), mtime=0)
    for position in range(10, len(packed), len(packed) // 40):
        damaged = bytearray(packed)
        damaged[position] ^= 0x10
        path = write(bytes(damaged))
        with pytest.raises(DataError) as told:
            whole.read(path, known, rows=ROWS)
        assert str(told.value).startswith(str(path))


def test_the_checksum_is_compared_even_when_only_the_first_rows_are_used(write, monkeypatch):
    known = next(iter(CONTENT))
    packed = bytearray(gzip.compress(CONTENT[known].encode(), mtime=0))
    packed[-6] ^= 1  # in the stored checksum
    path = write(bytes(packed))
    with pytest.raises(DataError, match=r"line 2000: the gzip data are readable up to this line but damaged \(CRC"):
        whole.read(path, known, first=5)
    monkeypatch.setattr(whole, "CHECKSUM_LIMIT", 100)  # a large file is not read to its end for a few rows
    assert len(whole.read(path, known, rows=5, first=5).y) == 5


def test_damage_beyond_the_first_rows_does_not_matter(write):
    assert len(whole.read(write("1,2\n3,4\nx,y\n"), KnownFile("csv", 1), rows=2, first=2).y) == 2


@FORMATS
def test_a_folder_and_a_missing_file(tmp_path, known):
    with pytest.raises(DataError, match=re.escape(f"{tmp_path} is a folder; name the file inside it.")):
        whole.read(tmp_path, known)
    missing = tmp_path / "absent"
    with pytest.raises(DataError, match=re.escape(f"{missing} cannot be read: No such file or directory.")):
        whole.read(missing, known)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    table=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
        elements=st.one_of(st.just(0.0), st.floats(allow_nan=False, allow_infinity=False)),
    ),
    form=st.sampled_from(("csv", "arff", "libsvm")),
    packed=st.booleans(),
)
def test_what_is_written_is_read_back(write, table, form, packed):
    rows, width = table.tolist(), table.shape[1]
    if form == "libsvm":
        lines = [f"{row[-1]!r} " + " ".join(f"{i + 1}:{v!r}" for i, v in enumerate(row[:-1]) if v) for row in rows]
    else:
        lines = [",".join(map(repr, row)) for row in rows]
    if form == "arff":
        lines = ["@relation r", *(f"@attribute x{i} real" for i in range(width)), "@data", *lines]
    content = ("\n".join(lines) + "\n").encode()
    X, y, _ = whole.read(write(gzip.compress(content) if packed else content), KnownFile(form, width - 1))
    np.testing.assert_array_equal(X, table[:, :-1])
    np.testing.assert_array_equal(y, table[:, -1])
