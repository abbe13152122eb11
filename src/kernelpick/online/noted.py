"""A stream that notes what it thinks of its kernels: at powers of two, after fits, and when somebody else leads.

A selector that has estimates of its own tells when that is, in the very round (core.record.Turn). For the others, whose
arms are drawn or play together, it is looked at every GRID rounds, or at the ends of the watch's windows.
"""

import numpy as np

from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.online.calibrated import CalibratedStream
from kernelpick.online.history import CHALLENGE, FIT, LEAD, ROUND, Entry, History, entry
from kernelpick.online.plan import Plan
from kernelpick.online.said import Said, part_of

GRID = 512  # rounds


class NotedStream(CalibratedStream):
    replays = False  # whether rows are played again, by a fit

    def __init__(self, plan: Plan) -> None:
        self.history = History()
        super().__init__(plan)

    def look(self) -> None:
        """After each piece: note how things stand, if it is time."""
        state, rounds = self.state, self.rounds
        is_time = rounds & (rounds - 1) == 0
        if state is None or not (is_time or self._at_an_end(rounds)):
            return
        last, tells = self.history.last, hasattr(state.selector, "estimates")
        turned = not tells and last is not None and last.leader != state.leader
        if turned or is_time:
            self.history.add(self._entry(LEAD if turned else ROUND, rounds, state.leader, state.losses))

    def now(self) -> Entry:
        """How things stand, once there are kernels."""
        assert self.state is not None
        return self._entry(ROUND, self.rounds, self.state.leader, self.state.losses)

    def _at_an_end(self, rounds: int) -> bool:
        """Of a window of the watch, where pieces end anyway; without a watch, every GRID rounds."""
        watch = self.watch
        return rounds % GRID == 0 if watch is None or self.first is not None else watch.rows == 0

    def _entry(self, why: str, rounds: int, leader: int, losses: np.ndarray) -> Entry:
        """Of estimates of a selector's own only differences count: the leader's is taken to be the mean so far."""
        assert self.state is not None
        if hasattr(self.state.selector, "estimates"):
            losses = losses - losses[leader] + (self.said.plain / self.said.weight if self.said.weight else np.nan)
        return entry(rounds, why, self.spec.kernels, leader, losses, self.said.mean, self.coverage)

    def _left(self) -> int:
        """Pieces end where it is time to look."""
        rounds = self.rounds
        left = min(super()._left(), (1 << rounds.bit_length()) - rounds)
        return min(left, GRID - rounds % GRID) if self.watch is None else left

    def _learn_piece(self, rows: Rows) -> Said:
        said = super()._learn_piece(rows)
        self.look()
        return said

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        self.replays = True
        try:
            super()._begin_with(rows, before, counts)
        finally:
            self.replays = False
        if self.state is not None and self.rounds:
            self.history.add(self._entry(FIT, self.rounds, self.state.leader, self.state.losses))

    def _count(self, rows: Rows, units: np.ndarray, outcome: Outcome, counts: bool) -> None:
        """Up to each turn, which is noted with the losses and the coverage of its own round, and then the rest."""
        if self.replays or not outcome.turns:
            super()._count(rows, units, outcome, counts)
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
