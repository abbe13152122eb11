"""What both faces stand on: a stream that learns (learning.py to noted.py), labels that come later, and growing.

A model knows rows of numbers and targets of numbers (labels as +-1 for each output), nothing of frames, dicts or
classes. Results do not depend on how rows are cut into calls.
"""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np

from kernelpick import core
from kernelpick.core import NO_WEIGHTS
from kernelpick.core.gradients import has_gradients
from kernelpick.core.growth import remap_outputs
from kernelpick.core.kernels import Kernel
from kernelpick.core.loop import Rows
from kernelpick.core.record import SAID, SPEAKER, n_player_columns
from kernelpick.online.balance import Balance
from kernelpick.online.importances import ROWS, importances
from kernelpick.online.kept_rows import KeptRows, Outputs
from kernelpick.online.noted import NotedStream
from kernelpick.online.plan import Plan
from kernelpick.online.single import Single, single_of
from kernelpick.online.statistics import of_labels, owned
from kernelpick.online.tickets import UNDRAWN, Slip, Ticket
from kernelpick.online.waiting import Waiting

NO_ROW = np.zeros((1, 0))


class Model(NotedStream):
    """A stream whose labels may come later, whose outputs may become more, and whose classes may be balanced."""

    waiting: Waiting | None = None  # columns that have come, and are not taken in yet; see growing.py
    single: Single | None = None  # the short way, and the array of its rows
    _row = NO_ROW
    _stood = (0, 0)  # state and row, when a row last went the long way

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        if plan.balanced:
            self.balance = Balance(self.spec.n_outputs)

    # what it shows

    @property
    def out_of_range(self) -> int:
        """Rows with an input outside the range that its scale was made for."""
        return self.watch.strays if self.watch else 0

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        return self.spec.kernels if self.state else ()

    @property
    def probabilities(self) -> np.ndarray:
        return self.state.probabilities.copy() if self.state else np.zeros(0)

    def importances(self) -> np.ndarray | str:
        """(d,) how much each input moves the prediction, or a sentence that says why nobody knows."""
        kept = self._kept()
        if self.state is None:
            return "there are no kernels yet"
        if not has_gradients(self.state):
            return f"{self.spec.name} has no random features, of which slopes are known in closed form"
        if kept is None or not kept.count:
            return "it keeps no rows; with scale=None there are none"
        return importances(self.state, self._scaled(kept.without_gaps().X[-ROWS:]), self.spec.n_outputs)

    # a single row, for whoever holds the guard

    def row_like(self, X: np.ndarray) -> np.ndarray:
        """A row (1, d), copied to where the short way begins."""
        if self._row.shape != X.shape:
            self._row = np.empty(X.shape)
        self._row[:] = X
        return self._row

    def decide_row(self, row: np.ndarray) -> np.ndarray:
        """`decide` for a row (1, d); the next row may take the place of the values."""
        single = self.single
        values = single.decide(self) if single is not None and row is single.row else None
        if values is None and self.plan.spread and row is self._row:  # the long way takes as long as making a short one
            self.single = single = single_of(self)
            values = None if single is None else single.decide(self)
        return self.decide(row) if values is None else values

    def learn_row(self, row: np.ndarray, target: np.ndarray | float) -> None:
        """`learn` for a row (1, d) that weighs 1, of somebody who does not ask what was said to it.

        A number is a target (1, 1), which would take longer to make.
        """
        single = self.single
        if single is not None and row is single.row and single.learn(self, target):
            return
        self.learn(row, np.array([[target]]) if isinstance(target, float) else target)
        if row is self._row and (single is None or not single.is_of(self) or single.rest != self.companions_rest):
            now = id(self.state), id(row)
            often = now == self._stood or self.plan.spread  # columns that come one by one leave no time
            self.single = single_of(self) if often else None
            self._stood = now

    # labels that come later

    def ask(self, x: np.ndarray, answer: Callable[[np.ndarray], Any], id: int | str | None = None) -> Ticket:
        """What the arm of a draw of its own says to one row (1, d), as the answer to its values (1, M)."""
        numbers, scaled, first = self._numbers(), x, SAID + self.spec.n_outputs
        unit = np.repeat([[[0.0]], [[1.0]], [[0.0]], [[-np.inf]]], self.spec.n_outputs, axis=2)
        values, arm, players = self._mean(), UNDRAWN, np.zeros(n_player_columns(self.spec))
        if self.state is not None:
            scaled, unit = self._scaled(x), self.targets.unit
            record = core.draw(self.spec, self.state, scaled, numbers)[0]
            values = self.joined(scaled, record[None, SAID:first])[0]
            arm, players = int(record[SPEAKER]), record[first:]
        self.draws += 1
        if self.state is not None and self.calibration is not None:
            unit[0, 0] = self.calibration.offsets
        slip = Slip(numbers.copy(), x[0].copy(), scaled[0].copy(), arm, players.copy(), values.copy(), *unit[:, 0])
        return self.desk.issue(slip._replace(prediction=answer(slip.in_units())), id)

    def tell(self, id: int | str, y: np.ndarray, weight: float = 1.0) -> None:
        """Learn the label (1, M) of a ticket, which is closed by that.

        The loss is that of what was said; the gradient is taken at the hypothesis as it is now. A ticket from the time
        before there were kernels, or that is told while rows are kept for a fit, becomes a round like any other.
        """
        slip = self.desk.find(id)
        self.desk.close(id)
        if weight == 0.0:
            return
        weights = NO_WEIGHTS if weight == 1.0 else np.array([weight])
        rows = Rows(slip.row[None, :], y, weights, slip.numbers[None, :])
        if self.state is None or self.first is not None or slip.arm == UNDRAWN:
            self._learn_in_pieces(rows)
            self.give_notice()
            return
        rows = rows if self.balance is None else self.balance.weighed(rows)
        scaled, units, strays = self._counted(rows)
        if self.inputs.running:  # stored examples are scaled as they were then; a fit scales all of them anew
            scaled = scaled._replace(X=slip.scaled[None, :])
        values = slip.values[None, :]
        if self.plan.scale_target:  # in the units of now, which are those of then once the scaling is frozen
            center, spread = units[:2, 0]
            values = values * (slip.spread / spread) + (slip.center - center) / spread
        self._play_rounds(scaled, units, slip.record(values))
        self._watched(rows, strays)
        self.passed(1)
        self.wait()
        self.give_notice()

    # how it grows

    def wait(self) -> None:
        """Columns that wait to be taken in are one step further, or it is time; here there are none."""

    def _kept(self) -> KeptRows | None:
        """The rows that are kept, the first ones or the last ones."""
        return self.first if self.first is not None else self.watch.recent if self.watch is not None else None

    def _every_kept(self) -> list[KeptRows]:
        """The same, and those that a fit has for itself."""
        every = self._kept(), None if self.job is None else self.job.kept
        return [kept for kept in every if kept is not None]

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Output m becomes signs[m] times the old output sources[m], or a new one where that is negative."""
        self._remap_parts(sources, signs, late=self.state is not None and self.state.rounds > 0)
        self.begin_joined()
        if self.companions is not None:
            self.companions.remap(self.spec, sources, signs)
        if self.balance is not None:
            self.balance.remap(sources, signs)
        for kept in self._every_kept():
            kept.remap(sources, signs)
        self.desk.remap(sources, signs)
        if self.waiting is not None:
            self.waiting.start_over(self.draws)
        self.outputs_came(sources, signs)

    def _remap_parts(self, sources: list[int], signs: list[float], late: bool) -> None:
        """What a fit makes anew; late: scores of the others are sure that there is no further output."""
        self.spec = replace(self.spec, n_outputs=len(sources))
        if self.spec.loss_row.classifies:
            self.targets = of_labels(self.targets, len(sources))
        if self.state is not None:
            self.state = remap_outputs(self.state, sources, signs)
        if self.calibration is not None:
            self.calibration.remap(sources, late)

    def remap_again(self, outputs: Outputs) -> None:
        """The same for the stream of a fit (late.py), which knows the output for a while when it is first heard."""
        self._remap_parts(outputs.sources, outputs.signs, late=False)

    # how it is kept

    def afresh(self) -> Self:
        """A model of the same plan and columns that has seen no row, with the kernels that were chosen."""
        new = type(self).__new__(type(self))
        self._begin(new)
        return new

    def _begin(self, new: Self) -> None:
        Model.__init__(new, replace(self.plan, specification=self.spec))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Pickles may bring arrays that lie in foreign or read-only memory; the core writes to its own."""
        self.__dict__.update(state)
        self._row, self._stood = NO_ROW, (0, 0)
        if self.state is not None:
            self.state = core.copy(self.state)
        if self.memories is not None:
            self.memories = copy.deepcopy(self.memories)
            self.memories.state = core.copy(self.memories.state)
        self.inputs, self.targets = owned(self.inputs), owned(self.targets)
        for name in ("said", "first", "watch", "calibration", "intervals", "history", "balance", "companions", "job"):
            setattr(self, name, copy.deepcopy(getattr(self, name)))
