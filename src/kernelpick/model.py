"""What both estimator faces stand on: scaling -> keeping the first rows -> the core -> tickets.

A model knows rows of numbers and targets of numbers (labels as +-1 for each output), nothing of frames, dicts or
classes. Results do not depend on how rows are cut into calls.
"""

import copy
import warnings
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from . import core, grids, messages
from .algorithms import has_matrices
from .core import NO_WEIGHTS, Outcome, State
from .growth import remap_outputs, widen_inputs
from .held import HELD, Held
from .kernels import Kernel
from .scaling import (
    FROZEN_AFTER,
    SCALES,
    Statistics,
    add_losses,
    count_rows,
    fitted,
    scale_rows,
    statistics,
    to_units,
    widened,
)
from .selectors.leader import enter, seats_for
from .spaces.augmented import squash
from .specification import Specification
from .tickets import UNDRAWN, Desk, Slip

UNITS = {"square": 2, "huber": 2}  # a loss is in units of the target to this power, 1 for all others
FURTHEST = 1e6  # "auto": inputs are linear up to this many standard deviations
HEATS = 64  # rows with which all kernels are still compared if there are more than seats; then the best stay


@dataclass(frozen=True)
class Plan:
    """The choices behind a model."""

    specification: Specification
    auto_kernels: bool
    scale: str | None
    scale_target: bool

    def __post_init__(self) -> None:
        if self.scale is not None:
            messages.choice("scale", self.scale, SCALES)

    @property
    def fits(self) -> tuple[int, ...]:
        """The numbers of rows with which scales and kernels are found, and all rows so far are learned anew."""
        if self.specification.row.fits:
            return self.specification.row.fits
        return (HELD,) if self.auto_kernels or self.scale is not None or self.scale_target else ()

    @property
    def refits(self) -> bool:
        """Whether scales are those of the fits. Otherwise every row is scaled by the rows before it."""
        return bool(self.specification.row.fits)


class Said(NamedTuple):
    """What was said to some rows."""

    values: np.ndarray  # (T, M)
    units: np.ndarray | None = None  # (2, T) center and spread of the target that the values are scaled by, if they are
    arms: np.ndarray | None = None  # (T,) the kernels that said it; none while there were none

    def in_units(self) -> np.ndarray:
        """(T, M) in units of the target."""
        if self.units is None:
            return self.values
        out = self.values.copy()
        to_units(out, self.units)
        return out

    @staticmethod
    def together(parts: "list[Said]") -> "Said":
        if len(parts) == 1:
            return parts[0]
        arms = [np.full(len(part.values), UNDRAWN) if part.arms is None else part.arms for part in parts]
        return Said(np.concatenate([part.in_units() for part in parts]), arms=np.concatenate(arms))


