"""A stream whose kernels, with their memories, have companions: here what these say is joined with the rest.

What the record of a round has as said, and as its loss, is what all say together. So calibration, intervals, the mean
loss and whoever asks hear the same; kernels are compared by what they say themselves.
"""

from typing import Any

import numpy as np

from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.online.companions import Companions
from kernelpick.online.joined import JoinedStream
from kernelpick.online.learning import Stream
from kernelpick.online.plan import Plan
from kernelpick.online.said import Said

OF_KERNELS = 0.75  # in the stack, where a fit takes effect that ran beside the rounds; companions share the rest


class AccompaniedStream(JoinedStream):
    companions: Companions | None = None  # none where none are asked for, and for models of older files
    ends: bool = False  # whether a fit follows these rows, with which companions start again

    def __init__(self, plan: Plan) -> None:
        if plan.companions:
            self.companions = Companions(plan.specification, plan.companions)
        super().__init__(plan)

    def joined(self, X: np.ndarray, values: np.ndarray) -> np.ndarray:
        values = super().joined(X, values)
        return self.companions.joined(X, values) if self.companions else values

    def took_effect(self) -> None:
        """Kernels know all rows so far, companions have just their first trees: these are heard more as they prove
        good."""
        super().took_effect()
        if self.companions:
            weights = self.companions.stack.weights
            weights[:, 0], weights[:, 1:] = OF_KERNELS, (1.0 - OF_KERNELS) / len(self.companions.parts)

    def bounded_parts(self) -> list[Any]:
        return super().bounded_parts() + ([self.companions.stack] if self.companions else [])

    def _learn_piece(self, rows: Rows) -> Said:
        first = None if self.plan.spread else self.first
        self.ends = first is not None and first.count + len(rows.X) in self.preparation.fits
        return super()._learn_piece(rows)

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        self.ends = False
        if self.companions:
            self.companions.start_again()
        super()._begin_with(rows, before, counts)

    def _play(self, rows: Rows, record: np.ndarray | None) -> Outcome:
        own = None
        if self.companions and record is not None:  # what all but these say now
            own = super().joined(rows.X, Stream._decide(self, rows.X, False))
        outcome = super()._play(rows, record)
        if self.companions and not self.companions_rest:
            self.companions.play(rows, outcome, own, self.ends)
        return outcome
