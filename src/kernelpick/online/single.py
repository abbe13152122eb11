"""The way of a single row: the calls of learning.py and of what follows it, with all that they need found once.

Making arrays and finding machine code takes longer than a round. So a model that is given a row at a time has arrays
for one row, and calls whose arguments are ready. They are of the model as it is; where something else takes the place
of one of its parts, with a fit, a column, a class or an epoch, they are made anew. A row with which something is due,
as a fit or an epoch, goes the long way, and so does what follows a round that ended in another way than usual. The
bits are the same, as they are for any cut of the stream.
"""

import math
from functools import partial
from struct import Struct
from typing import Any

import numpy as np

from kernelpick.core import NO_WEIGHTS, Outcome
from kernelpick.core.companions import learn_rows, predict_rows
from kernelpick.core.companions.stack import join, learn_to_join
from kernelpick.core.loop import ASKED, ONLY_PREDICTS, TURN, Rows, ask_leader, play
from kernelpick.core.numerics.compilation import compiled
from kernelpick.core.numerics.sequences import Call, Seen, Sequence
from kernelpick.core.record import SAID, asking, new_record
from kernelpick.core.state import CLOCK
from kernelpick.core.stream import FIRST_EPOCH, PAGE, page_of_numbers, turn
from kernelpick.online.calibration import learn_scores
from kernelpick.online.companions import NOTHING
from kernelpick.online.intervals import learn_residuals
from kernelpick.online.kept_rows import put_next
from kernelpick.online.line import learn_line, say_line
from kernelpick.online.mean_loss import add_losses
from kernelpick.online.memories import lay
from kernelpick.online.scaling import scale_and_count, scale_rows
from kernelpick.online.target_scale import rate
from kernelpick.online.units import to_units_of
from kernelpick.online.watch import WINDOW


