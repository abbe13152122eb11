"""Tables whose columns are told once, for terminals, for pages and for texts in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from kernelpick.lab.pages.charts import tag, text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

T = TypeVar("T")


class ShownColumn(NamedTuple, Generic[T]):
    """A column, as every output shows it."""

    header: str
    text: Callable[[T], str]
    numeric: bool = True

    @property
    def kind(self) -> str:
        """Its CSS class."""
        return "number" if self.numeric else "word"


def terminal() -> Console:
    """As wide as the terminal; into a pipe or a file, wide enough for every table."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


def terminal_table(columns: Sequence[ShownColumn[Any]], **style: Any) -> Table:
    """A table without rows."""
    from rich.table import Table

    table = Table(**style)
    for column in columns:
        table.add_column(column.header, justify="right" if column.numeric else "left")
    return table


def headers(columns: Sequence[ShownColumn[Any]]) -> list[str]:
    """The cells of the first row of a page's table; an empty one holds a space, as XML knows no empty text."""
    return [tag("th", text(column.header) or " ", kind=column.kind) for column in columns]


def cells(columns: Sequence[ShownColumn[T]], row: T) -> list[str]:
    """The cells of a row of a page's table."""
    return [tag("td", text(column.text(row)) or " ", kind=column.kind) for column in columns]


def filled(
    columns: Sequence[ShownColumn[T]], rows: Iterable[T], title: str | None = None, lined: bool = False
) -> Table:
    """A whole table for a terminal, lined below its headers or bare."""
    from rich import box

    style: dict[str, Any] = {"box": box.SIMPLE_HEAD} if lined else {"box": None, "padding": (0, 1, 0, 0)}
    table = terminal_table(columns, title=title, title_justify="left", **style)
    for row in rows:
        table.add_row(*(column.text(row) for column in columns))
    return table


def element(columns: Sequence[ShownColumn[T]], rows: Iterable[T]) -> str:
    """A whole table of a page."""
    body = [tag("tr", *headers(columns)), *(tag("tr", *cells(columns, row)) for row in rows)]
    return tag("div", tag("table", *body), kind="scroll")


def markdown(columns: Sequence[ShownColumn[T]], rows: Iterable[T]) -> str:
    """A whole table in Markdown.

    >>> print(markdown([ShownColumn("a", str), ShownColumn("square", lambda a: str(a * a))], [2, 3]))
    | a | square |
    | --- | --- |
    | 2 | 4 |
    | 3 | 9 |
    """
    return markdown_of(
        (column.header for column in columns), ([column.text(row) for column in columns] for row in rows)
    )


def markdown_of(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """The same from texts."""
    header = list(header)
    return "\n".join(f"| {' | '.join(texts)} |" for texts in (header, ["---"] * len(header), *rows))
