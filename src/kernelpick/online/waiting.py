"""Columns that wait to be taken in, where no round may do more than its share.

With a column all matrices grow, and that takes as long as many rounds. So the model goes on without those that have
come, for WAIT rows, beside which memory for the larger state is made and filled; then all that have come by then are
taken in. As long as first fits are to come nothing waits: there a row counts for more than its time, and states are
small. A fit that is under way hears of them when the model has taken them in (late.py).

The clock is the number of draws. When columns are taken in follows from the rows alone; what is prepared changes
nothing but the time that it takes, and is done again after a model was loaded.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.kernels.frequencies import of_columns
from kernelpick.core.learners.steady import Steady
from kernelpick.core.learners.widening import Halves
from kernelpick.core.numerics.panels import padded
from kernelpick.core.spaces.features import spectra

WAIT = 64  # rows
FEW = 6  # of these, in which nothing is copied
# names that came together; whether they are made, or clocks (growing.py); and after how many of the rows that are kept
Batch = tuple[list[Hashable], bool, bool, int]


class Wider:
    """Memory for a state of more inputs, and its companions, which is made and filled in steps."""

    def __init__(self) -> None:
        self.n_inputs = 0  # for which the following are ready
        self.halves: Halves | None = None
        self.companions: list[Any] | None = None

    def made(self, spec: Specification, learner: Any, clock: np.ndarray, companions: Any) -> Iterator[None]:
        """For a specification of more inputs than learner and companions have; clock (1,) has the rounds so far."""
        problem = spec.problem(1)
        yield
        if isinstance(learner, Steady) and spec.learner is Steady:
            self.halves = Halves(learner, padded(problem.weights))
            yield from self.halves.filled(learner, clock, WAIT - FEW)
        if companions is not None:
            self.companions = companions.wider(spec)
        self.n_inputs = spec.n_inputs
        yield

    def ready_for(self, n_inputs: int) -> "Wider | None":
        return self if self.n_inputs == n_inputs else None


class Waiting:
    def __init__(self, draws: int) -> None:
        self.batches: list[Batch] = []
        self.due = draws + WAIT
        self.start_over(draws)

    @property
    def names(self) -> list[Hashable]:
        """In the order in which they will be taken in."""
        return [name for names, *_ in self.batches for name in names]

    def start_over(self, draws: int) -> None:
        """With what is prepared, after so many draws."""
        self.seen = draws
        self.steps: Iterator[None] | None = None
        self.wider = Wider()

    def put_off(self, draws: int) -> None:
        """There is another state, for which all is prepared again."""
        self.due = draws + WAIT
        self.start_over(draws)

    def __getstate__(self) -> dict[str, Any]:
        """What is prepared is prepared again."""
        own = object.__new__(Waiting)
        vars(own).update(vars(self))
        own.start_over(self.seen)
        return vars(own)

    def prepare(self, model: Any) -> None:
        """One step for each row that has come."""
        if self.steps is None:
            self.steps = self._prepared(model)
        for _ in range(model.draws - self.seen):
            next(self.steps, None)
        self.seen = model.draws

    def _prepared(self, model: Any) -> Iterator[None]:
        n_inputs = model.room_for(len(self.names))
        if n_inputs > model.spec.n_inputs:
            spec = replace(model.spec, n_inputs=n_inputs)
            yield from self.wider.made(spec, model.state.learner, model.state.clock, model.companions)
        if model.state.space.spectral:
            for spectrum in spectra(model.spec.kernels):
                for names, *_ in self.batches:
                    of_columns(spectrum, tuple(map(repr, names)), model.spec.n_features, model.spec.random_state)
                    yield
