"""Small streams, and files that hold them."""

import numpy as np
import pytest

from kernelpick.compare.sources import stream


def numbers(rows, columns=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) * 10.0 ** np.arange(columns)
    return X, 100 + 20 * np.sin(X[:, 0]) + X[:, 1] / 10


@pytest.fixture(scope="session")
def regression():
    return stream("numbers", *numbers(90))


@pytest.fixture(scope="session")
def classification():
    X, y = numbers(90)
    return stream("labels", X, (y > 100).astype(int), ("low", "high"))


@pytest.fixture(scope="session")
def three_classes():
    X, y = numbers(90)
    return stream("three", X, np.digitize(y, [92, 108]), ("low", "middle", "high"))


@pytest.fixture
def write(tmp_path):
    """write(name, text) gives the path of a new file."""

    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def table(write):
    """table(rows) gives the path of a CSV file with a header and a numeric target."""

    def table(rows=120, name="mine.csv", labels=None):
        X, y = numbers(rows)
        told = [repr(float(value)) for value in y] if labels is None else [labels[int(v > 100)] for v in y]
        lines = [",".join([*map(str, row), target]) for row, target in zip(X.tolist(), told, strict=True)]
        return write(name, "\n".join(["a,b,c,d,price", *lines]) + "\n")

    return table
