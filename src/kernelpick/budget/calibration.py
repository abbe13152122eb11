"""A calibration: what is measured for an algorithm, and the costs that come of it, kept for the next time."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate
from time import thread_time
from typing import Any

from kernelpick import parameters
from kernelpick.budget import cache
from kernelpick.budget.choose import Usable
from kernelpick.budget.costs import Costs, Crowd, Point
from kernelpick.budget.fit import fitted
from kernelpick.budget.measure import Clock, Probe, Seconds, Way, measured
from kernelpick.budget.sizes import in_blocks, sized
from kernelpick.core.kernels import Kernel
from kernelpick.core.kernels.frequencies import NORMAL, STRUCTURED
from kernelpick.core.messages import is_number
from kernelpick.core.rounds import BLOCK
from kernelpick.core.selectors.leader import SEATS, Leader
from kernelpick.core.specification import algorithm_of
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import preparation

SETTLED = 1100  # rows after which scales are frozen; where a round takes longer, that hardly shows:
BEGUN = 128
GROWN = 4096  # and after which trees are grown on all rows that they keep
WIDE = 64  # inputs from which on structured frequencies are tried
TOGETHER = 5.0  # hypotheses whose largest matrices are measured together in single rows, as all of them are
MET = 64  # rows after which those have been written to: more than are held back at first
FILLED = 4  # times as many rows as examples that are stored
_known: dict[str, Costs] = {}  # of this process


def most_arms(plan: Plan) -> int:
    """The kernels that a model of the plan has in the end, where time is left for all of them."""
    prep, spec = preparation(plan), plan.specification
    if prep.may_have_metric(last=True) or not plan.auto_kernels:
        return prep.arms(replace(spec, hypotheses=float(SEATS)), last=True)
    return spec.row.size.widths if spec.row.fits else SEATS


def evenly(plan: Plan, rows: int) -> Plan:
    """The plan as it is played with a budget, so many rows a call: fits run beside the rounds, and where rows come one
    by one, none does more than its share.

    A call of many rows takes in what blocks of them have left at the speed of matrix products, as a part of itself.
    """
    return replace(plan, specification=replace(plan.specification, steady=rows < BLOCK, even=True), spread=True)


@dataclass(frozen=True)
class Unsized:
    """What is to be measured: parameters of an estimator without a size, and the shape of its rows."""

    params: dict[str, Any]
    classifies: bool
    n_inputs: int
    n_outputs: int
    rows: int = BLOCK  # of a call

    @property
    def algorithm(self) -> Any:
        return parameters.sized(self.params["algorithm"], self.params["size"])

    @property
    def has_size(self) -> Plan:
        """The plan with everything that it could have, and any size."""
        return self.plan({"n_features": 64} if algorithm_of(self.algorithm).space.spectral else {})

    def plan(self, told: dict[str, Any]) -> Plan:
        own = parameters.plan(self.params | told, self.classifies, self.n_inputs, self.n_outputs, seed=0)
        return evenly(own, self.rows)

    def usable(self) -> Usable:
        """What a budget can be spent on, of what the user leaves open."""
        row, whole, given = algorithm_of(self.algorithm), self.has_size, self.params["hypotheses"]
        arms = most_arms(whole)
        scouts = row.selector is Leader and is_number(given) and given > 1.0
        if scouts and whole.specification.steady:  # one that plays in some blocks costs as much at the 99th percentile
            given = float(math.ceil(given))
        given, most = (min(given, float(arms)), float(arms)) if scouts else (1.0, 1.0)  # there are no more of them
        beside = bool(row.fits) and self.params["companions"] == "auto" and bool(whole.companions)
        size = sized(self.algorithm, self.n_inputs, single=self.rows == 1)
        if self.params["orthogonal"] == STRUCTURED:
            size = in_blocks(size, self.n_inputs)
        fits = whole.specification.steady and len(row.fits) > 1
        return Usable(size, given, most, whole.memories, beside, fits)

    def structured(self) -> "Unsized | None":
        """The same with structured frequencies, where these may be faster and nobody has chosen."""
        row, kernels = algorithm_of(self.algorithm), self.has_size.specification.kernels
        first_order = row.space.structured is not None and not row.learner_for(self.n_inputs).wide
        may = self.n_inputs >= WIDE and first_order and all(kernel.spectrum is NORMAL for kernel in kernels)
        if not may or self.params["orthogonal"] is not None:
            return None
        return replace(self, params=self.params | {"orthogonal": STRUCTURED})

    def asked(self, way: Way) -> str:
        """All that costs depend on, as a text."""
        spec, plan = self.has_size.specification, self.has_size
        kernels = [type(kernel).__name__ if isinstance(kernel, Kernel) else "" for kernel in spec.kernels]
        told = (spec.name, spec.row, spec.row.size, spec.loss, spec.n_inputs, spec.n_outputs, spec.forgetting)
        beside = (plan.scale, plan.memories, plan.companions, plan.balanced, self.usable().most)
        return repr((way.name, *told, spec.precision, plan.auto_kernels or kernels, *beside))


def costs_for(
    unsized: Unsized,
    way: Way,
    clock: Clock = thread_time,
    folder: Callable[[], Any] = cache.folder,
    again: bool = False,
) -> Costs:
    """What was measured before on this machine, or is now."""
    asked = unsized.asked(way)
    if asked not in _known or again:
        path = cache.path_for(asked, folder())
        known = None if again else cache.found(path)
        _known[asked] = known or cache.keep(path, calibrated(unsized, way, clock), {"asked": asked}, again)
    return _known[asked]


def calibrated(unsized: Unsized, way: Way, clock: Clock) -> Costs:
    """Measure kernels at some sizes with one hypothesis a round, and at one of them what plays beside them.

    Fits of the first rows are left out: they are few, and no part of a usual round.
    """
    usable, row = unsized.usable(), algorithm_of(unsized.algorithm)
    bare: dict[str, Any] = {"algorithm": replace(row, fits=()), "size": "full"}
    if usable.most > 1.0:
        bare["hypotheses"] = 1.0
    if usable.memories:
        bare["forgetting"] = 1.0
    if usable.companions:
        bare["companions"] = ()
    sizes = usable.sized.probes
    plans = [unsized.plan(bare | {usable.sized.parameter: size}) for size in sizes]
    stores = FILLED if usable.sized.parameter == "budget" else 0
    probes = [
        Probe(plan, max(SETTLED if place < 2 else BEGUN, stores * size))
        for place, (plan, size) in enumerate(zip(plans, sizes, strict=True))
    ]
    at = len(sizes) // 2  # where it is measured what plays beside: matrices leave it no room in the nearest caches
    beside = [(True, unsized.has_size.memories, ()), (usable.companions, False, unsized.has_size.companions)]
    probes += [
        Probe(
            replace(plans[at], memories=memories, companions=(*plans[at].companions, *companions)),
            GROWN if companions else BEGUN,
        )
        for wanted, memories, companions in beside
        if wanted and (memories or companions)
    ]
    several: list[float] = []
    if way.rows == 1 and usable.sized.degree == 2 and usable.most > 1.0:  # many rows read a matrix together
        several = sorted({min(usable.most, TOGETHER), usable.most})
    probes += [Probe(_together(plans[-1], hypotheses), MET) for hypotheses in several]
    times = measured(way, probes, clock)
    kernels, further = times[: len(sizes)], iter(times[len(sizes) :])
    xs = [usable.sized.x(size) for size in sizes]
    points = tuple(Point(size, x, *time) for size, x, time in zip(sizes, xs, kernels, strict=True))
    mean, high = (fitted(xs, column, usable.sized.degree) for column in zip(*kernels, strict=True))
    # by all points: one may have been disturbed
    none, alone = Seconds(0.0, 0.0), Seconds(mean.at(xs[at]), high.at(xs[at]))
    memories = _more(next(further), alone) if usable.memories else none
    companions = _more(next(further), alone) if usable.companions else none
    costs = Costs(way.rows, points, mean, high, memories, companions)
    crowds = accumulate((_crowd(costs, xs[-1], hypotheses, next(further)) for hypotheses in several), _no_less)
    return costs._replace(crowds=tuple(crowds))


def _together(plan: Plan, hypotheses: float) -> Plan:
    """The plan with so many in a round, and as many kernels as they are."""
    spec = plan.specification
    kernels = (spec.kernels * math.ceil(hypotheses))[: math.ceil(hypotheses)]
    return replace(plan, specification=replace(spec, kernels=kernels, hypotheses=hypotheses), auto_kernels=False)


def _crowd(costs: Costs, x: int, hypotheses: float, took: Seconds) -> Crowd:
    alone = zip(took, (costs.mean, costs.high), strict=True)
    players = math.ceil(hypotheses)
    longer = (max((seconds - curve.fixed) / max(players * curve.moving(x), 1e-12), 1.0) for seconds, curve in alone)
    return Crowd(hypotheses, *longer)


def _no_less(fewer: Crowd, more: Crowd) -> Crowd:
    """Each of more takes no less than each of fewer, whatever disturbed their measurement."""
    return Crowd(*map(max, fewer, more))


def _more(with_it: Seconds, without: Seconds) -> Seconds:
    """At the 99th percentile no less than on average."""
    mean = max(0.0, with_it.mean - without.mean)
    return Seconds(mean, max(mean, with_it.high - without.high))
