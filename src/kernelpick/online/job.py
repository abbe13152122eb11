"""A fit that runs beside the rounds, in steps, and takes effect at a round that is known when it begins.

It is a function of the rows that are kept for it and of what was known when it began. So it does not matter in which
pieces it is done: a file has what it began with, and a model that is loaded does again what was done.

Work is counted in rounds of one player. A fit at once lets all arms learn all rows; here

    scales, kernels -> [targets or their logarithms] -> [the metric] -> heats: every arm learns the first rows
                    -> the best of them learns the others, and those that came meanwhile, until it has caught up.

The others know the rows of their heat, and go on as scouts. Before the last of the first fits there are no heats: the
middle width learns all rows. How long that takes, pace.py says.
"""

import copy
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.selectors.leader import Leader
from kernelpick.online.ahead import Ahead
from kernelpick.online.calibration import Calibration
from kernelpick.online.catching_up import Coming, caught_up, taught
from kernelpick.online.companions import Companions
from kernelpick.online.heats import Steps, heats, seat_winner
from kernelpick.online.intervals import Intervals
from kernelpick.online.kept_rows import AsItWas, KeptRows, Outputs, settled
from kernelpick.online.late import Came, Late
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.metric import Metric
from kernelpick.online.pace import RACED, STEP, duration, heat, pace
from kernelpick.online.said import part_of
from kernelpick.online.statistics import owned
from kernelpick.online.target_scale import candidates, has_logs, in_scale, racing
from kernelpick.online.trials import heard_by, metric_of

FIRST, RANGE, CHANGED = WHY = ("first", "range", "changed")  # inputs have left their range; what is learned has changed


class Result(NamedTuple):
    shadow: Any  # the stream as it would be if it had begun with this fit
    spec: Specification
    state: State
    paid: float  # the mean loss of the rows that came meanwhile, in units of the target; of interest after a change


class Job:
    """What a fit began with, and how far it is."""

    def __init__(self, why: str, model: Any, last: bool) -> None:
        self.why, self.last = why, last
        self.loss, self.weight = model.said.total, model.said.weight  # of all that was said when it began
        self.kept: KeptRows | None = None  # those for the first fits are the model's own
        self.leader = -1 if model.state is None else model.state.leader
        self.inputs, self.targets = owned(model.inputs), owned(model.targets)
        self.columns = len(model.column_names)
        self.late: list[Came] = []  # columns that have come since then (late.py),
        self.outputs: list[Outputs] = []  # and outputs
        if why != FIRST:
            rows = model.watch.recent.rows()
            length = len(rows.X)
            self.kept = KeptRows(model.spec, length + duration(model.preparation, length, last))
            self.kept.add(rows)
        self.base = self.rows(model).count
        races = candidates(model.plan.target_way, model.targets, self.rows(model).rows().Y).any()
        self.due = self.base + duration(model.preparation, self.base, last, bool(races))
        self.start_over()

    def __getstate__(self) -> dict[str, Any]:
        """What is under way is done again."""
        own = object.__new__(Job)
        vars(own).update(vars(self))
        own.start_over()
        return vars(own)

    def start_over(self) -> None:
        self.done, self.seen = 0.0, self.base  # work, and rows
        self.steps: Steps | None = None
        self.beside: Iterator[Companions] = iter(())  # companions learn the same rows
        self.room: Iterator[None] = iter(())  # memory that is to be written to
        self.widening: Late | None = None
        self.result: Result | None = None

    def heard(self, said: MeanLoss) -> float:
        """The mean loss of what the model has said since it began."""
        return (said.total - self.loss) / max(said.weight - self.weight, 1e-300)

    def rows(self, model: Any) -> KeptRows:
        return model.first if self.kept is None else self.kept  # type: ignore[no-any-return]

    def as_it_was(self, model: Any) -> AsItWas:
        return AsItWas(self.rows(model), self.columns, self.inputs.table.shape[1], self.outputs)

    def advance(self, model: Any) -> bool:
        """Do what is due after the rows so far; True when it is to take effect."""
        count = self.rows(model).count
        allowed = pace(model.plan.specification) * (count - self.base) if count < self.due else math.inf
        if self.steps is None:
            self.steps = _fit(self, model)
            self.done += next(self.steps)
        try:
            while self.done < allowed:
                cost = self.steps.send(min(allowed - self.done, 1e6))
                if cost == 0.0:  # all rows that are there are learned
                    break
                self.done += cost
        except StopIteration as end:
            self.result = end.value
        for _ in range(self.seen, count):
            next(self.beside, None)
            next(self.room, None)
            if self.widening is not None:
                self.widening.prepare()
        self.seen = count
        return count >= self.due


