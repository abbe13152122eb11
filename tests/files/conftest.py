"""Small files."""

import pytest


@pytest.fixture
def write(tmp_path):
    """write(content) gives the path of a file that holds it."""

    def write(content):
        path = tmp_path / "rows"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
