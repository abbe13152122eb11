"""A stream in which what several parts say becomes one prediction: the leader, then the memories beside it.

Each part is given what the parts before it say to a row, and says what it makes of that; the last one is heard. All
that follows, losses, calibration and intervals, goes by what is heard. A further part takes its place at the end of
`joined`, `_play` and `begin_joined`.
"""

from typing import Any

import numpy as np

from kernelpick import core
from kernelpick.core import Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.core.record import LOSS, SAID
from kernelpick.online.memories import Memories, begun
from kernelpick.online.metric import plain_leader
from kernelpick.online.sliced import SlicedStream


class JoinedStream(SlicedStream):
    """Parts beside the leader begin anew with every state, and with every class that appears."""

    memories: Memories | None = None

    def joined(self, X: np.ndarray, values: np.ndarray) -> np.ndarray:
        """(T, M) what is heard in scaled rows, to which the leader says these values."""
        return values if self.memories is None else self.memories.say(X, values)

    def begin_joined(self) -> None:
        """For the state as it is, if there is one."""
        self.memories = None
        if self.state is not None and self.plan.memories:
            self.memories = begun(self.spec, plain_leader(self.state, self.spec.kernels), self.n_columns)

    def took_effect(self) -> None:
        super().took_effect()
        self.begin_joined()
        if self.memories is not None:
            self.memories.follow(self.state)  # type: ignore[arg-type]
        for own in self.bounded_parts():
            own.seen[:] = getattr(self.state.learner, "seen", own.seen)  # type: ignore[union-attr]

    def bounded_parts(self) -> list[Any]:
        """Whose predictions stay near the range of the targets seen: of these, the leader of a fit knows more than who
        has just begun."""
        return [] if self.memories is None else [self.memories.state.learner, *filter(None, [self.memories.line])]

    def _decide(self, X: np.ndarray, drawn: bool) -> np.ndarray:
        return self.joined(X, super()._decide(X, drawn))

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        self.memories = None  # they begin when it is known who leads
        super()._begin_with(rows, before, counts)

    def _play(self, rows: Rows, record: np.ndarray | None) -> Outcome:
        now = None
        if record is not None and self.memories is not None:
            assert self.state is not None
            now = core.predict(self.spec, self.state, rows.X, rows.numbers[0])[0]
        outcome = super()._play(rows, record)
        self.remember(rows, outcome, now)
        return outcome

    def remember(self, rows: Rows, outcome: Outcome, now: np.ndarray | None = None) -> None:
        """Rows that the leader has played: memories learn them, or begin. What is heard goes into the record; or not,
        where the record is of what was said earlier, and the leader says something else now."""
        if self.memories is None:
            self.begin_joined()
        if self.memories is not None:
            said = outcome.predictions if now is None else now
            told = _learned(self.memories, rows, np.ascontiguousarray(said), outcome.losses)
            if now is None:
                outcome.record[:, SAID : SAID + said.shape[1]], outcome.record[:, LOSS] = told


def _learned(memories: Memories, rows: Rows, said: np.ndarray, losses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Predictions (T, M) and losses (T,) of the memories, where the leader says and pays these.

    Rows that the leader has passed over are passed over.
    """
    played = np.isfinite(losses)
    if played.all():
        outcome = memories.learn(rows, said)
        return outcome.predictions, outcome.losses
    outcome = memories.learn(Rows(*(given[played] if len(given) else given for given in rows)), said[played])
    said, losses = said.copy(), losses.copy()
    said[played], losses[played] = outcome.predictions, outcome.losses
    return said, losses
