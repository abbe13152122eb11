"""What several hypotheses with large matrices cost each other, in single rows."""

import json

import numpy as np
import pytest

from kernelpick import KernelRegressor
from kernelpick.budget.calibration import Unsized, calibrated
from kernelpick.budget.choose import choose
from kernelpick.budget.costs import Use, costs_of

SINGLE_ROWS = Unsized(KernelRegressor().get_params(deep=False), False, 18, 1, rows=1)


def test_many_large_matrices_are_measured_together(costly):
    """Caches hold less than five of them here: each of those takes twice as long, and each of eight three times."""

    def cost(plan):
        spec = plan.specification
        order, players = 2 * spec.n_features + 1 + spec.n_inputs, min(spec.hypotheses, len(spec.kernels))
        return cost_of(players, {1: 1.0, 5: 2.0, 8: 3.0}[players], order)

    machine = costly(cost, rows=1, calls=4)
    found = calibrated(SINGLE_ROWS, machine.way, machine.clock)
    several = [plan for plan in machine.probed if plan.specification.hypotheses > 1.0]
    assert len(several) == 2 and not any(plan.auto_kernels for plan in several)  # which would become six
    assert np.allclose(found.crowds, [(5.0, 2.0, 2.0), (8.0, 3.0, 3.0)], rtol=1e-6)
    taken = [found.seconds(Use(496, n), 1011).mean for n in (1.0, 3.0, 5.0, 7.0, 8.0)]
    expected = {1: 1.0, 3: 1.125, 5: 2.0, 7: 2.0 + 2 / 3, 8: 3.0}  # (N - 1)/4, cubed, and then lines
    assert taken == pytest.approx([cost_of(*one) for one in expected.items()], rel=1e-6)
    assert found.seconds(Use(16, 5.0), 51).mean == pytest.approx(cost_of(5, 1.0, 51), rel=1e-6)
    assert costs_of(json.loads(json.dumps(found.told()))) == found
    assert choose(found, SINGLE_ROWS.usable(), 1e-3).use.hypotheses < 8.0


def test_each_of_more_takes_no_less_than_each_of_fewer(costly):
    """Whatever disturbed five of them: more hypotheses never seem to take less."""
    machine = costly(lambda plan: cost_of(1, {1: 1.0, 5: 15.0, 8: 9.0}[plan.specification.hypotheses]), rows=1, calls=4)
    found = calibrated(SINGLE_ROWS, machine.way, machine.clock)
    (few, *_), (most, *_) = found.crowds
    assert (few, most) == (5.0, 8.0) and found.crowds[0][1:] == found.crowds[1][1:]
    told = json.loads(json.dumps(found.told()))
    for crowds in ([[1.0, 1.0, 1.0]], told["crowds"][::-1]):
        with pytest.raises(ValueError, match="in another order"):
            costs_of(told | {"crowds": crowds})


def cost_of(hypotheses, times, order=1011):
    return 1e-5 + 1e-10 * order**2 * hypotheses * times
