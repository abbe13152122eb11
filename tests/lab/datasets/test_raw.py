"""A file must be the dataset it is named for."""

from dataclasses import replace

import numpy as np
import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import raw
from kernelpick.lab.datasets.registry import REGISTRY

# Least and largest input, and the rows of class +1 or the mean target (SUSY: of the excerpt's first 20,000 rows).
TRUE = {
    "a9a": (0, 1, 7_841),
    "phishing": (0, 0.18257, 6_157),
    "magic04": (-457.916, 575.241, 12_332),
    "SUSY": (-13.359, 19.5922, 9_210),
    "bank": (-0.999998, 33.3011, 0.0836213),
    "elevators": (-993, 973, 0.021625),
    "ailerons": (-975, 977, -0.000871869),
    "Hardware": (0, 330_561, 3_486.44),
}


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "small.data"
        path.write_bytes(content)
        return path

    return write


def test_a_true_copy(entry, content, write):
    X, y = raw.read(entry, write(content))
    assert X.shape == (200, 2) and np.count_nonzero(y == 1) == 100


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"\n7,59,h", b"\n7,590,h", "line 8: one input lies outside [0, 199], the range of small"),
        (b"199,", b"198,", "the inputs range over [0, 198] where small has [0, 199]; it was scaled or"),
        (b"\n7,59,h", b"\n7,59,g", "101 rows are of the class +1 where small has 100; labels were changed"),
        (b"\n7,59,h", b"\n7,59,x", "line 8: the label 'x' is none of g, h"),
        (b"\n7,59,h", b"", "line 199: this is the last of 199 rows where 200 are expected"),
    ],
)
def test_another_file_is_refused(entry, content, write, old, new, words):
    assert content.count(old) == 1
    path = write(content.replace(old, new))
    with pytest.raises(DataError) as told:
        raw.read(entry, path)
    assert str(told.value).startswith(str(path)) and words in str(told.value)


def test_a_target_outside_its_range(entry, write):
    numbers = replace(entry, rows=3, features=1, labels=None, inputs=None, positives=None, targets=(0.0, 2.0))
    assert raw.read(numbers, write(b"5,0\n6,1\n7,2\n"))[1].tolist() == [0, 1, 2]
    with pytest.raises(DataError, match=r"line 2: one target lies outside \[0, 2\]"):
        raw.read(numbers, write(b"5,0\n6,3\n7,2\n"))


def test_the_first_rows_of_a_longer_file(entry, content, write):
    longer = replace(entry, head=True)
    assert len(raw.read(longer, write(content + b"rubbish\n"))[1]) == 200
    with pytest.raises(DataError, match="line 201: this is the first row beyond"):
        raw.read(entry, write(content + b"1,1,g\n"))


@pytest.mark.parametrize("name", REGISTRY)
def test_the_real_files(name, real):
    entry = REGISTRY[name]
    path = real(entry)
    X, y = raw.read(entry, path)
    least, largest, middle = TRUE[name]
    assert X.shape == (entry.rows, entry.features) and X.dtype == np.float64 and X.flags.c_contiguous
    if name == "SUSY" and "30000" not in path.name:
        pytest.skip("the ranges are those of the excerpt of 30,000 rows")
    assert X.min() == pytest.approx(least, rel=1e-5) and X.max() == pytest.approx(largest, rel=1e-5)
    if entry.task == "classification":
        assert np.count_nonzero(y == 1) == middle and np.count_nonzero(y == -1) == len(y) - middle
    else:
        assert y.mean() == pytest.approx(middle, rel=1e-5)
