"""What becomes of the first rows of a stream. Each kind says when it fits, and what a fit chooses:

Preparation  none: rows are played from the first on
HeldBack     32 rows are held back; then kernels are chosen, and these rows are played
Refitted     "auto": with 8, 64 and 512 rows, scales, kernels and the number of frequencies are chosen anew, and all
             rows so far are learned again
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kernelpick import core
from kernelpick.core import Specification, State
from kernelpick.core.loop import Rows
from kernelpick.core.spaces.augmented import squash
from kernelpick.online import grids
from kernelpick.online.metric import MOST_INPUTS, Metric, kept_beside, learned, more_kernels, outer_product, with_metric
from kernelpick.online.pace import longest
from kernelpick.online.plan import Plan
from kernelpick.online.scaling import NEGATIVE, count_rows
from kernelpick.online.statistics import CLIPPED_AT, Statistics, fitted, renewed, statistics
from kernelpick.online.tournament import finalists, opening_for, seated

HELD_BACK = 32  # rows
NONE_TO_COME = 2**60
AT_ONCE = 8  # rows with which a fit is always done at once
LINEAR_UP_TO = 1e6  # "auto": inputs are clipped to +- so many standard deviations
FEWEST_PAIRS = 16
ROUNDS = 10_000  # what the passes of fit aim at,
FEWEST, MOST = 3, 100  # within these numbers of passes

Scales = tuple[Statistics, Statistics]  # of inputs and targets
Begin = Callable[[Rows], State]  # the state in which these scaled rows are learned
Found = tuple[Specification, Metric] | None


@dataclass(frozen=True)
class Preparation:
    """No fit at all, and what the other kinds do not say otherwise."""

    plan: Plan
    fits: tuple[int, ...] = ()  # the numbers of rows with which there is a fit

    def next_fit(self, count: int) -> int:
        """The number of rows at the first fit after that many."""
        return next((fit for fit in self.fits if fit > count), NONE_TO_COME)

    @property
    def first_state(self) -> int:
        """Rows with which there is a state, if there are still fits to come."""
        return NONE_TO_COME if self.plan.spread and self.fits[0] > AT_ONCE else self.fits[0]

    @property
    def most(self) -> int:
        """Rows that are kept for fits."""
        return longest(self, AT_ONCE) if self.plan.spread else self.fits[-1]

    def scales(self) -> Scales:
        """Before the first row."""
        return self._scales(running=True, furthest=CLIPPED_AT)

    def _scales(self, running: bool, furthest: float) -> Scales:
        spec = self.plan.specification
        targets = statistics("standard" if self.plan.scale_target else None, spec.n_outputs, running, np.inf)
        targets.table[NEGATIVE] = float(not self.plan.scale_target)  # scores may be, and what is left alone
        return statistics(self.plan.scale, spec.n_inputs, running, furthest), targets

    def fitted_scales(self, scales: Scales, rows: Rows) -> Scales:
        """After a fit."""
        return scales

    def new_scales(self, scales: Scales, rows: Rows) -> Scales:
        """When inputs have left their range: those of these rows alone."""
        inputs, targets = renewed(scales[0]), renewed(scales[1])
        units = np.empty((4, *rows.Y.shape))
        count_rows()(inputs.table, rows.X, np.empty_like(rows.X), targets.table, rows.Y, np.empty_like(rows.Y), units)
        return inputs, targets

    def chosen(self, spec: Specification, X: np.ndarray, columns: int) -> Specification:
        """With the kernels that a fit chooses for scaled rows of so many columns."""
        return spec

    def sizes(self, columns: int) -> set[int]:
        """The numbers of frequencies that fits choose where rows have so many columns."""
        return {self.plan.specification.n_features}

    def begin(self, spec: Specification, start: Callable[[], State], before: State | None, rows: Rows) -> State:
        """The state in which a fit learns its rows, all scaled; before is the one that it takes the place of."""
        return start()

    def metric(self, spec: Specification, begin: Begin, before: State | None, rows: Rows, columns: int) -> Found:
        """More kernels, of a distance that is learned, for a fit with these scaled rows, of so many columns."""
        return None

    def may_have_metric(self, last: bool) -> bool:
        """Whether a fit, or the last one, may have such kernels."""
        return False

    def arms(self, spec: Specification, last: bool) -> int:
        """The kernels that a fit beside the rounds ends with, if what it may have is found."""
        if not self.may_have_metric(last):
            return len(spec.kernels)
        return kept_beside(spec.n_inputs, spec.hypotheses) + more_kernels(spec.n_inputs)

    def compares(self, last: bool) -> bool:
        """Whether a fit beside the rounds lets its arms compete. Before the last, rows are too few to tell which width
        is best, and the middle one is never far off (docs/budget.md)."""
        return last or not self.plan.auto_kernels

    def tells_little(self, spec: Specification, rows: Rows) -> bool:
        """Few rows of rare classes tell little of directions, as they do of widths."""
        return bool(spec.loss_row.classifies and opening_for(rows.Y) > len(rows.X))

    def may_have_changed(self, state: State | None) -> bool:
        """Whether it may be that a fit with the last rows is worth more than all that is known."""
        return False

    def watch_on(self, state: State | None) -> None:
        """After such a fit: what has changed may go on changing."""

    def passes(self, n_rows: int) -> int:
        """How often an estimator's fit goes over its rows if nobody says."""
        return int(np.clip(-(-ROUNDS // n_rows), FEWEST, MOST))


class HeldBack(Preparation):
    """One fit, which leaves the scales as they have become."""

    def chosen(self, spec: Specification, X: np.ndarray, columns: int) -> Specification:
        return replace(spec, kernels=grids.around(X)) if self.plan.auto_kernels else spec


class Refitted(Preparation):
    """Scales are those of the last fit and do not run."""

    def scales(self) -> Scales:
        return self._scales(running=False, furthest=LINEAR_UP_TO)

    def fitted_scales(self, scales: Scales, rows: Rows) -> Scales:
        return (fitted(scales[0], rows.X, rows.Y), fitted(scales[1], rows.Y)) if len(rows.X) else scales

    def new_scales(self, scales: Scales, rows: Rows) -> Scales:
        return self.fitted_scales(scales, rows)

    def chosen(self, spec: Specification, X: np.ndarray, columns: int) -> Specification:
        kernels, sizes = spec.kernels, self.sizes(columns)
        if self.plan.auto_kernels:
            sample = grids.FEW if self.plan.spread else grids.SAMPLE
            kernels = grids.powers(X, squash, spec.row.size.widths, sample)
        few = len(X) < self.fits[-1]  # which have no use for many frequencies, and leave their time to the next fit
        return replace(spec, kernels=kernels, n_features=min(sizes) if few else max(sizes))

    def sizes(self, columns: int) -> set[int]:
        plan, usual = self.plan, self.plan.specification.row.features_for(columns)
        if plan.features:
            least, came = min(usual, plan.features), max(columns - plan.columns, 0) if plan.columns else 0
            last = max(first_pairs(least), plan.features - -(-came // 2))  # of the order that there is time for
            return {first_pairs(min(least, last)), last}
        return {usual} if plan.auto_features else super().sizes(columns)

    def begin(self, spec: Specification, start: Callable[[], State], before: State | None, rows: Rows) -> State:
        whole = len(rows.X) == self.fits[-1] and spec.loss_row.classifies and spec.hypotheses > 1.0
        opening = opening_for(rows.Y) if whole else len(rows.X)
        return seated(start, finalists(spec, start, before, rows), opening)

    @property
    def _has_metric(self) -> bool:
        """Small models have no room for further kernels."""
        return self.plan.auto_kernels and self.plan.specification.row.size.beside

    def may_have_metric(self, last: bool) -> bool:
        spec = self.plan.specification
        return last and self._has_metric and spec.n_inputs <= MOST_INPUTS and hasattr(spec.row.learner, "hypothesis")

    def metric(self, spec: Specification, begin: Begin, before: State | None, rows: Rows, columns: int) -> Found:
        whole = len(rows.X) == self.fits[-1] and spec.n_inputs <= MOST_INPUTS
        if not (whole and self._has_metric and hasattr(spec.row.learner, "hypothesis")):
            return None
        if self.tells_little(spec, rows):
            return None
        start, how = begin(rows), (rows.numbers, rows.weights)
        if before is not None:  # it is known who is best: all others would play for nothing
            start.selector.enter(np.array([before.leader]), len(rows.X))
        state, _ = core.advance_in_place(spec, start, rows.X, rows.Y, *how, skips=True)
        found = learned(outer_product(state, rows.X), columns)
        if found is None:
            return None
        return with_metric(spec, found, int(state.leader), (before or state).losses, rows.X), found

    def may_have_changed(self, state: State | None) -> bool:
        """The leader was challenged as many rows ago as a fit takes, and who started afresh then is better: widths and
        metric may be those of another time."""
        if state is None or not self._has_metric or not hasattr(state.selector, "race"):
            return False
        race = state.selector.race[0]
        since = race["since"]
        if not since:  # usually, and for single rows each further look shows
            return False
        return bool(since <= state.rounds - self.fits[-1] and race["leader"] != race["champion"])

    def watch_on(self, state: State | None) -> None:
        """As after a challenge that nobody has survived, so that there is another."""
        assert state is not None
        race = state.selector.race[0]
        race["since"], race["champion"] = state.rounds, len(state.selector.seat)

    def passes(self, n_rows: int) -> int:
        return 1  # least squares has learned all there is from rows that it has seen once


def first_pairs(pairs: int) -> int:
    """With a time budget, what a model has before the last of its first fits: half of the pairs, a multiple of eight.

    So few rows have no use for more (on a9a, phishing and Hardware their errors are 3 to 6 % less for it), and a round
    that takes a quarter of the time leaves the rest to the fit beside it.
    """
    return min(pairs, max(FEWEST_PAIRS, -(-pairs // 16) * 8))


def preparation(plan: Plan) -> Preparation:
    """The one that a plan asks for."""
    if plan.specification.row.fits:
        return Refitted(plan, plan.specification.row.fits)
    if plan.auto_kernels or plan.scale is not None or plan.scale_target:
        return HeldBack(plan, (HELD_BACK,))
    return Preparation(plan)
