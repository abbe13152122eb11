"""regret.html: pictures and tables of all streams, in one file that opens offline."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from kernelpick import __version__
from kernelpick.lab.pages.charts import Series, tag, text
from kernelpick.lab.pages.html import css_class, document
from kernelpick.lab.pages.loglog import band_chart, loglog_chart
from kernelpick.lab.regret.book import Book
from kernelpick.lab.regret.entrants import VARIANTS, Entrant
from kernelpick.lab.regret.measure import Line, cumulative, line, slope
from kernelpick.lab.regret.plan import Plan
from kernelpick.lab.regret.plays import Case
from kernelpick.lab.regret.streams import Stream
from kernelpick.lab.regret.table import Grid, Plans, certificates, grids, number, title
from kernelpick.lab.regret.theory import THEOREMS

FAR = 1e3  # times the regret of the median: an algorithm that explodes would press all others together
LONG_RUN = ("oks++", "ioks", "rf-oks++", "rf-ioks", "raker", "auto")  # whose regret over the rounds is drawn
ABOUT = (
    "Regret is the summed loss of an algorithm minus that of the best hypothesis in hindsight with norm at most U, "
    "for the best of the kernels. The rows come in one fixed order; means are over seeds, which decide the draws. "
    "Rates depend on the horizon, so each horizon is a run of its own. The inequality of Theorem 1 has all constants; "
    "other bounds hold up to a factor, taken as 1: their shape is what counts."
)


def page(plans: Plans, book: Book) -> str:
    """The whole document."""
    links = [tag("a", text(stream.name), href=f"#{css_class(stream.name)}") for stream in plans]
    parts = [part for stream, plan in plans.items() for part in _parts(stream, plan, book)]
    head = (tag("h1", "Regret, measured"), tag("p", text(f"kernelpick {__version__}"), kind="soft"))
    return document("kernelpick: regret", *head, tag("p", text(ABOUT)), tag("nav", *links), *parts)


def _parts(stream: Stream, plan: Plan, book: Book) -> list[str]:
    tables = [tag("div", _table(grid), kind="scroll") for grid in grids(plan, book)]
    return [
        tag("h2", text(stream.name), id=css_class(stream.name)),
        tag("p", text(title(stream, plan)), kind="soft"),
        _against_rounds(plan, book),
        _against(plan, book, plan.kernels, lambda one: one.case.kernels, "Regret against the number of kernels"),
        _against(plan, book, plan.features, lambda one: one.case.features, "Regret against the number of features D"),
        _against(plan, book, plan.features, lambda one: 1e6 * one.seconds, "Regret against µs a round, as D grows"),
        _over_the_rounds(plan, book),
        *tables,
        tag("p", text(certificates(plan, book))),
    ]


def _table(grid: Grid) -> str:
    def row(cells: list[str], name: str) -> str:
        kinds = ["word", *["number"] * (len(cells) - 1)]
        return tag("tr", *(tag(name, text(cell) or " ", kind=kind) for cell, kind in zip(cells, kinds, strict=True)))

    return tag("table", row(grid[0], "th"), *(row(cells, "td") for cells in grid[1:]))


def _against_rounds(plan: Plan, book: Book) -> str:
    lines = [[line(case, entrant, plan, book) for case in plan.horizons] for entrant in plan.entrants]
    shown, far = _near(lines)
    drawn = []
    for own in shown:
        power = slope(own).value
        told = own[0].entrant.name + ("" if math.isnan(power) else f", slope {power:.2f}")
        drawn.append(Series(told, _style(own[0].entrant), [(one.case.horizon, one.mean) for one in own]))
        theorem = THEOREMS.get(own[0].entrant.algorithm)
        if theorem and own[0].entrant == _first(plan, own[0].entrant.algorithm):
            kind = f"{css_class(own[0].entrant.algorithm)} bound"
            points = [(one.case.horizon, one.bound) for one in own if one.bound > 1e-2]
            drawn.append(Series(f"{theorem.name} ({own[0].entrant.algorithm})", kind, points))
    return _figure(drawn, "Regret against the number of rounds. Dotted: bounds, up to a factor.", far)


def _against(plan: Plan, book: Book, cases: Sequence[Case], axis: Callable[[Line], float], caption: str) -> str:
    entrants = plan.swept if cases == plan.features else plan.entrants
    if len(cases) < 2 or not entrants:
        return ""
    shown, far = _near([[line(case, entrant, plan, book) for case in cases] for entrant in entrants])
    drawn = [
        Series(own[0].entrant.name, _style(own[0].entrant), [(axis(one), one.mean) for one in own]) for own in shown
    ]
    return _figure(drawn, f"{caption}, {cases[0].horizon:,} rounds.", far)


def _over_the_rounds(plan: Plan, book: Book) -> str:
    case = plan.horizons[-1]
    series, bands = [], []
    for entrant in plan.entrants:
        points = cumulative(case, entrant, plan, book) if entrant.algorithm in LONG_RUN else []
        if points:
            series.append(Series(entrant.name, _style(entrant), [(step, mean) for step, mean, _, _ in points]))
            upper = [(step, high) for step, _, _, high in reversed(points)]
            bands.append([*((step, low) for step, _, low, _ in points), *upper])
    caption = f"Regret up to each round of {case.horizon:,}, against the best of them all; bands hold all seeds."
    chart = band_chart(series, bands, case.horizon, caption) if series else ""
    return _framed(chart, series, caption) if series else ""


def _figure(series: Sequence[Series], caption: str, far: Sequence[str]) -> str:
    if far:
        caption += f" Far above or never positive, and left out: {', '.join(far)}."
    if any(y <= 0 for one in series for _, y in one.points):
        caption += " A line ends where regret is not positive."
    return _framed(loglog_chart(series, caption), series, caption)


def _framed(chart: str, series: Sequence[Series], caption: str) -> str:
    swatch = '<svg viewBox="0 0 26 10"><path d="M0,5L26,5" class="line {}"/></svg>'
    legend = [
        tag("li", swatch.format(one.kind), text(one.name), tag("span", f" {number(one.points[-1][1])}", kind="soft"))
        for one in sorted(series, key=lambda one: -one.points[-1][1] if one.points else 0.0)
        if one.points
    ]
    beside = tag("div", chart, tag("ul", *legend, kind="legend"), kind="beside")
    return tag("figure", tag("figcaption", text(caption)), beside)


def _near(lines: Sequence[list[Line]]) -> tuple[list[list[Line]], list[str]]:
    """Those that can be drawn, and the names of the others."""
    middles = sorted(one.mean for own in lines for one in own if 0 < one.mean < math.inf)
    limit = FAR * middles[len(middles) // 2] if middles else math.inf
    shown = [own for own in lines if any(one.mean > 0 for one in own) and max(one.mean for one in own) < limit]
    return shown, [own[0].entrant.name for own in lines if own not in shown]


def _first(plan: Plan, algorithm: str) -> Entrant:
    return next(entrant for entrant in plan.entrants if entrant.algorithm == algorithm)


def _style(entrant: Entrant) -> str:
    name = css_class(entrant.algorithm)
    first = next(iter(VARIANTS.get(entrant.algorithm, {entrant.name: {}})))
    space = " approximate" if entrant.algorithm.startswith("rf-") else ""
    return name + space + ("" if entrant.name == first else " variant")
