"""Where curves are sampled."""

import pytest

from kernelpick.lab.running.curves import checkpoints


@pytest.mark.parametrize("rounds", [1, 2, 59, 60, 61, 8192, 32561])
def test_checkpoints_rise_to_the_last_round(rounds):
    steps = checkpoints(rounds)
    assert steps == sorted(set(steps)) and steps[0] >= 1 and steps[-1] == rounds and len(steps) <= 60
