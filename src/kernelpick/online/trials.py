"""What a fit beside the rounds (job.py) finds out by few rows, in steps: what one arm says, by which targets and their
logarithms are compared, and the metric."""

from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.loop import Rows
from kernelpick.core.selectors.leader import Leader
from kernelpick.online.grids import FEW, spaced
from kernelpick.online.heats import Arm, Steps, at_a_time, making, one_arm, replay
from kernelpick.online.metric import WHOLE_UP_TO, kept_beside, learned, outer_product, squares, with_metric
from kernelpick.online.pace import GRADIENTS, LOOKED_AT, METRIC, STEP
from kernelpick.online.said import part_of


def heard_by(shadow: Any, spec: Specification, arm: int, scaled: Rows) -> Steps:
    """(T, M) what one arm says to each row before its target is used; where arms take turns, what they say."""
    outcomes: list[Any] = []
    spec, state = _small(shadow, spec)
    if spec.row.selector is Leader:
        spec, state = one_arm(spec, state, arm)
    yield from replay(spec, state, scaled, outcomes)
    return np.concatenate([outcome.predictions for outcome in outcomes])


def metric_of(shadow: Any, spec: Specification, arms: tuple[int, int], scaled: Rows) -> Steps:
    """More kernels, from what one arm learns of the last rows, beside another; None if it learns nothing."""
    arm, stays = arms
    made: list[Arm] = []
    steps = making(*_small(shadow, spec), arm, made)
    yield STEP
    yield from at_a_time(steps)
    state = yield from replay(*made[0], part_of(scaled, slice(-METRIC, None)), [])
    d, whole = spec.n_inputs, spec.n_inputs <= WHOLE_UP_TO
    looked, M, X = outer_product if whole else squares, np.zeros((d, d) if whole else d), spaced(scaled.X, LOOKED_AT)
    for start in range(0, len(X), GRADIENTS):
        some = X[start : start + GRADIENTS]
        M += looked(state, some) * len(some)
        yield STEP
    metric = learned(M / len(X) if whole else np.diag(M / len(X)), shadow.n_columns, whole)
    yield STEP
    if metric is None:
        return None
    losses = abs(np.arange(len(spec.kernels)) - stays)  # neighbours of the best are likely to be good
    spec = with_metric(spec, metric, arm, losses, spaced(scaled.X, FEW), kept_beside(d, spec.hypotheses))
    yield STEP
    return spec, metric


def _small(shadow: Any, spec: Specification) -> tuple[Specification, State]:
    """For what few rows decide, which have no use for many frequencies, as the first fits have not."""
    shadow.spec = replace(spec, n_features=min(shadow.preparation.sizes(shadow.n_columns)))
    return shadow.spec, shadow.start()
