"""Sources made of bytes."""

import io
import sys

import pytest
from sources.whole import hide_arrow

WAYS = ("plain", "arrow")


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    """Once with PyArrow and once without it."""
    if request.param == "arrow":
        pytest.importorskip("pyarrow")
    else:
        hide_arrow(monkeypatch)
    return request.param


@pytest.fixture
def write(tmp_path):
    def writing(content, name="data.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return writing


@pytest.fixture
def pipe(monkeypatch):
    def piping(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return "-"

    return piping
