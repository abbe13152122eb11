"""Small streams."""

import numpy as np
import pytest
from tables import numbers

from kernelpick.lab.compare.sources import stream


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
