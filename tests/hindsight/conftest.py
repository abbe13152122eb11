"""Tests run side by side: two threads each for small matrices would wait for each other most of the time."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def one_thread():
    with threadpool_limits(1):
        yield
