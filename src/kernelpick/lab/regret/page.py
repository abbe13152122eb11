"""regret.html: pictures and tables of all streams, in one file that opens offline."""

from __future__ import annotations

from kernelpick import __version__
from kernelpick.lab.pages.charts import tag, text
from kernelpick.lab.pages.html import css_class, document
from kernelpick.lab.regret.book import RegretBook
from kernelpick.lab.regret.figures import Figure, figures
from kernelpick.lab.regret.plan import StreamPlan
from kernelpick.lab.regret.streams import NamedStream
from kernelpick.lab.regret.table import Grid, Plans, certificates, grids, number, title

ABOUT = (
    "Regret is the summed loss of an algorithm minus that of the best hypothesis in hindsight with norm at most U, "
    "for the best of the kernels. The rows come in one fixed order; means are over seeds, which decide the draws. "
    "Rates depend on the horizon, so each horizon is a run of its own. The inequality of Theorem 1 has all constants; "
    "other bounds hold up to a factor, taken as 1: their shape is what counts."
)


def page(plans: Plans, book: RegretBook) -> str:
    """The whole document."""
    links = [tag("a", text(stream.name), href=f"#{css_class(stream.name)}") for stream in plans]
    parts = [part for stream, plan in plans.items() for part in _parts(stream, plan, book)]
    head = (tag("h1", "Regret, measured"), tag("p", text(f"kernelpick {__version__}"), kind="soft"))
    return document("kernelpick: regret", *head, tag("p", text(ABOUT)), tag("nav", *links), *parts)


def _parts(stream: NamedStream, plan: StreamPlan, book: RegretBook) -> list[str]:
    tables = [tag("div", _table(grid), kind="scroll") for grid in grids(plan, book).values()]
    return [
        tag("h2", text(stream.name), id=css_class(stream.name)),
        tag("p", text(title(stream, plan)), kind="soft"),
        *map(_framed, figures(plan, book)),
        *tables,
        tag("p", text(certificates(plan, book))),
    ]


def _table(grid: Grid) -> str:
    def row(cells: list[str], name: str) -> str:
        kinds = ["word", *["number"] * (len(cells) - 1)]
        return tag("tr", *(tag(name, text(cell) or " ", kind=kind) for cell, kind in zip(cells, kinds, strict=True)))

    return tag("table", row(grid[0], "th"), *(row(cells, "td") for cells in grid[1:]))


def _framed(figure: Figure) -> str:
    swatch = '<svg viewBox="0 0 26 10"><path d="M0,5L26,5" class="line {}"/></svg>'
    legend = [
        tag("li", swatch.format(one.kind), text(one.name), tag("span", f" {number(one.points[-1][1])}", kind="soft"))
        for one in sorted(figure.series, key=lambda one: -one.points[-1][1] if one.points else 0.0)
        if one.points
    ]
    beside = tag("div", figure.chart, tag("ul", *legend, kind="legend"), kind="beside")
    return tag("figure", tag("figcaption", text(figure.caption)), beside)
