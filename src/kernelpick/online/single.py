"""The way of a single row: the calls of learning.py and of what follows it, with all that they need found once.

Making arrays and finding machine code takes longer than a round. So a model that is given a row at a time has arrays
for one row, and calls whose arguments are ready. They are of the model as it is; where something else takes the place
of one of its parts, with a fit, a column, a class or an epoch, they are made anew. A row with which something is due,
as the end of a window or a look at the kernels, goes the long way, and so does what follows a round that ended in
another way than usual. The bits are the same, as they are for any cut of the stream.
"""

from collections.abc import Callable
from functools import partial
from operator import is_
from typing import Any

import numpy as np

from kernelpick.core import NO_WEIGHTS, Outcome
from kernelpick.core.companions import learn_rows, predict_rows
from kernelpick.core.companions.stack import join, learn_to_join
from kernelpick.core.loop import ONLY_PREDICTS, TURN, Rows, evaluate_rows, play
from kernelpick.core.numerics.compilation import machine_code
from kernelpick.core.numerics.held import Held
from kernelpick.core.record import SAID, new_record
from kernelpick.core.stream import FIRST_EPOCH, PAGE, page_of_numbers, turn
from kernelpick.online.calibration import learn_scores
from kernelpick.online.companions import NOTHING
from kernelpick.online.intervals import learn_residuals
from kernelpick.online.kept_rows import put_rows
from kernelpick.online.mean_loss import add_losses
from kernelpick.online.memories import lay_out
from kernelpick.online.scaling import count_rows, scale_rows, to_units_of
from kernelpick.online.target_scale import rate
from kernelpick.online.watch import WINDOW


