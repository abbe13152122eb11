"""Data files that several rooms of the laboratory are tested with."""

import numpy as np
import pytest
from tables import numbers

from kernelpick.lab.datasets.registry import REGISTRY


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """A folder with a file that passes for the dataset bank: its shape and ranges, made-up numbers."""
    entry = REGISTRY["bank"]
    rng = np.random.default_rng(0)
    X = rng.uniform(*entry.inputs, (entry.rows, entry.features))
    y = 0.5 * entry.targets[1] * (1 + np.sin(X[:, 0] / 5))
    X[0, 0], X[1, 0] = entry.inputs
    y[0], y[1] = entry.targets
    names = "".join(f"@attribute a{i} numeric\n" for i in range(entry.features + 1))
    rows = "\n".join(",".join(f"{value:.6g}" for value in row) for row in np.column_stack([X, y]))
    folder = tmp_path_factory.mktemp("data")
    (folder / entry.files[0]).write_text(f"@relation bank\n{names}@data\n{rows}\n")
    return folder


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
