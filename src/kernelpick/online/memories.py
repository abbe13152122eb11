"""How long to remember: the best kernel with several memories, mixed with the leader's prediction.

The leader forgets nothing. Beside it play hypotheses of the same kernel that forget, each at a pace of its own; they
are small, learn every row, and see what the leader says as one of their inputs, so that they learn what has changed and
not all again. They see what a line says, too, which forgets (line.py). A discounted mixture of the leader, of the line
and of these is what is said (core/selectors/discounted.py). It is an algorithm like any other, a space, a learner and a
selector, whose rows are these: some inputs, then the predictions of the first two.

The kernel is the one that leads when a fit ends. A class that appears starts the memories anew.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from kernelpick import core
from kernelpick.core import Outcome, Specification, State
from kernelpick.core.algorithms import MEMORIES
from kernelpick.core.kernels.frequencies import draw_frequencies
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.compilation import compiled, fma, found_once, machine_code
from kernelpick.core.problem import DOUBLE
from kernelpick.core.rounds import BLOCK
from kernelpick.core.selectors.discounted import KNOWN
from kernelpick.core.spaces.augmented import NO_KERNEL
from kernelpick.core.stream import play_rows
from kernelpick.online.line import FORGETTING, Line, fresh_line, learn_line, say_line


class Pace(NamedTuple):
    """What the hypotheses are: the first is the leader's own, which forgets nothing, the second the line's, if any."""

    forgetting: tuple[float, ...]
    wider: tuple[float, ...]  # times the leader's width: who remembers few rows can't tell much
    pairs: int  # frequencies, at most
    others: int = 1  # whose predictions are inputs: that of the leader, and that of the line
    batch: int = BLOCK  # rows that are taken in at a time: for small matrices fewer, as they cost more among themselves


# Those of today are the last, or where columns share places the one before; a model that was begun with others goes on.
PACES = (
    Pace((1.0, 0.999, 0.995, 0.98, 0.95), (1.0, 1.0, 1.0, 2.0, 4.0), 48),
    Pace((1.0, 0.998, 0.995, 0.98, 0.95), (1.0, 2.0, 1.0, 2.0, 4.0), 32),
    Pace((1.0, FORGETTING, 0.998, 0.995, 0.98, 0.95), (1.0, 1.0, 2.0, 1.0, 2.0, 4.0), 32, 2, 32),
)
TODAY = len(PACES) - 1
CROWDED = 1  # without a line, of which little is left where columns share places
PLACES = 32  # inputs, at most: further columns share places
MOST_COLUMNS = 1_000  # beyond, they share too few places,
BEHIND = 1.5  # times what the leader has paid, where memories begin beside one that knows all rows so far
MOST_OUTPUTS = 64  # and beyond these they cost too much: there are no memories


class Memories:
    """Of one arm of a model: so many places for inputs, sums of columns that share one are multiplied by the scale."""

    def __init__(self, spec: Specification, arm: int, places: int, scale: float, pace: int = TODAY) -> None:
        self.arm, self.places, self.scale, self.pace = arm, places, scale, pace
        self.spec = _specification(spec, spec.kernels[arm], PACES[pace], places, scale)
        self.others, outputs = PACES[pace].others, spec.n_outputs
        size, seed = self.spec.n_features, spec.random_state
        frequencies = draw_frequencies(size, places, orthogonal=spec.has_orthogonal, random_state=seed)
        unseen = np.zeros((len(frequencies), self.others * outputs))
        self.take(core.start(self.spec, np.hstack([frequencies, unseen])))
        self.state.space.frequencies[:, places:] = 0.0  # kernels do not see what others say,
        for other in range(self.others):  # and the first hypotheses are just that
            for m in range(outputs):
                self.state.space.weights[other, m, m - (self.others - other) * outputs] = 1.0
        self.line: Line | None = None
        if self.others > 1:
            self.line = fresh_line(not spec.loss_row.classifies, places, outputs, self.spec.problem(1).step_scale)

    def take(self, state: State) -> None:
        """Go on with this state. Its first arms have no use for a kernel."""
        self.state = state
        state.space.family[: self.others] = NO_KERNEL

    def follow(self, leader: State) -> None:
        """Begin behind the leader of a state that has learned all rows so far: as if all had been heard for some
        rounds, in which the others have paid more. In the first rounds it would be chance who is heard."""
        own, rounds, paid = self.state.selector, max(leader.rounds, 1), leader.ledger[2 + leader.leader]
        own.rounds[0], own.sums[:] = KNOWN, KNOWN * BEHIND * paid / rounds
        own.sums[0] /= BEHIND

    @property
    def shares(self) -> dict[float, float]:
        """The part of each memory in the next prediction."""
        parts = dict.fromkeys(PACES[self.pace].forgetting, 0.0)
        for forgetting, part in zip(PACES[self.pace].forgetting, self.state.probabilities.tolist(), strict=True):
            parts[forgetting] += part
        return parts

    def say(self, X: np.ndarray, values: np.ndarray) -> np.ndarray:
        """(T, M) what is said to scaled rows, to which the leader says these values."""
        X = self._rows(X, values)
        if self.line is not None:
            machine_code(say_line, self.line, _2)(self.line, X)
        return core.predict(self.spec, self.state, X)[0]

    def learn(self, rows: Rows, values: np.ndarray) -> Outcome:
        """Play scaled rows; what is said in each is in the outcome."""
        X, loss = self._rows(rows.X, values), self.spec.loss_key
        if self.line is not None:
            machine_code(learn_line, self.line, loss, _2, _2, _1)(self.line, loss, X, rows.Y, rows.weights)
        self.state, outcome = play_rows(self.spec, self.state, rows._replace(X=X), skips=True)
        return outcome

    def _rows(self, X: np.ndarray, values: np.ndarray) -> np.ndarray:
        out = np.zeros((len(X), self.places + self.others * values.shape[1]))
        _lay_out()(X, values, self.scale, self.places, out)
        return out


def begun(spec: Specification, arm: int, columns: int) -> Memories | None:
    """The memories of an arm, where rows have so many columns; None where these or the outputs are too many."""
    if spec.n_outputs > MOST_OUTPUTS or columns > MOST_COLUMNS:
        return None
    places = min(columns, PLACES)
    return Memories(spec, arm, places, float(-(-columns // places)) ** -0.5, CROWDED if columns > places else TODAY)


def _specification(spec: Specification, kernel: Any, pace: Pace, places: int, scale: float) -> Specification:
    """What they are in the terms of the core; kernels shrink as their inputs do."""
    return replace(
        spec,
        algorithm=replace(MEMORIES, size=MEMORIES.size._replace(batch=pace.batch)),
        kernels=tuple(replace(kernel, width=scale * wider * kernel.width) for wider in pace.wider),
        n_inputs=places + pace.others * spec.n_outputs,
        n_features=min(pace.pairs, spec.n_features),
        forgetting=(1.0,) * pace.others + pace.forgetting[pace.others :],
        hypotheses=1.0,
        precision=DOUBLE,  # newton that forgets has no use for less
    )


@compiled
def lay(X: np.ndarray, values: np.ndarray, scale: float, places: int, out: np.ndarray) -> None:
    """out, which is zero: in each row the columns, further ones in the places of the first, and then the values.

    A column that shares a place has a sign of its own, so that sums of many cancel (Weinberger and others, 2009).
    """
    for row in range(len(X)):
        for k in range(X.shape[1]):
            x = X[row, k]
            if x != 0.0:
                lap = k // places
                sign = -1.0 if lap > 0 and (k * 2654435761 >> 16) & 1 else 1.0
                out[row, k % places] = fma(sign * scale, x, out[row, k % places])
        for m in range(values.shape[1]):
            out[row, places + m] = values[row, m]


_1, _2 = np.zeros(1), np.zeros((1, 1))
_lay_out = found_once(lay, _2, _2, 1.0, 1, _2)
