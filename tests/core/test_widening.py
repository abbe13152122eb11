"""Matrices that grow with the inputs, filled beside the rounds or at once: the same."""

from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from spread_fits import rows_for

import kernelpick
from kernelpick import core
from kernelpick.core.growth import widen_inputs
from kernelpick.core.learners.widening import Halves
from kernelpick.core.numerics.panels import padded
from kernelpick.core.parts import restart


@pytest.mark.parametrize(("rounds", "done"), [(0, True), (5, True), (40, True), (300, True), (0, False), (5, False)])
def test_matrices_are_the_same_whenever_they_are_filled(rounds, done):
    """Seats that learn meanwhile are filled again, even if their turn has come round, and so is who was not filled."""
    X, Y = rows_for(700, d=3)
    spec = core.Specification(
        "leader-newton",
        "square",
        3,
        n_features=4,
        kernels=tuple(map(kernelpick.Gaussian, (0.5, 1.0, 2.0))),
        hypotheses=2.0,
        steady=True,
    )
    state, _ = core.advance(spec, core.start(spec), X[:200], Y[:200])
    wider = replace(spec, n_inputs=40)
    ready = Halves(state.learner, padded(wider.problem(1).weights))
    steps = ready.filled(state.learner, state.clock, 20)
    for _ in range(8):
        next(steps)
    state, _ = core.advance_in_place(spec, state, X[200 : 200 + rounds], Y[200 : 200 + rounds])
    deque(steps if done else (), maxlen=0)
    plain, prepared = widen_inputs(wider, core.copy(state)), widen_inputs(wider, state, ready)
    assert prepared.learner.P is ready.P
    wide = np.zeros((100, 40))
    wide[:, :3] = X[:100]
    said = [core.advance(wider, one, wide, Y[:100])[1].predictions for one in (plain, prepared)]
    assert np.array_equal(*said)


@pytest.mark.parametrize("learns", [True, False])
def test_who_has_started_afresh_meanwhile_is_filled_again(learns):
    """Even if its turn is the same, after as many rows."""
    X, Y = rows_for(300, d=3)
    spec = core.Specification(
        "leader-newton", "square", 3, n_features=4, kernels=(kernelpick.Gaussian(1.0),), steady=True
    )
    state, _ = core.advance(spec, core.start(spec), X[:200], Y[:200])
    wider = replace(spec, n_inputs=40)
    ready = Halves(state.learner, padded(wider.problem(1).weights))
    deque(ready.filled(state.learner, state.clock, 20), maxlen=0)
    turn = int(state.learner.turn[0])
    restart(state.learner, 0, 0)
    if learns:
        state, _ = core.advance_in_place(spec, state, X[200 : 200 + turn], Y[200 : 200 + turn])
        assert state.learner.turn[0] == turn > 0
    plain, prepared = widen_inputs(wider, core.copy(state)), widen_inputs(wider, state, ready)
    assert np.array_equal(plain.learner.P, prepared.learner.P)
