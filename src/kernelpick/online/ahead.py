"""The matrices of a state that is to come: memory takes long when it is first written to, and so they are made ahead of
the kernels that they are for, and written to by and by, some pages beside each round."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.kernels.frequencies import drawing
from kernelpick.core.learners.steady import Steady
from kernelpick.core.numerics.vectors import LANES

ROWS_OF_A_PAGE = 4096 // 8 // LANES  # of a panel
PARTS = 18  # in which a matrix is written to: those of eight arms are, between the fits with 64 and 512 rows


class Ahead:
    """The learner of a state with so many kernels, whichever these will be, and steps in which it is written to. Before
    that orthogonal frequencies are drawn, if columns have come since they were."""

    def __init__(self, spec: Specification, arms: int) -> None:
        problem = replace(spec, kernels=spec.kernels[:1] * arms).problem(1)
        self.learner: Any = spec.row.learner_for(problem.inputs, problem.steady).build(problem)
        drawn = drawing(problem.n_features, problem.inputs, problem.seed).steps() if spec.has_orthogonal else ()
        self.steps = chain(drawn, _touched(self.learner))

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """A copy of a model has none, and makes one of its own."""
        return type(None), ()

    def given(self, state: State) -> State:
        """The state with that learner, if it is for as many kernels of as many features, and as many outputs."""
        own, other = self.learner, state.learner
        fits = isinstance(own, Steady) and (own.P.shape, own.seen.shape) == (other.P.shape, other.seen.shape)
        return state._replace(learner=own) if fits else state


def _touched(learner: Any) -> Iterator[None]:
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
