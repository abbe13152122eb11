"""A stream whose kernels have companions: here predictions of several parts are joined, and nowhere else.

What the record of a round has as said, and as its loss, is what all say together. So calibration, intervals, the mean
loss and whoever asks hear the same; kernels are compared by what they say themselves.
"""

import numpy as np

from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.online.companions import Companions
from kernelpick.online.learning import Stream
from kernelpick.online.plan import Plan


class AccompaniedStream(Stream):
    companions: Companions | None = None  # none where none are asked for, and for models of older files

    def __init__(self, plan: Plan) -> None:
        if plan.companions:
            self.companions = Companions(plan.specification, plan.companions)
        super().__init__(plan)

    def _decide(self, X: np.ndarray, drawn: bool) -> np.ndarray:
        return self.joined(X, super()._decide(X, drawn))

    def joined(self, X: np.ndarray, values: np.ndarray) -> np.ndarray:
        """What kernels say to scaled rows, joined with what companions say."""
        return self.companions.joined(X, values) if self.companions else values

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        if self.companions:
            self.companions.start_again()
        super()._begin_with(rows, before, counts)

    def _play(self, rows: Rows, record: np.ndarray | None) -> Outcome:
        own = super()._decide(rows.X, False) if self.companions and record is not None else None
        outcome = super()._play(rows, record)
        if self.companions:
            self.companions.play(rows, outcome, own)
        return outcome
