"""What `kernelpick reproduce` prints: a table per table of the paper, ours beside the published numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.reproduce.cells import title
from kernelpick.lab.reproduce.summary import Line

if TYPE_CHECKING:
    from rich.console import Console

WITHIN, OUTSIDE = "✓", "✗"
NARROW = 110  # columns of a terminal, below which tables are set closely; 80 are enough


class Column(NamedTuple):
    """A column of a table, as every output shows it."""

    header: str
    text: Callable[[Line], str]
    numeric: bool = True


def spread(mean: float, std: float) -> str:
    """Mean and standard deviation with the digits of the paper."""
    return f"{mean:.4f} ± {std:.4f}"


def times(line: Line) -> tuple[str, str]:
    """Our time and the paper's: of a run where that is what the paper tells, else of a round."""
    if line.cell.seconds_per_run is not None:
        return f"{line.seconds:.2f} s", f"{line.cell.seconds_per_run:.2f} s"
    rounds = lookup(line.cell.dataset).rows
    return f"{1e6 * line.seconds / rounds:.1f} µs", f"{1e6 * (line.cell.seconds_per_round or 0):.1f} µs"


MARK = Column("", lambda line: WITHIN if line.within else OUTSIDE, numeric=False)
COLUMNS = (
    Column("dataset", lambda line: line.cell.dataset, numeric=False),
    Column("algorithm", lambda line: line.cell.algorithm, numeric=False),
    Column("settings", lambda line: line.settings, numeric=False),
    Column("s", lambda line: "" if line.step_scale is None else f"{line.step_scale:g}"),
    Column("published", lambda line: spread(line.cell.mean, line.cell.std)),
    Column("ours", lambda line: spread(line.mean, line.std)),
    Column("differs", lambda line: f"{line.difference:+.1%}"),
    MARK,
    Column("time", lambda line: times(line)[0]),
    Column("paper's", lambda line: times(line)[1]),
)


def shown(lines: list[Line]) -> list[Column]:
    """The columns for these lines: settings are told where there are two."""
    both = len({line.settings for line in lines}) > 1
    return [column for column in COLUMNS if both or column.header != "settings"]


def show(lines: list[Line], console: Console | None = None) -> None:
    """Print the tables and how many cells are within the tolerance."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = console or Console(width=None if sys.stdout.isatty() else 120)
    columns, narrow = shown(lines), console.width < NARROW
    for number, rows in groupby(lines, key=lambda line: line.cell.table):
        style = {"box": None, "padding": (0, 1, 0, 0)} if narrow else {"box": box.SIMPLE_HEAD}
        table = Table(title=title(number), title_justify="left", **style)  # type: ignore[arg-type]
        for column in columns:
            table.add_column(column.header, justify="right" if column.numeric else "left")
        for before, line in pairwise([None, *rows]):
            assert line is not None
            if before is not None and before.cell.dataset != line.cell.dataset:
                table.add_section()
            texts = (column.text(line) for column in columns)
            table.add_row(
                *(text.replace(" ± ", "±") if narrow else text for text in texts),
                style=None if line.within else "yellow",
            )
        console.print(table)
    for sentence in verdicts(lines):
        console.print(sentence)


def verdicts(lines: list[Line]) -> list[str]:
    """How many cells are within the tolerance, a sentence for each of the settings."""
    return [
        f"{settings} settings: {sum(line.within for line in own)} of {len(own)} cells are within "
        "max(2·sqrt(std² + published std²), 5 %) of the published value."
        for settings in dict.fromkeys(line.settings for line in lines)
        if (own := [line for line in lines if line.settings == settings])
    ]
