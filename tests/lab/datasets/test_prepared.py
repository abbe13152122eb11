"""Datasets by name, prepared as in the paper."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import prepared, registry
from kernelpick.lab.datasets.registry import REGISTRY


@pytest.fixture
def small(entry, monkeypatch):
    """The small dataset, as classification and as regression, in the place of the eight."""
    numbers = replace(
        entry, name="numbers", task="regression", rows=3, features=1, files=("numbers.data",), labels=None, inputs=None,
        positives=None,
    )  # fmt: skip
    rows = {"small": entry, "shipped": replace(entry, name="shipped", scaled=False), "numbers": numbers}
    for module in (registry, prepared):
        monkeypatch.setattr(module, "REGISTRY", rows)


def test_inputs_are_scaled_unless_used_as_shipped(small, home, tmp_path, content):
    (tmp_path / "small.data").write_bytes(content)
    name, task, X, y = prepared.dataset("small", tmp_path)
    assert (name, task) == ("small", "classification") and set(y) == {-1.0, 1.0}
    assert X.min(axis=0).tolist() == [-1, -1] and X.max(axis=0).tolist() == [1, 1]
    assert prepared.dataset("shipped", tmp_path).X.max() == 199.0


def test_regression_targets_are_scaled_to_the_unit_interval(small, home, tmp_path):
    (tmp_path / "numbers.data").write_bytes(b"3,10\n3,20\n3,15\n")
    data = prepared.dataset("numbers", tmp_path)
    assert data.y.tolist() == [0, 1, 0.5] and data.X.tolist() == [[0], [0], [0]]


def test_the_arrays_are_the_callers_own_and_a_new_file_is_read_anew(small, home, tmp_path):
    path = tmp_path / "numbers.data"
    path.write_bytes(b"1,10\n2,20\n3,15\n")
    prepared.dataset("numbers", tmp_path).y[:] = 9
    assert prepared.dataset("numbers", tmp_path).y.tolist() == [0, 1, 0.5]
    path.write_bytes(b"1,10\n2,200\n3,105\n")
    assert prepared.dataset("numbers", tmp_path).y.tolist() == [0, 1, 0.5]
    path.write_bytes(b"1,10\n2,x\n3,1055\n")
    with pytest.raises(DataError, match=r"numbers\.data, line 2: the target 'x' is not a finite number"):
        prepared.dataset("numbers", tmp_path)


def test_an_unknown_name_and_a_missing_file(home):
    with pytest.raises(ValueError, match="Did you mean 'phishing'"):
        prepared.dataset("fishing")
    with pytest.raises(DataError, match=r"a9a: there is no file a9a, plain or \.gz"):
        prepared.dataset("a9a", download=False)


def test_status_lists_all_with_the_files_there_are(home, tmp_path):
    (tmp_path / "phishing.gz").write_bytes(b"")
    rows = prepared.status(tmp_path)
    assert [row.entry.name for row in rows] == list(REGISTRY)
    assert {row.entry.name: row.path for row in rows if row.path} == {"phishing": tmp_path / "phishing.gz"}


def test_importing_loads_no_heavy_library():
    heavy = "{'sklearn', 'scipy', 'pandas', 'pooch', 'requests', 'rich'}"
    code = (
        "import sys, kernelpick; before = set(sys.modules); import kernelpick.lab.datasets.listing; "
        f"print(sorted({heavy} & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", REGISTRY)
def test_the_real_datasets(name, real):
    entry = REGISTRY[name]
    data = prepared.dataset(name, real(entry).parent)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    assert data.X.shape == (entry.rows, entry.features) and data.y.shape == (entry.rows,)
    assert data.X.flags.c_contiguous and data.X.flags.writeable
    if entry.scaled:
        assert (low == -1).all() and (high == 1).all()
    else:
        assert set(np.unique(data.X)) == {0.0, {"a9a": 1.0, "phishing": 0.18257}[name]}
    ends = {"classification": {-1.0, 1.0}, "regression": {0.0, 1.0}}[entry.task]
    assert {data.y.min(), data.y.max()} == ends
    if name == "Hardware":
        assert data.y.mean() == pytest.approx(0.0131, abs=5e-5)