class Model:
    """A stream of rows (T, d) with targets (T, M): what was learned from it, and what it says to the next row.

    With scaling or automatic kernels the first rows are held back. What is said until then is the mean of the targets
    so far. When the last of them has come, the statistics of these rows scale them, their distances set the kernels,
    and they are learned from in their order. From then on every row is scaled by statistics of the rows before it,
    which are frozen as scaling.py says. With "auto", rows are kept for more fits, each of which does all of that again;
    the scales stay those of the last one.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.spec = plan.specification
        self.inputs, self.targets = beginnings(plan)
        self.held = Held(self.spec.n_inputs, self.spec.n_outputs, plan.fits[-1]) if plan.fits else None
        self.state: State | None = None if plan.fits else self.start()
        self.draws = 0  # random numbers taken, by rounds and by tickets
        self.loss, self.weight = np.zeros(1), 0.0  # sums over all rounds, the losses in units of the target
        self.desk = Desk()

    def start(self) -> State:
        return core.start(self.spec)

    @property
    def rounds(self) -> int:
        """Rows learned from, those held back among them."""
        return self.held.count if self.held else (self.state.rounds if self.state else 0)

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
            return np.tile(self._before_kernels(), (len(X), 1))
        values, _, _ = core.predict(self.spec, self.state, self._scaled(X), self._number() if drawn else None)
        if self.plan.scale_target:
            to_units(values, self.targets.unit)
        return values

    def _before_kernels(self) -> np.ndarray:
        return self.held.mean if self.held else np.zeros(self.spec.n_outputs)

    def _number(self) -> float:
        return float(core.arm_numbers(self.spec, self.draws, 1)[0])

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
            return Said.together(
                [
                    self.learn(X[part], Y[part], weights[part])
                    if weights[part[0]] > 0
                    else Said(self.decide(X[part], True))
                    for part in parts
                ]
            )
        if numbers is None:
            numbers = core.arm_numbers(self.spec, self.draws, len(X))
        self.draws += len(X)
        return self._learn(X, Y, weights, numbers)

    def _learn(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray, numbers: np.ndarray) -> Said:
        """The same, for rows that weigh something, whose random numbers are these."""
        parts: list[Said] = []
        done = 0
        while not parts or done < len(X):
            room = len(X) - done
            if self.held is not None:
                room = min(room, next(fit for fit in self.plan.fits if fit > self.held.count) - self.held.count)
            part = slice(done, done + room)
            parts.append(self._play(X[part], Y[part], weights[part], numbers[part]))
            done += room
            if self.held is not None and self.held.count in self.plan.fits:
                self.settle(final=self.held.count == self.plan.fits[-1])
        return Said.together(parts)

    def _play(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray, numbers: np.ndarray) -> Said:
        """Rows between two fits."""
        scaled, aims, units = self._count(X, Y)
        means = self.held.add(X, Y, weights, numbers) if self.held is not None else None
        if self.state is None:
            assert means is not None
            return Said(means)
        outcome = self._advance(scaled, aims, weights, numbers, units)
        return Said(outcome.predictions, units, outcome.arms)

    def _count(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows and targets scaled by what was known before each of them, and the units (2, T) of the targets."""
        scaled, aims, units = np.empty_like(X), np.empty_like(Y), np.empty((2, len(X)))
        count_rows(*self.inputs, *self.targets, X, Y, scaled, aims, units)
        return scaled, aims, units

    def settle(self, final: bool = True) -> None:
        """A fit with the rows that are held: scales, kernels, and a new start that learns these rows.

        Where kernels are more than seats, they play in heats, and some of them play the rows once more. With the final
        fit nothing is held back any longer.
        """
        if self.held is None:
            return
        X, Y, weights, numbers = self.held.rows()
        if self.plan.refits and len(X):
            self.inputs, self.targets = fitted(self.inputs, X), fitted(self.targets, Y)
        X, units, before = self._scaled(X), np.tile(self.targets.unit, len(X)), self.state
        if self.plan.auto_kernels:
            self.spec = replace(self.spec, kernels=grids.powers(squash(X)) if self.plan.refits else grids.around(X))
        rows = X, (Y - units[0, 0]) / units[1, 0], weights, numbers
        self.state = self._enter(self._finalists(before, *rows), len(X)) if self.spec.row.fits else self.start()
        losses = self.loss.copy(), self.weight
        self._advance(*rows, units)
        if before is not None:  # what was said to these rows has been counted
            self.loss, self.weight = losses
        if final:
            self.held = None

    def _finalists(self, before: State | None, X: np.ndarray, *rows: np.ndarray) -> np.ndarray:
        """The arms that play from now on: all of them, if there are seats enough.

        Otherwise the best, and others of the better half, evenly spaced in the order in which they were given: what is
        best with few rows need not be so with many, and neighbours in a grid of widths are nearly the same.
        """
        arms, seats = len(self.spec.kernels), seats_for(len(self.spec.kernels), self.spec.hypotheses)
        if arms == seats or len(X) == 0:
            return np.arange(seats)
        if before is not None and len(X) > HEATS:
            return np.flatnonzero(before.selector.seat >= 0)
        scores = np.empty(arms)
        for heat in np.array_split(np.arange(arms), -(-arms // seats)):
            Y, weights, numbers = rows
            state, _ = core.advance_in_place(self.spec, self._enter(heat, len(X)), X, Y, numbers, weights)
            scores[heat] = state.selector.score[heat]
        better = np.sort(scores.argsort(kind="stable")[: max(seats, arms // 2)])
        chosen = better[np.linspace(0, len(better) - 1, seats).round().astype(int)]
        if scores.argmin() not in chosen:
            chosen[abs(chosen - scores.argmin()).argmin()] = scores.argmin()
        return np.sort(chosen)

    def _enter(self, arms: np.ndarray, opening: int) -> State:
        state = self.start()
        enter(state.selector, arms, opening)
        return state

    def _advance(
        self,
        X: np.ndarray,
        Y: np.ndarray,
        weights: np.ndarray,
        numbers: np.ndarray,
        units: np.ndarray,
        said: Outcome | None = None,
    ) -> Outcome:
        assert self.state is not None
        self.state, outcome = core.advance_in_place(self.spec, self.state, X, Y, numbers, weights, said)
        losses = outcome.losses
        if outcome.diverged is not None:
            losses = losses[: outcome.diverged]
            warnings.warn(
                f"{self.spec.algorithm} diverged: a loss overflowed, and nothing was learned from then on; "
                "a smaller step_scale, or no horizon, prevents it.",
                RuntimeWarning,
                stacklevel=2,
            )
        add_losses(self.loss, losses, units, weights, UNITS.get(self.spec.loss, 1))
        if len(weights):  # one by one, too
            self.weight = float(np.add.accumulate(np.append(self.weight, weights[: len(losses)]))[-1])
        else:
            self.weight += len(losses)
        return outcome

    # labels that come later

    def ask(self, x: np.ndarray) -> tuple[int, np.ndarray]:
        """What the arm of a draw of its own says to one row (1, d): the number of a ticket, and values (1, M)."""
        u = self._number()
        if self.state is None:
            values, arm, p, scaled = self._before_kernels()[None, :], UNDRAWN, 1.0, x
        else:
            scaled = self._scaled(x)
            values, arm, p = core.predict(self.spec, self.state, scaled, u)
        self.draws += 1
        unit = np.array([[0.0], [1.0]]) if self.state is None else self.targets.unit
        slip = Slip(u, x[0].copy(), scaled[0].copy(), arm, p, values[0].copy(), float(unit[0, 0]), float(unit[1, 0]))
        return self.desk.issue(slip), Said(values, unit).in_units()

    def tell(self, number: int, y: np.ndarray, weight: float = 1.0) -> None:
        """Learn the label (1, M) of a ticket, which is closed by that.

        The loss is that of what was said; the gradient is taken at the hypothesis as it is now. A ticket from the time
        before there were kernels, or that is told while rows are held, becomes a round like any other.
        """
        slip = self.desk.find(number)
        self.desk.close(number)
        if weight == 0.0:
            return
        x, u = slip.row[None, :], np.array([slip.u])
        weights = NO_WEIGHTS if weight == 1.0 else np.array([weight])
        if self.state is None or self.held is not None or slip.arm == UNDRAWN:
            self._learn(x, y, weights, u)
            return
        values = slip.values[None, :]
        _, aims, units = self._count(x, y)
        if self.plan.scale_target:  # in the units of now, which are those of then once the scaling is frozen
            center, spread = units[:, 0]
            values = values * (slip.spread / spread) + (slip.center - center) / spread
        said = Outcome(np.array([slip.arm]), np.array([slip.probability]), np.array(values), np.empty(1), None)
        scaled = self._scaled(x) if self.plan.refits else slip.scaled[None, :]
        self._advance(scaled, aims, weights, u, units, said)

    # how it grows

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Output m becomes signs[m] times the old output sources[m], or a new one where that is negative."""
        factors = np.array(signs)

        def mapped(rows: np.ndarray, fresh: float) -> np.ndarray:
            return np.ascontiguousarray(
                np.where(np.array(sources) < 0, fresh, rows[..., np.maximum(sources, 0)] * factors)
            )

        self.spec = replace(self.spec, n_outputs=len(sources))
        if self.state is not None:
            self.state = remap_outputs(self.state, sources, signs)
        if self.held is not None:
            self.held.Y = mapped(self.held.Y, -1.0)  # none of the rows so far was of the new class
        for number, slip in self.desk.open.items():
            self.desk.open[number] = slip._replace(values=mapped(slip.values, 0.0))

    def widen(self, n_inputs: int) -> None:
        """Rows have more columns from now on; the new ones were zero so far."""
        more = n_inputs - self.spec.n_inputs

        def padded(rows: np.ndarray) -> np.ndarray:
            return np.concatenate([rows, np.zeros((*rows.shape[:-1], more))], axis=-1)

        self.spec = replace(self.spec, n_inputs=n_inputs)
        self.inputs = widened(self.inputs, n_inputs)
        if self.held is not None:
            self.held.X = padded(self.held.X)
        if self.state is not None:
            keeps_matrices = has_matrices(self.spec.row, n_inputs)
            self.state = widen_inputs(self.state, n_inputs, self.frequencies(), keeps_matrices)
        for number, slip in self.desk.open.items():
            self.desk.open[number] = slip._replace(row=padded(slip.row), scaled=padded(slip.scaled))

    def frequencies(self) -> np.ndarray | None:
        """Frequencies (groups, d, D) that replace those of the specification, for columns that come one by one."""
        return None

    # how it is kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Pickles may bring arrays that lie in foreign or read-only memory; the core writes to its own."""
        self.__dict__.update(state)
        if self.state is not None:
            self.state = core.copy(self.state)
        self.inputs, self.targets, self.loss = _own(self.inputs), _own(self.targets), self.loss.copy()
        self.held = copy.deepcopy(self.held)


def beginnings(plan: Plan) -> tuple[Statistics, Statistics]:
    """The scaling of inputs and targets before the first row."""
    inputs = statistics(plan.scale, plan.specification.n_inputs)
    targets = statistics("standard" if plan.scale_target else None, 1, np.inf)
    if plan.refits:
        inputs.counted[:], targets.counted[:] = FROZEN_AFTER, FROZEN_AFTER
        inputs = inputs._replace(furthest=FURTHEST)
    return inputs, targets


def _own(known: Statistics) -> Statistics:
    return known._replace(counted=known.counted.copy(), table=known.table.copy())
