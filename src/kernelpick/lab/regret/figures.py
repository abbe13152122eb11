"""The pictures of a stream, as series: regret.html shows them, and each is a file of its own as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kernelpick.lab.pages.charts import Series
from kernelpick.lab.pages.html import css_class
from kernelpick.lab.pages.loglog import band_chart, loglog_chart
from kernelpick.lab.regret.book import RegretBook
from kernelpick.lab.regret.entrants import PROVED, VARIANTS, Entrant
from kernelpick.lab.regret.measure import Finding, cumulative, finding, slope
from kernelpick.lab.regret.plan import StreamPlan
from kernelpick.lab.regret.plays import Case
from kernelpick.lab.regret.table import error_name
from kernelpick.lab.regret.theory import THEOREMS

FAR = 1e3  # times the value of the median: an algorithm that explodes would press all others together
LONG_RUN = (PROVED, "oks++", "ioks", "rf-oks++", "rf-ioks", "raker", "bao2ks", "auto")  # drawn over the rounds


class Figure(NamedTuple):
    """A chart as SVG, the lines in it, and what is said of it."""

    name: str
    caption: str
    series: Sequence[Series]
    chart: str


class Plotted(NamedTuple):
    """What is drawn over what, for the cases of a sweep."""

    name: str
    caption: str
    x: Callable[[Finding], float]
    y: Callable[[Finding], float]


KERNELS = Plotted(
    "kernels", "Regret against the number of kernels", lambda one: one.case.kernels, lambda one: one.mean
)  # fmt: skip


def figures(plan: StreamPlan, book: RegretBook) -> list[Figure]:
    """All of a stream's."""
    named = error_name(plan)
    over_features = (
        Plotted("features", "Regret against the number of features D", _features, lambda one: one.mean),
        Plotted("time", "Regret against µs a round, as D grows", _microseconds, lambda one: one.mean),
        Plotted("error-features", f"{named} against the number of features D", _features, lambda one: one.wrong),
        Plotted("error-time", f"{named} against µs a round, as D grows", _microseconds, lambda one: one.wrong),
    )
    drawn = [_against_rounds(plan, book), _against(plan, book, plan.kernels, KERNELS)]
    drawn += [_against(plan, book, plan.features, plotted) for plotted in over_features]
    return [figure for figure in (*drawn, _over_the_rounds(plan, book)) if figure is not None]


def _features(one: Finding) -> float:
    return one.case.features


def _microseconds(one: Finding) -> float:
    return 1e6 * one.seconds


def _against_rounds(plan: StreamPlan, book: RegretBook) -> Figure:
    findings = [[finding(case, entrant, plan, book) for case in plan.horizons] for entrant in plan.entrants]
    shown, far = _near(findings, lambda one: one.mean)
    drawn = []
    for own in shown:
        power = slope(own).value
        told = own[0].entrant.name + ("" if math.isnan(power) else f", slope {power:.2f}")
        drawn.append(Series(told, style(own[0].entrant), [(one.case.horizon, one.mean) for one in own]))
        theorem = THEOREMS.get(own[0].entrant.algorithm)
        if theorem and own[0].entrant == _first(plan, own[0].entrant.algorithm):
            kind = f"{css_class(own[0].entrant.algorithm)} bound"
            points = [(one.case.horizon, one.bound) for one in own if one.bound > 1e-2]
            drawn.append(Series(f"{theorem.name} ({own[0].entrant.algorithm})", kind, points))
    return _figure("rounds", drawn, "Regret against the number of rounds. Dotted: bounds, up to a factor.", far)


def _against(plan: StreamPlan, book: RegretBook, cases: Sequence[Case], plotted: Plotted) -> Figure | None:
    entrants = plan.swept if cases == plan.features else plan.entrants
    if len(cases) < 2 or not entrants:
        return None
    shown, far = _near([[finding(case, entrant, plan, book) for case in cases] for entrant in entrants], plotted.y)
    drawn = [
        Series(own[0].entrant.name, style(own[0].entrant), [(plotted.x(one), plotted.y(one)) for one in own])
        for own in shown
    ]  # fmt: skip
    return _figure(plotted.name, drawn, f"{plotted.caption}, {cases[0].horizon:,} rounds.", far)


def _over_the_rounds(plan: StreamPlan, book: RegretBook) -> Figure | None:
    case = plan.horizons[-1]
    series, bands = [], []
    for entrant in plan.entrants:
        points = cumulative(case, entrant, plan, book) if entrant.name in LONG_RUN else []
        if points:
            series.append(Series(entrant.name, style(entrant), [(step, mean) for step, mean, _, _ in points]))
            upper = [(step, high) for step, _, _, high in reversed(points)]
            bands.append([*((step, low) for step, _, low, _ in points), *upper])
    caption = f"Regret up to each round of {case.horizon:,}, against the best of them all; bands hold all seeds."
    return Figure("run", caption, series, band_chart(series, bands, case.horizon, caption)) if series else None


def _figure(name: str, series: Sequence[Series], caption: str, far: Sequence[str]) -> Figure:
    if far:
        caption += f" Far above or never positive, and left out: {', '.join(far)}."
    if any(y <= 0 for one in series for _, y in one.points):
        caption += " A line ends where regret is not positive."
    return Figure(name, caption, series, loglog_chart(series, caption))


def _near(
    findings: Sequence[list[Finding]], value: Callable[[Finding], float]
) -> tuple[list[list[Finding]], list[str]]:
    """Those that can be drawn, and the names of the others."""
    middles = sorted(value(one) for own in findings for one in own if 0 < value(one) < math.inf)
    limit = FAR * middles[len(middles) // 2] if middles else math.inf
    shown = [own for own in findings if any(value(one) > 0 for one in own) and max(map(value, own)) < limit]
    return shown, [own[0].entrant.name for own in findings if own not in shown]


def _first(plan: StreamPlan, algorithm: str) -> Entrant:
    return next(entrant for entrant in plan.entrants if entrant.algorithm == algorithm)


def style(entrant: Entrant) -> str:
    """The classes of its line."""
    name = css_class(entrant.algorithm)
    first = next(iter(VARIANTS.get(entrant.algorithm, {entrant.name: {}})))
    space = " approximate" if entrant.algorithm.startswith("rf-") else ""
    return name + space + ("" if entrant.name == first else " variant")
