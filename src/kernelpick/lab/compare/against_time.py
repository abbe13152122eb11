"""Error against the budget: a chart and a table of a stream, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from kernelpick.budget.parse import seconds
from kernelpick.lab.compare.budgets import split
from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.compare.table import error_text
from kernelpick.lab.pages.charts import Series, tag, text
from kernelpick.lab.pages.html import css_class, legend
from kernelpick.lab.pages.loglog import loglog_chart
from kernelpick.lab.pages.tables import ShownColumn, element, filled, terminal

if TYPE_CHECKING:
    from rich.console import Console

MICRO = 1e6


class BudgetedStanding(NamedTuple):
    standing: Standing
    algorithm: str
    budget: str
    size: str


COLUMNS = (
    ShownColumn[BudgetedStanding]("algorithm", lambda line: line.algorithm, numeric=False),
    ShownColumn[BudgetedStanding]("budget", lambda line: line.budget),
    ShownColumn[BudgetedStanding]("error", lambda line: error_text(line.standing)),
    ShownColumn[BudgetedStanding]("µs a round", lambda line: f"{MICRO * line.standing.seconds:,.1f}"),
    ShownColumn[BudgetedStanding]("what it buys", lambda line: line.size, numeric=False),
)


def lines(board: Board, sizes: Mapping[str, str]) -> list[BudgetedStanding]:
    """Those of the board that have a budget, algorithm by algorithm, the shortest budget first."""
    found = [(one, *split(one.contestant)) for one in board.standings]
    with_budget = [
        BudgetedStanding(one, name, budget, sizes.get(one.contestant, "")) for one, name, budget in found if budget
    ]
    return sorted(with_budget, key=lambda line: (line.algorithm, seconds(line.budget)))


def series(board: Board) -> list[Series]:
    """The error of each algorithm over the budget in microseconds."""
    own = lines(board, {})
    return [
        Series(name, css_class(name), [(MICRO * seconds(one.budget), one.standing.error) for one in own
                                       if one.algorithm == name])
        for name in dict.fromkeys(one.algorithm for one in own)
    ]  # fmt: skip


def show(board: Board, sizes: Mapping[str, str], console: Console | None = None) -> None:
    """Print the table, if there are budgets."""
    rows = lines(board, sizes)
    if rows:
        console = console or terminal()
        console.print(f"{board.stream.name}: error against the budget", style="bold", markup=False, soft_wrap=True)
        console.print(filled(COLUMNS, rows, lined=True))


def parts(board: Board, sizes: Mapping[str, str]) -> list[str]:
    """The chart and the table of a page; nothing without budgets."""
    rows, drawn = lines(board, sizes), series(board)
    if not rows:
        return []
    ranked = sorted(drawn, key=lambda one: -one.points[-1][1])
    chart = loglog_chart(drawn, f"error against the time budget on {board.stream.name}")
    caption = "Error against the time budget of a round, in microseconds; what a budget buys is measured here."
    figure = tag("div", chart, legend(ranked), kind="beside")
    return [tag("figure", tag("figcaption", text(caption)), figure), element(COLUMNS, rows)]
