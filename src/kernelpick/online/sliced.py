"""A stream whose fits run beside its rounds (job.py), where no round may do more than its share.

The first fit, with the first eight rows, is done at once, as all are without a time budget. The old state answers and
learns until a fit takes effect. One fit is under way at a time; a further one waits for it.
"""

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from kernelpick.core.loop import Rows
from kernelpick.core.selectors.leader import Leader
from kernelpick.core.selectors.scouts import NO_SCOUTS
from kernelpick.online.ahead import Ahead
from kernelpick.online.fitting import FittingStream
from kernelpick.online.job import CHANGED, FIRST, RANGE, Job
from kernelpick.online.kept_rows import Outputs
from kernelpick.online.late import Came
from kernelpick.online.learning import Stream
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import AT_ONCE
from kernelpick.online.said import Said
from kernelpick.online.statistics import nothing_out

TOGETHER = 64  # rows of a piece, at most, while a fit is under way
BETTER = 0.9  # times the loss of the model in the rows that came meanwhile: a fit that pays less for them takes over


class SlicedStream(FittingStream):
    job: Job | None = None  # the fit that is under way
    ahead: Ahead | None = None  # memory for the last of the first fits, before it begins

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        if plan.spread:
            self._draw_in_advance()

    def _draw_in_advance(self) -> None:
        """Frequencies take longer to draw than a round: with the first row those of all fits are drawn, and kept."""
        own = self.spec
        for size in self.preparation.sizes(self.n_columns):
            self.spec = replace(own, n_features=size)
            self.start()
        self.spec = own

    def _left(self) -> int:
        left, job = super()._left(), self.job
        return left if job is None else min(left, job.due - job.rows(self).count, TOGETHER)

    def _learn_piece(self, rows: Rows) -> Said:
        said = Stream._learn_piece(self, rows)
        if self.job is not None and self.job.why == FIRST:
            self._go_on()
        return said

    def fit_is_due(self) -> None:
        assert self.first is not None
        if not self.plan.spread or self.first.count <= AT_ONCE:
            super().fit_is_due()
        elif self.job is None:
            self._begin_first()

    def take_in(self) -> None:
        """Columns that wait for it; here there are none."""

    def narrow(self, columns: int, n_inputs: int, n_outputs: int) -> None:
        """Without outputs that have come later, nor columns, of which here there are none."""
        self.spec = replace(self.spec, n_inputs=n_inputs, n_outputs=n_outputs)

    def _begin_first(self) -> None:
        assert self.first is not None
        self.job = Job(FIRST, self, last=self.first.count >= self.preparation.fits[-1])
        self.scouts_rest()

    def scouts_rest(self, rest: bool = True, begins: bool = True) -> None:
        """As long as a fit is under way, the leader plays alone, from now on if that begins; or they play again."""
        state = self.state
        if state is None or not isinstance(state.selector, Leader) or self.spec.hypotheses <= 1.0:
            return
        hypotheses = NO_SCOUTS if rest else float(self.spec.hypotheses)
        self.state = state._replace(selector=state.selector._replace(hypotheses=hypotheses))
        self.state.share_code(state)
        if rest and begins:
            self.state.selector.playing[:] = np.arange(len(self.spec.kernels)) == self.state.leader

    def fit(self, final: bool = True) -> None:
        self.take_in()
        if self.first is not None:
            self.job = None
        super().fit(final)

    def _watched(self, rows: Rows, strays: int) -> None:
        job = self.job
        super()._watched(rows, strays)
        if job is not None:
            self.beside(rows)

    def looked_back(self, out: bool, heard: float) -> None:
        if not self.plan.spread:
            super().looked_back(out, heard)
        elif self.job is None and (out or self.preparation.may_have_changed(self.state)):
            self.job = Job(RANGE if out else CHANGED, self, last=True)
            self.scouts_rest()

    def beside(self, rows: Rows) -> None:
        """Rows that were learned while a fit is under way."""
        assert self.job is not None
        if self.job.kept is not None:
            self.job.kept.add(rows)
        self._go_on()

    def _go_on(self) -> None:
        assert self.job is not None
        if self.job.advance(self):
            self._take_effect(self.job)

    def _take_effect(self, job: Job) -> None:
        """What the fit has come to takes the place of what was learned."""
        assert job.result is not None
        shadow, spec, state, paid = job.result
        self.job = None
        if job.why == CHANGED and not paid < BETTER * job.heard(self.said):
            self.scouts_rest(False)
            return
        rounds = self.rounds
        self.spec, self.state, self.has_logs = spec, state, shadow.has_logs
        for name in ("inputs", "targets", "companions", "calibration", "said", "intervals"):
            if hasattr(shadow, name):
                setattr(self, name, getattr(shadow, name))
        nothing_out(self.inputs)  # what was counted is not of this window
        self.desk.undraw()  # what was drawn and said to tickets belongs to the state that is given up
        if job.why == FIRST and job.last:
            assert self.first is not None
            if self.watch is not None:
                self.watch.begin(self.spec, self.first)
            self.first = None
        if self.first is None:
            self.given_up = rounds - state.rounds
        if job.why == CHANGED:
            self.preparation.watch_on(self.state)
        self.took_effect()
        self._make_ahead()
        if self.first is not None and self.first.count >= self.preparation.fits[-1]:
            self._begin_first()

    def took_effect(self) -> None:
        """For those who have something to begin then, or to note."""

    def _make_ahead(self) -> None:
        """After a fit that another follows: memory for that one, which single rows write to (single.py)."""
        if self.first is not None and self.spec.row.selector is Leader:
            size, arms = max(self.preparation.sizes(self.n_columns)), self.preparation.arms(self.spec, last=True)
            self.ahead = Ahead(replace(self.spec, n_features=size), arms)

    @property
    def companions_rest(self) -> bool:
        """Where they would have nothing to say before the last fit takes effect, they do not learn for nothing."""
        job = self.job
        return job is not None and job.why == FIRST and job.last and self.spec.steady

    def came(self, names: list[Hashable], made: bool, clock: bool) -> None:
        """Columns that have been taken in: a fit that is under way hears of them."""
        job = self._job_that_goes_on()
        if job is not None:
            job.late.append(Came(names, made, clock, job.rows(self).count, self.spec.n_inputs))

    def outputs_came(self, sources: list[int], signs: list[float]) -> None:
        """The same for outputs."""
        job = self._job_that_goes_on()
        if job is not None:
            job.outputs.append(Outputs(sources, signs, job.rows(self).count))

    def _job_that_goes_on(self) -> Job | None:
        """The fit that is under way when something comes; one of the first for which no row has come yet begins with
        it."""
        self.ahead, job = None, self.job
        if job is not None and job.why == FIRST and job.rows(self).count == job.base:
            self.job, job = Job(FIRST, self, job.last), None
        return job
