"""What both faces stand on: a stream of rows, what was learned from it, and what it says to the next row.

A model knows rows of numbers and targets of numbers (labels as +-1 for each output), nothing of frames, dicts or
classes. Results do not depend on how rows are cut into calls. The way of a row:

    learn -> _learn_up_to_fits -> _learn_between_fits -> _play_rounds -> core.advance_in_place
"""

import copy
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick import core
from kernelpick.core import NO_WEIGHTS, Outcome, State
from kernelpick.core.growth import remap_outputs
from kernelpick.core.kernels import Kernel
from kernelpick.core.loop import Rows
from kernelpick.core.record import SAID, SPEAKER, n_player_columns
from kernelpick.online.first_rows import FirstRows
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import preparation
from kernelpick.online.said import PASSED_OVER, Said, part_of
from kernelpick.online.scaling import count_rows, owned, scale_rows, to_units
from kernelpick.online.tickets import UNDRAWN, Desk, Slip, Ticket

NO_UNITS = np.zeros((2, 0))


class Model:
    """Rows (T, d) with targets (T, M), one round each.

    As long as there are no kernels, what is said is the mean of the targets so far; preparation.py says when there are.
    At a fit, the rows so far are scaled, their distances set the kernels, and they are learned from in their order.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.spec, self.preparation = plan, plan.specification, preparation(plan)
        self.inputs, self.targets = self.preparation.scales()
        fits = self.preparation.fits
        self.first = FirstRows(self.spec, fits[-1]) if fits else None
        self.state: State | None = None if fits else self.start()
        self.draws = 0  # random numbers taken, by rounds and by tickets
        self.said = MeanLoss(self.spec.loss_row.unit)
        self.desk = Desk()

    def start(self) -> State:
        return core.start(self.spec)

    @property
    def n_columns(self) -> int:
        """Columns that rows have, of those that there is room for."""
        return self.spec.n_inputs

    @property
    def rounds(self) -> int:
        """Rows learned from, those that wait for a fit among them."""
        return self.first.count if self.first else (self.state.rounds if self.state else 0)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        return self.spec.kernels if self.state else ()

    @property
    def probabilities(self) -> np.ndarray:
        return self.state.probabilities.copy() if self.state else np.zeros(0)

    # what it says

    def decide(self, X: np.ndarray, drawn: bool = False) -> np.ndarray:
        """Values (T, M) in units of the target, by the kernel in the lead or the one that the next round would draw."""
        if self.state is None:
            return np.tile(self._mean(), (len(X), 1))
        values, _, _ = core.predict(self.spec, self.state, self._scaled(X), self._numbers() if drawn else None)
        if self.plan.scale_target:
            to_units(values, self.targets.unit)
        return values

    def only_targets(self) -> np.ndarray | None:
        """The targets so far (T, M), as long as there are no kernels and nothing else is known."""
        return self.first.rows().Y if self.state is None and self.first is not None else None

    def _mean(self) -> np.ndarray:
        return self.first.mean if self.first else np.zeros(self.spec.n_outputs)

    def _numbers(self) -> np.ndarray:
        return core.arm_numbers(self.spec, self.draws, 1)[0]

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        out = np.empty_like(X)
        scale_rows(*self.inputs, X, out)
        return out

    # what it learns

    def learn(
        self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray = NO_WEIGHTS, numbers: np.ndarray | None = None
    ) -> Said:
        """Play the rows; what was said before each label was used is what decide(drawn=True) would have said.

        Weights are positive or zero; a row of weight zero is predicted and is no round. numbers decide the rounds;
        without them, those of the seed do.
        """
        if len(weights) and not weights.all():
            parts = np.split(np.arange(len(X)), np.flatnonzero(np.diff(weights > 0)) + 1)
            return Said.together([self._learn_or_not(X[part], Y[part], weights[part]) for part in parts])
        if numbers is None:
            numbers = core.arm_numbers(self.spec, self.draws, len(X))
        self.draws += len(X)
        return self._learn_up_to_fits(Rows(X, Y, weights, numbers))

    def _learn_or_not(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray) -> Said:
        return self.learn(X, Y, weights) if weights[0] > 0 else Said(self.decide(X, True))

    def _learn_up_to_fits(self, rows: Rows) -> Said:
        """Rows that weigh something, in pieces that end with a fit."""
        if self.first is None:
            return self._learn_between_fits(rows)
        parts: list[Said] = []
        done, total = 0, len(rows.X)
        while not parts or done < total:
            stop = total
            if self.first is not None:
                stop = min(stop, done + self.preparation.next_fit(self.first.count) - self.first.count)
            parts.append(self._learn_between_fits(part_of(rows, slice(done, stop))))
            done = stop
            if self.first is not None and self.first.count in self.preparation.fits:
                self.fit(final=self.first.count == self.preparation.fits[-1])
        return Said.together(parts)

    def _learn_between_fits(self, rows: Rows) -> Said:
        """Scale rows, each by what is known before it, keep them for the next fit, and play them."""
        scaled, units = self._counted(rows)
        said = Said(self.first.means_before(rows.Y)) if self.first is not None and self.state is None else None
        if self.first is not None:
            self.first.add(rows)
        if said is not None:
            return said
        outcome = self._play_rounds(scaled, units)
        return Said(outcome.predictions, units, outcome)

    def _counted(self, rows: Rows) -> tuple[Rows, np.ndarray]:
        """Rows and targets scaled by what was known before each of them, and the units (2, T) of the targets."""
        X, Y, units = np.empty_like(rows.X), np.empty_like(rows.Y), np.empty((2, len(rows.X)))
        count_rows(*self.inputs, rows.X, X, NO_UNITS)
        count_rows(*self.targets, rows.Y, Y, units)
        return Rows(X, Y, rows.weights, rows.numbers), units

    def fit(self, final: bool = True) -> None:
        """A fit with the first rows: scales, kernels, and a new start that learns these rows.

        With the final fit nothing is kept any longer.
        """
        if self.first is None:
            return
        rows, before = self.first.rows(), self.state
        self.inputs, self.targets = self.preparation.fitted_scales((self.inputs, self.targets), rows)
        units = np.tile(self.targets.unit, len(rows.X))
        center, spread = self.targets.unit[:, 0]
        scaled = rows._replace(X=self._scaled(rows.X), Y=(rows.Y - center) / spread)
        self.spec = self.preparation.chosen(self.spec, scaled.X, self.n_columns)
        self.state = self.preparation.begin(self.spec, self.start, before, scaled)
        self._play_rounds(scaled, units, counts=before is None)  # else, what was said to these rows has been counted
        if final:
            self.first = None

    def _play_rounds(
        self, rows: Rows, units: np.ndarray, record: np.ndarray | None = None, counts: bool = True
    ) -> Outcome:
        """Play scaled rows, and add up their losses if they count."""
        assert self.state is not None
        self.state, outcome = core.advance_in_place(
            self.spec, self.state, rows.X, rows.Y, rows.numbers, rows.weights, record, skips=True
        )
        if outcome.diverged is not None:
            warnings.warn(f"{self.spec.name} diverged: {PASSED_OVER}", RuntimeWarning, stacklevel=2)
        if counts:
            self.said.add(outcome, units, rows.weights)
        return outcome

    # labels that come later

    def ask(self, x: np.ndarray, answer: Callable[[np.ndarray], Any], id: int | str | None = None) -> Ticket:
        """What the arm of a draw of its own says to one row (1, d), as the answer to its values (1, M)."""
        numbers, unit, scaled, first = self._numbers(), np.array([[0.0], [1.0]]), x, SAID + self.spec.n_outputs
        values, arm, players = self._mean(), UNDRAWN, np.zeros(n_player_columns(self.spec))
        if self.state is not None:
            scaled, unit = self._scaled(x), self.targets.unit
            record = core.draw(self.spec, self.state, scaled, numbers)[0]
            values, arm, players = record[SAID:first], int(record[SPEAKER]), record[first:]
        self.draws += 1
        center, spread = unit[:, 0].tolist()
        slip = Slip(numbers.copy(), x[0].copy(), scaled[0].copy(), arm, players.copy(), values.copy(), center, spread)
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
            self._learn_up_to_fits(rows)
            return
        scaled, units = self._counted(rows)
        if self.inputs.running:  # stored examples are scaled as they were then; a fit scales all of them anew
            scaled = scaled._replace(X=slip.scaled[None, :])
        values = slip.values[None, :]
        if self.plan.scale_target:  # in the units of now, which are those of then once the scaling is frozen
            center, spread = units[:, 0]
            values = values * (slip.spread / spread) + (slip.center - center) / spread
        self._play_rounds(scaled, units, slip.record(values))

    # how it grows

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Output m becomes signs[m] times the old output sources[m], or a new one where that is negative."""

        def mapped(rows: np.ndarray, fresh: float) -> np.ndarray:
            return np.ascontiguousarray(
                np.where(np.array(sources) < 0, fresh, rows[..., np.maximum(sources, 0)] * np.array(signs))
            )

        self.spec = replace(self.spec, n_outputs=len(sources))
        if self.state is not None:
            self.state = remap_outputs(self.state, sources, signs)
        if self.first is not None:
            self.first.Y = mapped(self.first.Y, -1.0)  # none of the rows so far was of the new class
        for id, slip in self.desk.open.items():
            self.desk.open[id] = slip._replace(values=mapped(slip.values, 0.0))

    # how it is kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Pickles may bring arrays that lie in foreign or read-only memory; the core writes to its own."""
        self.__dict__.update(state)
        if self.state is not None:
            self.state = core.copy(self.state)
        self.inputs, self.targets = owned(self.inputs), owned(self.targets)
        self.said, self.first = copy.deepcopy(self.said), copy.deepcopy(self.first)
