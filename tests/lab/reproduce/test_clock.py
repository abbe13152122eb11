"""Times a round, by a clock that is made up: in turns, and what was disturbed does not count."""

import itertools

import numpy as np
import pytest

from kernelpick.lab.reproduce import clock
from kernelpick.lab.reproduce.runs import Run

RNG = np.random.default_rng(5)
X, Y = RNG.uniform(-1, 1, (40, 3)), RNG.uniform(0, 1, 40)


@pytest.fixture
def runs(cell):
    return [Run(cell("rf-oks++", size=9), "paper", 0, None), Run(cell("raker", size=7), "paper", 0, 1.0)]


@pytest.fixture
def blocks(monkeypatch):
    """A row of raker takes 3 s and one of rf-oks++ 2 s, longer in some passes; the blocks as they came."""
    now, came = [0.0], []
    real = clock.advance_in_place
    moods = itertools.cycle([1.0, 5.0, 2.0, 1.0, 3.0])

    def advance(spec, state, rows, labels):
        if len(rows) > 1:
            came.append((spec.algorithm, len(rows)))
            now[0] += len(rows) * {"raker": 3.0, "rf-oks++": 2.0}[spec.algorithm] * next(moods)
        return real(spec, state, rows, labels)

    monkeypatch.setattr(clock, "ROWS", 16)
    monkeypatch.setattr(clock, "PASSES", 10)
    monkeypatch.setattr(clock, "advance_in_place", advance)
    monkeypatch.setattr(clock, "thread_time", lambda: now[0])
    return came


def test_blocks_come_in_turn_and_the_fastest_pass_counts(runs, blocks):
    assert clock.seconds_a_round(runs, X, Y) == [2.0, 3.0]
    one_pass = [(name, rows) for rows in (16, 16, 8) for name in ("rf-oks++", "raker")]
    assert blocks == one_pass * 10


def test_a_run_that_diverges_is_not_timed(cell):
    wild = Run(cell("rf-oks"), "paper", 0, 1e6)
    with pytest.raises(ValueError, match="rf-oks diverges on bank, so its rounds can't be timed"):
        clock.seconds_a_round([wild], np.tile(X, (10, 1)), np.tile(Y, 10))
