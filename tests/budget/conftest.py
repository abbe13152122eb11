"""Machines whose costs are made up."""

import costly as made_up
import pytest


@pytest.fixture
def costly():
    return made_up.Costly


@pytest.fixture
def costs():
    return {"linear": made_up.linear, "quadratic": made_up.quadratic}
