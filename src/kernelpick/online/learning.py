"""A stream of rows, what was learned from it, and what it says to the next row. The way of a row:

    learn -> _learn_in_pieces -> _learn_piece -> _play_rounds -> core.stream.play_rows

One thread may learn while others ask: see guard.py. Every piece leaves the model whole.
"""

from typing import Any

import numpy as np

from kernelpick import core
from kernelpick.core import NO_WEIGHTS, Outcome, State
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.interrupts import Uninterrupted
from kernelpick.core.stream import play_rows
from kernelpick.online.balance import Balance
from kernelpick.online.guard import Guard
from kernelpick.online.kept_rows import FirstRows
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import preparation
from kernelpick.online.said import PASSED_OVER, Said, part_of
from kernelpick.online.scaling import NOTHING, count_rows, scale_rows
from kernelpick.online.tickets import Desk
from kernelpick.online.units import to_units_of
from kernelpick.online.warning import warn
from kernelpick.online.watch import Watch

PIECE = 512  # rows that are learned at a time, at most: others wait no longer than that


class Stream:
    """Rows (T, d) with targets (T, M), one round each.

    As long as there are no kernels, what is said is the mean of the targets so far; preparation.py says when there are.
    At a fit, the rows so far are scaled, their distances set the kernels, and they are learned from in their order.
    When inputs leave the range that they were scaled for, there is a fit with the last rows (see watch.py).
    A value of a row that is NaN is missing: the mean of its column so far takes its place.
    """

    balance: Balance | None = None  # of classes, where that is asked for

    def __init__(self, plan: Plan) -> None:
        self.plan, self.spec, self.preparation = plan, plan.specification, preparation(plan)
        self.inputs, self.targets = self.preparation.scales()
        fits = self.preparation.fits
        self.first = FirstRows(self.spec, self.preparation.most) if fits else None
        self.state: State | None = None if fits else self.start()
        self.draws, self.given_up = 0, 0  # random numbers taken; rounds of states that a later fit took the place of
        self.said = MeanLoss(self.spec.loss_row.unit, plan.has_several_targets)
        self.desk, self.guard = Desk(), Guard()
        self.watch = Watch() if fits and self.inputs.kind != NOTHING else None
        self.has_logs = False  # whether targets are learned as logarithms
        self.notices: list[tuple[str, type[Warning]]] = []  # warnings that wait for the end of a call

    def start(self) -> State:
        return core.start(self.spec)

    @property
    def n_columns(self) -> int:
        """Columns that rows have, of those that there is room for."""
        return self.spec.n_inputs

    @property
    def column_names(self) -> Any:
        """What columns are called in sentences."""
        return range(self.spec.n_inputs)

    @property
    def rounds(self) -> int:
        """Rows learned from, those that wait for a fit among them."""
        if self.first is not None:
            return self.first.count
        return self.given_up + (self.state.rounds if self.state else 0)

    # what it says

    def decide(self, X: np.ndarray, drawn: bool = False) -> np.ndarray:
        """Values (T, M) in units of the target, by the kernel in the lead or the one that the next round would draw."""
        if self.state is None:
            return np.tile(self._mean(), (len(X), 1))
        values = self._decide(self._scaled(X), drawn)
        to_units_of(self.targets.table, values)
        return values

    def _decide(self, X: np.ndarray, drawn: bool) -> np.ndarray:
        """The same for scaled rows, in scaled units."""
        return core.predict(self.spec, self.state, X, self._numbers() if drawn else None)[0]  # type: ignore[arg-type]

    def _mean(self) -> np.ndarray:
        return self.first.mean if self.first else np.zeros(self.spec.n_outputs)

    def _numbers(self) -> np.ndarray:
        return core.arm_numbers(self.spec, self.draws, 1)[0]

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        self._check_width(X)
        out = np.empty(X.shape)
        scale_rows(self.inputs.table, X, out)
        return out

    def _check_width(self, X: np.ndarray) -> None:
        """Compiled code does not look."""
        if X.shape[1] != self.inputs.table.shape[1]:
            raise ValueError(f"Rows have {X.shape[1]} columns where the model has {self.inputs.table.shape[1]}.")

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
            some = [(X[part], Y[part], weights[part]) for part in parts]
            return Said.together([self.learn(*p) if p[2][0] > 0 else Said(self.decide(p[0], True)) for p in some])
        if not (X.flags.c_contiguous and Y.flags.c_contiguous):
            X, Y = np.ascontiguousarray(X), np.ascontiguousarray(Y)
        if numbers is None:
            numbers = core.arm_numbers(self.spec, self.draws, len(X))
        said = self._learn_in_pieces(Rows(X, Y, weights, numbers), draws=True)
        if self.notices:
            self.give_notice()
        return said

    def give_notice(self) -> None:
        """Warn of what has happened, once, when all is done: a warning may be turned into an error."""
        self.notices[:] = dict.fromkeys(self.notices)
        while self.notices:
            warn(*self.notices.pop(0))

    def _learn_in_pieces(self, rows: Rows, draws: bool = False) -> Said:
        """Rows that weigh something, in pieces that end with a fit or a window of the watch. draws: the random numbers
        are the next ones."""
        done, total = 0, len(rows.X)
        if total == 1:  # usually
            if not self.guard.is_mine():
                with self.guard:
                    return self._learn_in_pieces(rows, draws)
            self.draws += draws
            return self._learn_piece(rows)
        parts: list[Said] = []
        with Uninterrupted() as held:
            while not parts or done < total:
                with self.guard:
                    stop = min(total, done + self._left())
                    self.draws += stop - done if draws else 0
                    parts.append(self._learn_piece(part_of(rows, slice(done, stop))))
                    done = stop
                held.hear()
        return Said.together(parts)

    def _left(self) -> int:
        """How many rows there are in the next piece, at most."""
        if self.first is not None:
            return self.preparation.next_fit(self.first.count) - self.first.count
        return self.watch.left if self.watch is not None else PIECE

    def _learn_piece(self, rows: Rows) -> Said:
        """Scale rows, each by what is known before it, keep them for a fit, and play them; a fit may follow."""
        if self.balance is not None:
            rows = self.balance.weighed(rows)
        scaled, units, strays = self._counted(rows)
        if self.state is None and self.first is not None:
            said = Said(self.first.means_before(rows.Y))
        else:
            outcome = self._play_rounds(scaled, units)
            said = Said(None, units, outcome)
        if self.first is None:
            self._watched(rows, strays)
        else:
            self.first.add(rows)
            if self.first.count in self.preparation.fits:
                self.fit_is_due()
        return said

    def _counted(self, rows: Rows) -> tuple[Rows, np.ndarray, int]:
        """Rows and targets scaled by what was known before each of them, the units (4, T, M) of the targets, and the
        number of rows out of range."""
        inputs, targets, wide, high = self.inputs.table, self.targets.table, rows.X.shape, rows.Y.shape
        if wide[1] != inputs.shape[1] or high[1] != targets.shape[1]:
            self._check_width(rows.X)
            raise ValueError(f"Rows have {high[1]} targets where the model has {targets.shape[1]}.")
        X, Y, units = np.empty(wide), np.empty(high), np.empty((4, *high))
        strays = count_rows()(inputs, rows.X, X, targets, rows.Y, Y, units)
        return Rows(X, Y, rows.weights, rows.numbers), units, strays

    def _play_rounds(
        self, rows: Rows, units: np.ndarray, record: np.ndarray | None = None, counts: bool = True
    ) -> Outcome:
        """Play scaled rows, and count them."""
        outcome = self._play(rows, record)
        if outcome.diverged is not None:
            self.notices.append((f"{self.spec.name} diverged: {PASSED_OVER}", RuntimeWarning))
        self._count(rows, units, outcome, counts)
        return outcome

    def _play(self, rows: Rows, record: np.ndarray | None) -> Outcome:
        """A record has what was drawn and said to rows earlier."""
        self.state, outcome = play_rows(self.spec, self.state, rows, record, skips=True)  # type: ignore[arg-type]
        return outcome

    def fit_is_due(self) -> None:
        """With the first rows so far."""
        raise NotImplementedError

    def _watched(self, rows: Rows, strays: int) -> None:
        """Keep rows that were learned, so many of them out of range, and see whether a fit with the last is due."""
        raise NotImplementedError

    def _count(self, rows: Rows, units: np.ndarray, outcome: Outcome, counts: bool) -> None:
        """Write down what there is to learn from what was said in these rounds, and their losses, if they count."""
        raise NotImplementedError
