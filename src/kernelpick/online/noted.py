"""A stream that notes what it thinks of its kernels: at powers of two, after fits, and when somebody else leads.

A selector that has estimates of its own tells when that is, in the very round (core.record.Turn). For the others, whose
arms are drawn or play together, it is looked at every GRID rounds: with the windows of the watch, if there is one.
"""

import numpy as np

from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.online.calibrated import CalibratedStream
from kernelpick.online.history import CHALLENGE, FIT, LEAD, ROUND, Entry, History, entry
from kernelpick.online.plan import Plan
from kernelpick.online.said import Said, part_of
from kernelpick.online.watch import WINDOW

GRID = WINDOW  # rounds


class NotedStream(CalibratedStream):
    replays = False  # whether rows are played again, by a fit
    until = 0  # rows that can come before it is time to look, at least; a single row should not cost more than that

    def __init__(self, plan: Plan) -> None:
        self.history = History(plan.specification.row.size.entries)
        super().__init__(plan)

    def look(self) -> None:
        """Note how things stand, if it is time."""
        state, rounds = self.state, self.rounds
        is_time, is_end = rounds & (rounds - 1) == 0, self._to_the_end(rounds) == GRID
        self.until = self._to_the_next(rounds)
        if state is None or not (is_time or is_end):
            return
        last, tells = self.history.last, hasattr(state.selector, "estimates")
        turned = not tells and last is not None and last.leader != state.leader
        if turned or is_time:
            self.history.add(self._entry(LEAD if turned else ROUND, rounds, state.leader, state.losses))

    def _to_the_end(self, rounds: int) -> int:
        """Rows to the end of a window of the watch, where pieces end anyway; without a watch, of GRID rounds."""
        return GRID - rounds % GRID if self.watch is None or self.first is not None else self.watch.left

    def _to_the_next(self, rounds: int) -> int:
        """Rows to the next time to look, if each of them is a round."""
        return min(self._to_the_end(rounds), (1 << rounds.bit_length()) - rounds)

    def now(self) -> Entry:
        """How things stand, once there are kernels."""
        assert self.state is not None
        return self._entry(ROUND, self.rounds, self.state.leader, self.state.losses)

    def _entry(self, why: str, rounds: int, leader: int, losses: np.ndarray) -> Entry:
        """Of estimates of a selector's own only differences count: the leader's is taken to be the mean so far."""
        assert self.state is not None
        if hasattr(self.state.selector, "estimates"):
            losses = losses - losses[leader] + (self.said.plain / self.said.weight if self.said.weight else np.nan)
        return entry(rounds, why, self.spec.kernels, leader, losses, self.said.mean, self.coverage)

    def _left(self) -> int:
        """Pieces end where it is time to look."""
        return min(super()._left(), self._to_the_next(self.rounds))

    def _learn_piece(self, rows: Rows) -> Said:
        said = CalibratedStream._learn_piece(self, rows)  # which costs less than super(), and here that shows
        self.until -= len(rows.X)
        if self.until <= 0:
            self.look()
        return said

    def passed(self, count: int) -> None:
        """So many rows have been learned, or passed over."""
        self.until -= count
        if self.until <= 0:
            self.look()

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        self.replays = True
        try:
            super()._begin_with(rows, before, counts)
        finally:
            self.replays = False
        self._note_fit()

    def took_effect(self) -> None:
        super().took_effect()
        self._note_fit()

    def _note_fit(self) -> None:
        if self.state is not None and self.rounds:
            self.history.add(self._entry(FIT, self.rounds, self.state.leader, self.state.losses))

    def _count(self, rows: Rows, units: np.ndarray, outcome: Outcome, counts: bool) -> None:
        """Up to each turn, which is noted with the losses and the coverage of its own round, and then the rest."""
        if self.replays or not outcome.turns:
            CalibratedStream._count(self, rows, units, outcome, counts)
            return
        done, total = 0, len(rows.X)
        for stop, turn in [*((turn.row, turn) for turn in outcome.turns), (total, None)]:
            part = slice(done, stop)
            own = np.ascontiguousarray(units[:, part])
            super()._count(part_of(rows, part), own, Outcome(outcome.spec, outcome.record[part], None), counts)
            units[:, part] = own
            done = stop
            if turn is not None:
                why = CHALLENGE if turn.challenged else LEAD
                self.history.add(self._entry(why, self.given_up + turn.round, turn.leader, turn.losses))
