"""A stream that fits: scales, kernels and a metric from some rows, and a new start that learns these.

With the first rows, as preparation.py says; with the last ones when inputs have left the range of their scales
(watch.py), or when what is learned has changed and arms that know the last rows alone would have done better.
"""

from functools import partial

import numpy as np

from kernelpick import core
from kernelpick.core import Specification, State
from kernelpick.core.loop import Rows
from kernelpick.online.learning import Stream
from kernelpick.online.preparation import Begin
from kernelpick.online.target_scale import has_logs, in_scale, raced, smeared_anew

WORTH = 1.0  # times the loss that was heard: arms that pay less for the last rows, knowing no others, take over


class FittingStream(Stream):
    def fit_is_due(self) -> None:
        assert self.first is not None
        self.fit(final=self.first.count == self.preparation.fits[-1])

    def fit(self, final: bool = True) -> None:
        """With the first rows. After the final one they are not kept any longer; the watch begins."""
        if self.first is None:
            return
        rows = self.first.without_gaps()
        self.inputs, self.targets = self.preparation.fitted_scales((self.inputs, self.targets), rows)
        self._begin_with(rows, self.state, counts=self.state is None)  # else what was said has been counted
        if final:
            if self.watch is not None:
                self.watch.begin(self.spec, self.first)
            self.first = None

    def _watched(self, rows: Rows, strays: int) -> None:
        if self.watch is not None and self.watch.add(rows, strays):
            self.window_ends()

    def window_ends(self) -> None:
        """Of the watch: a fit with the last rows may be due."""
        assert self.watch is not None
        if self.has_logs:
            smeared_anew(self.spec, self.targets)
        heard = self.watch.heard(self.said)
        out = self.watch.is_due(self.inputs, heard, self.column_names, self.notices)
        self.watch.begin_window(self.said)
        self.looked_back(out, heard)

    def looked_back(self, out: bool, heard: float) -> None:
        """out: inputs have left their range; heard: the loss of a round, of late."""
        if out:
            self.follow()
        elif self.preparation.may_have_changed(self.state) and self._would_pay() < WORTH * heard:
            self.follow()
            self.preparation.watch_on(self.state)

    def follow(self) -> None:
        """With the last rows. What was learned before is given up."""
        assert self.state is not None and self.watch is not None and self.watch.recent is not None
        rows = self.watch.recent.without_gaps()
        self.given_up += self.state.rounds - len(rows.X)
        self.inputs, self.targets = self.preparation.new_scales((self.inputs, self.targets), rows)
        self._begin_with(rows, None, counts=False)
        self.desk.undraw()  # what was drawn and said to tickets belongs to the state that is given up

    def _begin_with(self, rows: Rows, before: State | None, counts: bool) -> None:
        """Choose kernels by these rows, and a new state that learns them; before is the one that it replaces."""
        rows = rows._replace(X=self._scaled(rows.X))
        self.spec = self.preparation.chosen(self.spec, rows.X, self.n_columns)
        begin = partial(self.preparation.begin, self.spec, self.start, before)
        if self.plan.scale_target:
            self.targets = raced(self.spec, self.plan.target_way, self.targets, rows, begin)
            self.has_logs = has_logs(self.targets)
        scaled = in_scale(self.targets, rows)
        self.state = self._with_metric(scaled, begin, before)(scaled)
        self._play_rounds(scaled, np.repeat(self.targets.unit, len(rows.X), axis=1), counts=counts)

    def _with_metric(self, scaled: Rows, begin: Begin, before: State | None) -> Begin:
        """How a state begins, with the kernels that the metric of these rows adds, if there is one."""
        found = self.preparation.metric(self.spec, begin, before, scaled, self.n_columns)
        if found is None:
            return begin
        self.spec, metric = found
        return partial(self.preparation.begin, self.spec, partial(metric.started, self.start, self.spec.kernels), None)

    def _would_pay(self) -> float:
        """The loss in a round, in the later half of the last rows, of the best arm that knows no others; in the scales
        of now."""
        assert self.watch is not None and self.watch.recent is not None
        rows, spec = self.watch.recent.without_gaps(), self.spec
        scaled = in_scale(self.targets, rows._replace(X=self._scaled(rows.X)))
        try:
            self.spec = self.preparation.chosen(spec, scaled.X, self.n_columns)
            begin = self._with_metric(scaled, partial(self.preparation.begin, self.spec, self.start, None), None)
            return _paid(self.spec, begin(scaled), scaled)
        finally:
            self.spec = spec


def _paid(spec: Specification, state: State, rows: Rows) -> float:
    """By the arm that leads in the end."""
    state, _ = core.advance_in_place(spec, state, rows.X, rows.Y, rows.numbers, rows.weights, skips=True)
    return float(state.losses[state.leader])