class Single:
    """Of a model that has kernels. Its rows are those of `row_of`, which are always the same array."""

    def __init__(self, model: Any) -> None:
        spec, inputs, outputs = model.spec, model.spec.n_inputs, model.spec.n_outputs
        self.row, self.spec, self.state, self.said = model._row, spec, model.state, model.said
        self.inputs, self.targets, self.memories = model.inputs, model.targets, model.memories
        self.companions = model.companions if model.companions else None
        self.stack = self.companions and self.companions.stack
        self.first, self.rest = model.first, model.companions_rest
        self.target, self.X, self.Y = np.empty((1, outputs)), np.empty((1, inputs)), np.empty((1, outputs))
        self.units, self.record = np.empty((4, 1, outputs)), new_record(spec, 1)
        self.all = self.state.selector.plays_all  # they say it together
        self.told = new_record(spec, 1) if self.all else asking(spec, 1, 0, 0)
        self.values = self.told[:, SAID : SAID + outputs]  # what is said to a row that is not learned
        self.numbers, self.page, self.page_number = np.empty((1, spec.row.numbers)), [[0.0]], -1
        self.write = Struct(f"{spec.row.numbers}d").pack_into  # NumPy takes longer
        rounds = self.state.rounds
        self.epoch = max(FIRST_EPOCH, 1 << (rounds - 1).bit_length()) if spec.has_epochs else math.inf  # its end
        self.rows = Rows(self.X, self.Y, NO_WEIGHTS, self.numbers)
        self.given = Rows(self.row, self.target, NO_WEIGHTS, self.numbers)
        self.kept = self.first if self.first is not None else model.watch and model.watch.recent
        self.counted = np.zeros(1, np.int64)
        table, targets = model.inputs.table, model.targets.table
        says: list[Call] = [(scale_rows, (table, self.row, self.X)), *self._prediction()]
        scaled = table, self.row, self.X, targets, self.target, self.Y, self.units
        plays = self.state.packed, spec.loss_key, spec.mode, self.rows, self.record
        begins: list[Call] = [(scale_and_count, scaled), (play, plays)]
        follows: list[Call] = []
        if model.memories is not None:
            self._with_memories(model.memories, says, follows)
        if self.companions is not None:
            self._with_companions(self.companions, says, follows)
        says += [(to_units_of, (targets, self.values))]
        seen: Seen = {}
        self.sequences = [Sequence(calls, seen) for calls in (says, begins, follows + self._counts(model))]
        self.say, self.begin, self.follow = (partial(one.code, one.address) for one in self.sequences)

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """A copy of a model has none, and makes one of its own."""
        return type(None), ()

    # what is called

    def _prediction(self) -> list[Call]:
        """As core.predict."""
        unlearned, state = self.rows._replace(numbers=np.zeros_like(self.numbers)), self.state
        mode = ONLY_PREDICTS if self.all else ONLY_PREDICTS | ASKED
        calls: list[Call] = [] if self.all else [(ask_leader, (state.probabilities, state.seats, self.told))]
        return [*calls, (play, (state.packed, self.spec.loss_key, mode, unlearned, self.told))]

    def _with_memories(self, memories: Any, says: list[Call], follows: list[Call]) -> None:
        """What they say takes the place of what the leader says, in the same record."""
        spec, outputs, held = memories.spec, self.spec.n_outputs, memories.state.packed
        X, line = np.empty((1, spec.n_inputs)), memories.line
        unlearned = Rows(X, self.Y, NO_WEIGHTS, np.zeros((1, spec.row.numbers)))
        for calls, mode, rows, told in (
            (says, ONLY_PREDICTS, unlearned, self.told[:, : SAID + outputs]),
            (follows, spec.mode, self.rows._replace(X=X), self.record[:, : SAID + outputs]),
        ):
            calls += [(_clear, (X,)), (lay, (self.X, told[:, SAID:], memories.scale, memories.places, X))]
            if line is not None and calls is says:
                calls += [(say_line, (line, X))]
            elif line is not None:
                calls += [(learn_line, (line, spec.loss_key, X, self.Y, NO_WEIGHTS))]
            calls += [(play, (held, spec.loss_key, mode, rows, told))]

    def _with_companions(self, companions: Any, says: list[Call], follows: list[Call]) -> None:
        """As Companions._play; what they said to the very row a moment ago, they need not say again. They may rest."""
        loss, stack, heard = self.spec.loss_key, companions.stack, np.zeros(1, np.int64)
        said, asked = np.empty((len(companions.parts), 1, self.spec.n_outputs)), np.full((1, 1 + self.X.shape[1]), -1.0)
        learns: list[Call] = [(_recognise, (self.X, companions.rows, asked, heard))]
        for part, own in zip(companions.parts, said, strict=True):
            held = companions.held(part)
            says += [(predict_rows, (held, self.X, own))]
            learns += [(learn_rows, (held, heard, loss, self.rows, self.record, own))]
        says += [(_note_down, (self.X, companions.rows, asked)), (join, (stack, self.values, said))]
        learns += [(learn_to_join, (stack, loss, self.record, NOTHING, said, self.Y, NO_WEIGHTS))]
        follows += [] if self.rest else learns

    def _counts(self, model: Any) -> list[Call]:
        """As CalibratedStream._count and Watch.add."""
        told, units, said, own = (self.record, self.Y), self.units, model.said, model.intervals
        sums = self.spec.loss_key, said.sums, *told, units, NO_WEIGHTS, said.power, said.several
        calls: list[Call] = [(add_losses, sums)]
        if model.has_logs:
            calls += [(rate, (model.targets.table, *told, units))]
        if own is not None:
            about = own.bounds, own.tally, own.slopes, own.head
            calls += [(learn_residuals, (*about, self.X, self.Y, self.record, units))]
        if model.calibration is not None:
            calls += [(learn_scores, (model.calibration.table, model.calibration.sets, *told, NO_WEIGHTS, units))]
        if self.kept and not self.kept.compact:
            into = self.kept.X, self.kept.Y, self.kept.draws, self.counted
            calls += [(put_next, (*into, *self.given))]
        return calls

    # what is done with a row

    def is_of(self, model: Any) -> bool:
        """Whether the model is made of the same parts still."""
        companions = self.companions
        return (
            model.state is self.state
            and model.spec is self.spec
            and model._row is self.row
            and model.inputs is self.inputs
            and model.targets is self.targets
            and model.memories is self.memories
            and model.first is self.first
            and (companions is None or companions.stack is self.stack)
            and model.said is self.said
        )

    def decide(self, model: Any) -> np.ndarray | None:
        """As CalibratedStream.decide: values (1, M), in an array that the next call writes to; None if it can't."""
        if not self.is_of(model):
            return None
        self.say()
        if model.calibration is not None and model.calibration.shifts:
            self.values += model.calibration.offsets
        return self.values

    def learn(self, model: Any, target: np.ndarray | float) -> bool:
        """As Stream.learn, for the row that is in its array; False if it can't come here."""
        watch, kept, job = model.watch, self.kept, model.job
        if not self.is_of(model) or self.state.ledger.item(CLOCK) >= self.epoch:
            return False  # an epoch begins
        if self.first is not None and (
            self.first.count + 1 in model.preparation.fits or (job is not None and model.companions_rest != self.rest)
        ):
            return False  # a fit is due, or companions begin to rest
        if isinstance(target, float):
            self.target[0, 0] = target
        else:
            self.target[0] = target[0]
        self._draw(model.draws)
        model.draws += 1
        strays, why = self.begin()
        if why:
            self._go_on(model, why)
        else:
            self.counted[0] = kept.count if kept else 0
            self.follow()
        if kept:
            if why or kept.compact:
                kept.add(self.given)
            else:
                kept.count += 1
        if watch is not None and self.first is None:
            watch.rows += 1
            watch.strays += strays
            if watch.rows == WINDOW:
                model.window_ends()
        if job is not None:
            model.beside(self.given)
        elif model.ahead is not None:
            next(model.ahead.steps, None)
        model.passed(1)
        if model.waiting is not None:
            model.wait()
        if model.notices:
            model.give_notice()
        return True

    def _draw(self, position: int) -> None:
        """The numbers that decide the round."""
        number, place = divmod(position, PAGE)
        if number != self.page_number:
            page = page_of_numbers(self.spec.random_state, number, self.spec.row.numbers)
            self.page_number, self.page = number, page.tolist()
        self.write(self.numbers, 0, *self.page[place])  # type: ignore[arg-type]

    def _go_on(self, model: Any, why: int) -> None:
        """After a turn; or else nothing was learned, and the row is played the long way."""
        if why == TURN:
            outcome = Outcome(self.spec, self.record, None, [turn(self.state, 1)])
            model.remember(self.rows, outcome)
            if self.companions is not None and not self.rest:
                self.companions.play(self.rows, outcome)
            model._count(self.rows, self.units, outcome, True)
        else:
            model._play_rounds(self.rows, self.units)


@compiled
def _clear(X: np.ndarray) -> None:
    X[:] = 0.0


@compiled
def _note_down(X: np.ndarray, rows: np.ndarray, asked: np.ndarray) -> None:
    """The row that companions were asked about, and how many they had learned."""
    asked[0, 0] = rows[0]
    asked[0, 1:] = X[0]


@compiled
def _recognise(X: np.ndarray, rows: np.ndarray, asked: np.ndarray, heard: np.ndarray) -> None:
    """Whether it is that row, bit by bit, and they have learned nothing since; then one more is counted."""
    heard[0] = 1 if asked[0, 0] == rows[0] else 0
    for k in range(X.shape[1]):
        x, then = X[0, k], asked[0, 1 + k]
        if x != then or (x == 0.0 and math.copysign(1.0, x) != math.copysign(1.0, then)):
            heard[0] = 0
    rows[0] += 1


def single_of(model: Any) -> Single | None:
    """None for a model that has no kernels yet, or does more with a row than is told above."""
    begins = model.state is None or (model.plan.memories and model.memories is None)
    return None if begins or model.balance is not None or model.again or not model._row.size else Single(model)
