"""The matrices of a state that is to come: memory takes long when it is first written to, and so they are made ahead of
the kernels that they are for, and written to by and by, some pages beside each round."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.learners.steady import Steady
from kernelpick.core.numerics.vectors import LANES

ROWS_OF_A_PAGE = 4096 // 8 // LANES  # of a panel
PARTS = 56  # in which a matrix is written to: fewer than a heat has rows


def learner_for(spec: Specification, arms: int) -> Any:
    """Of a state with so many kernels, whichever these will be."""
    problem = replace(spec, kernels=spec.kernels[:1] * arms).problem(1)
    return spec.row.learner_for(problem.inputs, problem.steady).build(problem)


def touched(learner: Any) -> Iterator[None]:
    """Every page of what steady.py has of its matrices; nothing is changed by it that a first row would not do."""
    for seat in range(len(learner.P) if isinstance(learner, Steady) else 0):
        P = learner.P[seat]
        pages = np.argwhere(np.arange(0, P.shape[1], ROWS_OF_A_PAGE) < LANES * np.arange(1, 1 + len(P))[:, None])
        for some in np.array_split(pages, PARTS):
            at = some[:, 0], ROWS_OF_A_PAGE * some[:, 1], 0
            P[at] = P[at]
            yield
        if learner.blank[seat]:
            learner.begin(seat)
        yield


def given(learner: Any, state: State) -> State:
    """The state with that learner, if it is for as many kernels."""
    fits = isinstance(learner, Steady) and learner.P.shape == state.learner.P.shape
    return state._replace(learner=learner) if fits else state
