"""A small stream in a file."""

import pytest
from streaming_commands import write_numbers


@pytest.fixture
def stream(tmp_path):
    return write_numbers(tmp_path / "stream.csv")
