"""Columns and outputs that come while a fit is under way (job.py).

The fit has chosen scales, kernels and a metric without them. Its stream takes each in before it learns the row that the
column or the class came with, as the model itself has done. Until then it sees rows as they were when the fit began.
Memory that a larger state needs is made beside the rounds before.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from kernelpick.core import State
from kernelpick.online.heats import Arm, carry, one_arm
from kernelpick.online.kept_rows import AsItWas
from kernelpick.online.preparation import NONE_TO_COME
from kernelpick.online.waiting import Wider


class Came(NamedTuple):
    """Columns that a model has taken in while a fit is under way, after so many rows of the fit."""

    names: list[Hashable]
    made: bool
    clock: bool
    since: int
    n_inputs: int  # that the model had from then on


class Late:
    """Those columns, in the order in which they came, for the stream of a fit. Outputs are those of its kept rows."""

    def __init__(self, shadow: Any, came: list[Came], kept: AsItWas) -> None:
        self.shadow, self.came, self.kept = shadow, came, kept
        self.taken = 0
        self.whole: Arm | None = None  # the state of all arms, where the stream plays one of them
        self.start_over()

    def start_over(self) -> None:
        """With what is prepared."""
        self.wider = Wider()
        self.steps: Iterator[None] | None = None

    def plays_one_of(self, whole: Arm, winner: int) -> None:
        """From now on the stream plays this arm of a state."""
        self.whole, self.winner = whole, winner

    @property
    def next_row(self) -> int:
        """Before which something is to be taken in."""
        return min(self._next_column, self._next_output)

    @property
    def _next_column(self) -> int:
        return self.came[self.taken].since if self.taken < len(self.came) else NONE_TO_COME

    @property
    def _next_output(self) -> int:
        outputs = self.kept.next_outputs
        return NONE_TO_COME if outputs is None else outputs.since

    def take(self) -> None:
        """What has come with the next row: columns, or else outputs."""
        shadow, alone = self.shadow, self.shadow.state
        if self.whole is not None:
            shadow.spec, shadow.state = self.whole
            carry(alone, shadow.state)
        if self._next_column == self.next_row:
            shadow.take_again(self.came[self.taken], self.wider)
            self.kept.columns, self.kept.wide = len(shadow.column_names), shadow.spec.n_inputs
            self.taken += 1
        else:
            shadow.remap_again(self.kept.next_outputs)
            self.kept.known += 1
            if self.whole is not None:
                alone.selector.hear_others()
        if self.whole is not None:
            self.whole = shadow.spec, shadow.state
            shadow.spec, state = one_arm(*self.whole, self.winner)
            shadow.state = State(state.space, state.learner, alone.selector, alone.ledger)
            shadow.state.share_code(state)
        self.start_over()

    def prepare(self) -> None:
        """One step of what it takes to have more inputs, if those that have come need them."""
        if self.whole is None or self.taken == len(self.came):
            return
        spec, state = self.whole
        n_inputs = next((one.n_inputs for one in self.came[self.taken :] if one.n_inputs > spec.n_inputs), 0)
        if self.steps is None and n_inputs:
            self.steps = self.wider.made(replace(spec, n_inputs=n_inputs), state.learner, state.clock, None)
        if self.steps is not None:
            next(self.steps, None)
