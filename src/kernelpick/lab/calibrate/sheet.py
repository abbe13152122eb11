"""One calibration in words and numbers: what was measured beside the fit, and what budgets buy."""

from __future__ import annotations

from typing import NamedTuple

from kernelpick.budget import planned
from kernelpick.budget.calibration import Unsized
from kernelpick.budget.choose import TooSmallError, choose
from kernelpick.budget.costs import Costs, Point
from kernelpick.budget.parse import rounded_up, seconds, words
from kernelpick.lab.pages.tables import ShownColumn

MICRO = 1e6
WHAT = {"n_features": "frequency", "budget": "stored example"}


class Sheet(NamedTuple):
    """An algorithm, and what its rounds cost."""

    name: str
    unsized: Unsized
    costs: Costs

    @property
    def rows(self) -> list[Measured]:
        mean, high, points = self.costs.mean, self.costs.high, self.costs.points
        return [Measured(point, mean.at(point.x), high.at(point.x)) for point in points]

    def bought(self, budgets: list[str]) -> list[Bought]:
        return [self._bought(budget) for budget in budgets]

    def _bought(self, budget: str) -> Bought:
        usable = self.unsized.usable()
        try:
            use, capped = choose(self.costs, usable, seconds(budget))
        except TooSmallError as problem:
            smaller = ", and below that it is tiny" if self.name in planned.SMALLER else ""
            return Bought(budget, f"too small: {rounded_up(problem.smallest)} is the least{smaller}", None, None)
        size = planned.size_text(planned.told(use, self.unsized), self.unsized.params)
        return Bought(
            budget, f"{size}{', the largest' if capped else ''}", *self.costs.seconds(use, usable.sized.x(use.size))
        )


class Measured(NamedTuple):
    point: Point
    mean: float  # of the fit
    high: float


class Bought(NamedTuple):
    budget: str
    size: str
    mean: float | None
    high: float | None


def micro(time: float | None) -> str:
    """
    >>> micro(1.234e-05), micro(None)
    ('12.34', '-')
    """
    return "-" if time is None else f"{MICRO * time:,.2f}"


MEASURED = (
    ShownColumn[Measured]("size", lambda row: f"{row.point.size:,}"),
    ShownColumn[Measured]("order or size of the fit", lambda row: f"{row.point.x:,}"),
    ShownColumn[Measured]("mean, µs", lambda row: micro(row.point.mean)),
    ShownColumn[Measured]("fit", lambda row: micro(row.mean)),
    ShownColumn[Measured]("p99, µs", lambda row: micro(row.point.high)),
    ShownColumn[Measured]("fit", lambda row: micro(row.high)),
)
BOUGHT = (
    ShownColumn[Bought]("budget", lambda row: row.budget),
    ShownColumn[Bought]("buys", lambda row: row.size, numeric=False),
    ShownColumn[Bought]("mean, µs", lambda row: micro(row.mean)),
    ShownColumn[Bought]("p99, µs", lambda row: micro(row.high)),
)


def sentences(sheet: Sheet) -> list[str]:
    """The fit, what plays beside the kernels, and what many large ones cost each other."""
    curve, sized = sheet.costs.mean, sheet.unsized.usable().sized
    what = WHAT[sized.parameter]
    said = [f"A round takes {words(curve.fixed)}, and for every hypothesis that plays"]
    if sized.degree == 2:
        said.append(f"{1e9 * curve.linear:.3g} ns x m + {1e9 * curve.square:.3g} ns x m², m = 2D + 1 + {sized.inputs}.")
    else:
        beta = f", so beta is {1e-6 / curve.linear:,.0f} a µs" if curve.linear else ""
        said.append(f"{1e9 * curve.linear:.3g} ns for each {what}{beta}.")
        if curve.more:
            said.append(f"Beyond {curve.bend:,.0f} of them each takes {1e9 * (curve.linear + curve.more):.3g} ns.")
    beside = {"Memories": sheet.costs.memories, "Companions": sheet.costs.companions}
    told = [f"{name} take {words(time.mean)}, {words(time.high)} at p99." for name, time in beside.items() if time.mean]
    told += [
        f"Where {crowd.hypotheses:g} of the largest play, each takes {crowd.mean:.2f} times as long as alone, "
        f"{crowd.high:.2f} times at p99."
        for crowd in sheet.costs.crowds
    ]
    return [" ".join(said), *told]
