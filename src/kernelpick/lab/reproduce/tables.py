"""What `kernelpick reproduce` prints: a table per table of the paper, ours beside the published numbers."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.pages.tables import ShownColumn, terminal, terminal_table
from kernelpick.lab.reproduce.cells import Cell, title
from kernelpick.lab.reproduce.summary import Reproduction
from kernelpick.lab.running.names import unique

if TYPE_CHECKING:
    from rich.console import Console

MARKS = {True: "✓", False: "✗", None: ""}  # within, outside, nothing to compare with
STYLES = {True: None, False: "yellow", None: "dim"}
NARROW = 110  # columns of a terminal, below which tables are set closely; 80 are enough


def spread(mean: float, std: float) -> str:
    """Mean and standard deviation with the digits of the paper."""
    return f"{mean:.4f} ± {std:.4f}"


def published(cell: Cell) -> str:
    """The number of the paper, if it has one."""
    return "" if cell.published is None else spread(*cell.published[:2])


def times(line: Reproduction) -> tuple[str, str]:
    """Our time and the paper's: of a run where that is what the paper tells, else of a round."""
    paper, rounds = line.cell.published, lookup(line.cell.dataset).rows
    if paper is None:
        return f"{1e6 * line.seconds / rounds:.1f} µs", ""
    if paper.seconds_per_run is not None:
        return f"{line.seconds:.2f} s", f"{paper.seconds_per_run:.2f} s"
    return f"{1e6 * line.seconds / rounds:.1f} µs", f"{1e6 * (paper.seconds_per_round or 0):.1f} µs"


MARK: ShownColumn[Reproduction] = ShownColumn("", lambda line: MARKS[line.within], numeric=False)
COLUMNS: tuple[ShownColumn[Reproduction], ...] = (
    ShownColumn("dataset", lambda line: line.cell.dataset, numeric=False),
    ShownColumn("algorithm", lambda line: line.cell.algorithm, numeric=False),
    ShownColumn("settings", lambda line: line.settings, numeric=False),
    ShownColumn("s", lambda line: "" if line.step_scale is None else f"{line.step_scale:g}"),
    ShownColumn("published", lambda line: published(line.cell)),
    ShownColumn("ours", lambda line: spread(line.mean, line.std)),
    ShownColumn("differs", lambda line: "" if line.difference is None else f"{line.difference:+.1%}"),
    MARK,
    ShownColumn("time", lambda line: times(line)[0]),
    ShownColumn("paper's", lambda line: times(line)[1]),
)


def shown(lines: list[Reproduction]) -> list[ShownColumn[Reproduction]]:
    """The columns for these lines: settings are told where there are two."""
    both = len({line.settings for line in lines}) > 1
    return [column for column in COLUMNS if both or column.header != "settings"]


def show(lines: list[Reproduction], console: Console | None = None) -> None:
    """Print the tables and how many cells are within the tolerance."""
    from rich import box

    console = console or terminal()
    columns, narrow = shown(lines), console.width < NARROW
    for number, rows in groupby(lines, key=lambda line: line.cell.table):
        style = {"box": None, "padding": (0, 1, 0, 0)} if narrow else {"box": box.SIMPLE_HEAD}
        table = terminal_table(columns, title=title(number), title_justify="left", **style)
        for before, line in pairwise([None, *rows]):
            assert line is not None
            if before is not None and before.cell.dataset != line.cell.dataset:
                table.add_section()
            texts = (column.text(line) for column in columns)
            table.add_row(*(text.replace(" ± ", "±") if narrow else text for text in texts), style=STYLES[line.within])
        console.print(table)
    for sentence in verdicts(lines):
        console.print(sentence)


def counts(lines: list[Reproduction]) -> dict[str, tuple[int, int]]:
    """For each of the settings, how many cells of the paper are within the tolerance, and how many there are."""
    told = [line for line in lines if line.within is not None]
    return {
        settings: (sum(line.within is True for line in own), len(own))
        for settings in unique(line.settings for line in told)
        if (own := [line for line in told if line.settings == settings])
    }


def verdicts(lines: list[Reproduction]) -> list[str]:
    """How many cells are within the tolerance, a sentence for each of the settings."""
    return [
        f"{settings} settings: {within} of {cells} cells are within "
        "max(2·sqrt(std² + published std²), 5 %) of the published value."
        for settings, (within, cells) in counts(lines).items()
    ]