class Single:
    """Of a model that is done with its fits. Its rows are those of `row_of`, which are always the same array."""

    def __init__(self, model: Any) -> None:
        spec, inputs, outputs = model.spec, model.spec.n_inputs, model.spec.n_outputs
        self.parts, self.row, self.spec, self.state = _parts(model), model._row, spec, model.state
        self.target, self.X, self.Y = np.empty((1, outputs)), np.empty((1, inputs)), np.empty((1, outputs))
        self.units, self.record = np.empty((4, 1, outputs)), new_record(spec, 1)
        self.told = np.empty((1, SAID + outputs))
        self.values = self.told[:, SAID:]  # what is said to a row that is not learned
        self.numbers, self.page, self.page_number = np.empty((1, spec.row.numbers)), np.empty((0, 0)), -1
        self.rows = Rows(self.X, self.Y, NO_WEIGHTS, self.numbers)
        self.says: list[Callable[[], Any]] = []
        self.learns: list[Callable[[], Any]] = []
        self._ready_leader(model)
        if model.memories is not None:
            self._ready_memories(model.memories)
        self.companions = model.companions if model.companions else None
        self.asks: list[Callable[[], Any]] = []
        self.teaches: list[tuple[Any, Any, tuple[Any, ...]]] = []
        self.heard, self.heard_rows = b"", -1  # the row that companions were asked about last, and those before it
        if self.companions:
            self._ready_companions(self.companions)
        self.counts = self._ready_counts(model)
        given, kept = Rows(self.row, self.target, NO_WEIGHTS, self.numbers), model.watch and model.watch.recent
        self.keep: Any = kept and (partial(kept.add, given) if kept.compact else partial(_put, kept, given))

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """A copy of a model has none, and makes one of its own."""
        return type(None), ()

    # calls whose arguments are ready

    def _ready_leader(self, model: Any) -> None:
        state, spec, inputs, targets = self.state, self.spec, model.inputs.table, model.targets.table
        self.says += [_ready(scale_rows, inputs, self.row, self.X)]
        self.says += [_ready(evaluate_rows, state.speakers, -1, self.X, self.values)]
        self.in_units = _ready(to_units_of, targets, self.values)
        self.count = partial(count_rows(), inputs, self.row, self.X, targets, self.target, self.Y, self.units)
        self.play = _ready(play, state.packed, spec.loss_key, spec.mode, self.rows, self.record)

    def _ready_memories(self, memories: Any) -> None:
        """What they say takes the place of what the leader says, in the same record."""
        spec, outputs, held = memories.spec, self.spec.n_outputs, memories.state.packed
        X, heard = np.empty((1, memories.places + outputs)), self.record[:, : SAID + outputs]
        unlearned = Rows(X, self.Y, NO_WEIGHTS, np.zeros((1, spec.row.numbers)))
        for calls, mode, rows, told in (
            (self.says, ONLY_PREDICTS, unlearned, self.told),
            (self.learns, spec.mode, self.rows._replace(X=X), heard),
        ):
            calls += [partial(X.fill, 0.0), partial(lay_out(), self.X, told[:, SAID:], memories.scale, X)]
            calls += [_ready(play, held, spec.loss_key, mode, rows, told)]

    def _ready_companions(self, companions: Any) -> None:
        loss, stack = self.spec.loss_key, companions.stack
        said = np.empty((len(companions.parts), 1, self.spec.n_outputs))
        for part, own in zip(companions.parts, said, strict=True):
            held = companions.held(part)
            code = machine_code(learn_rows, held, False, loss, self.rows, self.record, own)
            self.asks += [_ready(predict_rows, held, self.X, own)]
            self.teaches += [(code, held.address, (loss, self.rows, self.record, own))]
        self.join = _ready(join, stack, self.values, said)
        self.learn_to_join = _ready(learn_to_join, stack, loss, self.record, NOTHING, said, self.Y, NO_WEIGHTS)

    def _ready_counts(self, model: Any) -> list[Callable[[], Any]]:
        """As CalibratedStream._count."""
        told, said, calibration, own = (self.record, self.Y), model.said, model.calibration, model.intervals
        sums = self.spec.loss_key, said.sums, *told, self.units, NO_WEIGHTS, said.power, said.several
        calls = [_ready(add_losses, *sums)]
        if model.has_logs:
            calls += [_ready(rate, model.targets.table, *told, self.units)]
        if own is not None:
            about = own.bounds, own.tally, own.slopes, own.head
            calls += [_ready(learn_residuals, *about, self.X, self.Y, self.record, self.units)]
        if calibration is not None:
            calls += [_ready(learn_scores, calibration.table, calibration.sets, *told, NO_WEIGHTS, self.units)]
        return calls

    # what is done with a row

    def is_of(self, model: Any) -> bool:
        """Whether the model is made of the same parts still."""
        return all(map(is_, self.parts, _parts(model)))

    def decide(self, model: Any) -> np.ndarray | None:
        """As CalibratedStream.decide: values (1, M), in an array that the next call writes to; None if it can't."""
        if not self.is_of(model):
            return None
        for call in self.says:
            call()
        if self.companions is not None:
            for call in self.asks:
                call()
            self.heard, self.heard_rows = self.X.tobytes(), int(self.companions.rows[0])
            self.join()
        self.in_units()
        if model.calibration is not None and model.calibration.shifts:
            self.values += model.calibration.offsets
        return self.values

    def learn(self, model: Any) -> bool:
        """As Stream.learn, for the row and the target that are in their arrays; False if that row can't come here."""
        watch = model.watch
        if model.until <= 1 or (watch is not None and watch.rows >= WINDOW - 1) or not self.is_of(model):
            return False
        if self.spec.has_epochs:
            rounds = self.state.rounds
            if rounds >= FIRST_EPOCH and rounds & (rounds - 1) == 0:
                return False
        self._draw(model.draws)
        model.draws += 1
        strays = self.count()
        why = self.play()[1]
        if why:
            self._go_on(model, why)
        else:
            for call in self.learns:
                call()
            if self.companions is not None:
                self._teach(self.companions)
            for call in self.counts:
                call()
        if watch is not None:
            self.keep()
            watch.rows += 1
            watch.strays += strays
        model.until -= 1
        if model.notices:
            model.give_notice()
        return True

    def _draw(self, position: int) -> None:
        """The numbers that decide the round."""
        number, place = divmod(position, PAGE)
        if number != self.page_number:
            self.page_number, self.page = number, page_of_numbers(self.spec.random_state, number, self.spec.row.numbers)
        self.numbers[0] = self.page[place]

    def _teach(self, companions: Any) -> None:
        """As Companions._play; what they said to this very row a moment ago, they need not say again."""
        heard = self.heard_rows == companions.rows[0] and self.heard == self.X.tobytes()
        companions.rows += 1
        for code, held, about in self.teaches:
            code(held, heard, *about)
        self.learn_to_join()

    def _go_on(self, model: Any, why: int) -> None:
        """After a turn; or else nothing was learned, and the row is played the long way."""
        if why != TURN:
            model._play_rounds(self.rows, self.units)
            return
        outcome = Outcome(self.spec, self.record, None, [turn(self.state, 1)])
        model.remember(self.rows, outcome)
        if self.companions is not None:
            self.companions.play(self.rows, outcome)
        model._count(self.rows, self.units, outcome, True)


def single_of(model: Any) -> Single | None:
    """None for a model that has fits to come, or does more with a row than is told above."""
    waits = model.state is None or model.first is not None
    begins = model.plan.memories and model.memories is None
    return None if waits or begins or model.balance is not None or model.again or not model._row.size else Single(model)


def _parts(model: Any) -> tuple[Any, ...]:
    """All that calls are made ready with: what is not there any more, nobody may write to."""
    memories, companions, watch = model.memories, model.companions, model.watch
    return (
        model._row,
        model.spec,
        model.state,
        model.inputs,
        model.targets,
        model.said,
        model.calibration,
        model.intervals,
        model.first,
        model.again,
        None if memories is None else memories.state,
        companions and companions.stack,
        watch and watch.recent,
    )


def _put(kept: Any, given: Rows) -> None:
    put_rows()(kept.X, kept.Y, kept.draws, kept.count, *given)
    kept.count += 1


def _ready(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    """A call of compiled code with these arguments, which are looked at now and not again."""
    code = machine_code(function, *arguments)
    return partial(code, *(one.address if isinstance(one, Held) else one for one in arguments))
