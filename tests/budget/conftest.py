"""Machines whose costs are made up."""

import costly as made_up
import pytest

from kernelpick.budget import planned


@pytest.fixture
def costly():
    return made_up.Costly


@pytest.fixture
def costs():
    return {"linear": made_up.linear, "quadratic": made_up.quadratic}


@pytest.fixture(autouse=True)
def no_rehearsals(monkeypatch):
    """What is tested here is chosen before the first round; test_rehearsal.py has the one that plays before it."""
    monkeypatch.setattr(planned, "rehearse", lambda plan, way: None)