def _shadow(job: Job, model: Any) -> Any:
    """A stream that begins with what the model had, and shares nothing that changes."""
    shadow = object.__new__(type(model))
    vars(shadow).update(vars(model))
    shadow.narrow(job.columns, job.inputs.table.shape[1], job.targets.table.shape[1])
    shadow.plan, shadow.notices, shadow.replays = replace(model.plan, memories=False), [], True
    shadow.state = shadow.memories = shadow.companions = None
    if model.calibration is not None:
        shadow.calibration = Calibration(shadow.spec.n_outputs)
    if model.state is None:  # what is said to rows that are played for the first time counts
        shadow.said = copy.deepcopy(model.said)
        if model.intervals is not None:  # which have learned nothing yet
            shadow.intervals = Intervals(shadow.spec.n_outputs, shadow.spec.n_inputs)
    return shadow


def _fit(job: Job, model: Any) -> Steps:
    shadow, prep, kept = _shadow(job, model), model.preparation, job.as_it_was(model)
    yield STEP  # scouts rest: with the next row, the way of single ones is made anew
    base = kept.between(0, job.base)
    base = base._replace(X=settled(base.X))
    yield STEP
    scales = owned(job.inputs), owned(job.targets)
    fits = prep.fitted_scales if job.why == FIRST else prep.new_scales
    shadow.inputs, shadow.targets = fits(scales, base)
    yield STEP
    rows = base._replace(X=shadow._scaled(base.X))
    began, shadow.spec = shadow.spec, prep.chosen(shadow.spec, rows.X, shadow.n_columns)
    spec = shadow.spec
    yield STEP
    lead = len(spec.kernels) // 2  # who leads after a few rows is chance, and the middle is never far off
    if model.plan.scale_target:
        shadow.targets = yield from racing(
            spec, model.plan.target_way, shadow.targets, rows, min(RACED, len(rows.X)),
            lambda scaled: heard_by(shadow, spec, lead, scaled),
        )  # fmt: skip
        shadow.has_logs = has_logs(shadow.targets)
    scaled = in_scale(shadow.targets, rows)
    yield STEP
    companions, scales = Companions(began, model.plan.companions), (owned(shadow.inputs), owned(shadow.targets))
    job.beside = taught(companions, began, scales, scaled, job.as_it_was(model), job.due)
    yield STEP
    ahead, model.ahead = model.ahead or Ahead(spec, prep.arms(spec, job.last)), None
    job.room, metric = ahead.steps, None
    yield STEP
    if spec.row.selector is Leader and prep.may_have_metric(job.last) and not prep.tells_little(spec, rows):
        metric = yield from metric_of(shadow, spec, (lead, job.leader if job.why == FIRST else lead), scaled)
    start = shadow.start
    if metric is not None:
        spec, start = metric[0], _starts(shadow, *metric)
    shadow.spec = spec
    state = ahead.given(start())
    if model.state is not None and type(state.learner) is type(model.state.learner):
        state.share_code(model.state)
    yield STEP
    done, late = 0, Late(shadow, job.late, kept)
    if spec.row.selector is Leader:
        arms = np.flatnonzero(state.selector.seat >= 0) if prep.compares(job.last) else np.array([lead])
        done = min(heat(len(arms)), len(rows.X))
        winner, scores, own, shadow.state = yield from heats(spec, state, part_of(scaled, slice(done)), arms)
        late.plays_one_of((spec, state), winner)
        shadow.spec = own
    else:
        shadow.state = state
    paid = MeanLoss(model.said.power, model.said.several)
    coming, job.widening = Coming(shadow, kept, late, job.due), late
    yield from caught_up(shadow, scaled, done, coming, paid if job.why == CHANGED else None, model.state is None)
    for companions in job.beside:
        shadow.companions = companions if companions else model.companions
    if late.whole is not None:
        alone, (shadow.spec, shadow.state) = shadow.state, late.whole
        seat_winner(shadow.state, alone, winner, scores, done)
    if companions and shadow.spec.n_inputs > began.n_inputs:
        companions.widen(shadow.spec)
    shadow.plan = model.plan
    return Result(shadow, shadow.spec, shadow.state, paid.mean)


def _starts(shadow: Any, spec: Specification, metric: Metric) -> Any:
    def start() -> State:
        shadow.spec = spec
        return metric.started(shadow.start, spec.kernels)

    return start
