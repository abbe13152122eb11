"""Even rounds of the leader, as models with a time budget have them: how many play."""

import math

import numpy as np
import pytest

from kernelpick import Gaussian, core
from kernelpick.core import Specification
from kernelpick.core.rounds import BLOCK


@pytest.mark.parametrize("hypotheses", [1.3, 2.0, 2.7])
def test_even_rounds_have_as_many_players_as_n_says_on_average(hypotheses):
    """In 256 blocks, the later ones of which have scouts by chance where N is no whole number."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (256 * BLOCK, 1))
    kernels = tuple(Gaussian(width) for width in (0.3, 1.0, 3.0, 9.0))
    spec = Specification("leader", "square", 1, kernels, n_features=8, hypotheses=hypotheses, even=True)
    state, players = core.start(spec), []
    for start in range(0, len(X), BLOCK):
        players.append(int(state.selector.playing.sum()))
        rows = X[start : start + BLOCK]
        state, _ = core.advance_in_place(spec, state, rows, np.sin(3 * rows))
    assert np.mean(players) == pytest.approx(hypotheses, abs=0.1)
    assert set(players) <= {math.floor(hypotheses), math.ceil(hypotheses)}
