"""What `kernelpick compare` prints: a table a stream, the best first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.pages.tables import Column, terminal, terminal_table

if TYPE_CHECKING:
    from rich.console import Console

UNITS = ("B", "kB", "MB", "GB")


def error_text(standing: Standing) -> str:
    """The mean error, with its deviation if there are several permutations."""
    if standing.told(10) < standing.error:  # nothing sensible comes near the range of the target
        return f"{standing.error:.1e}" if math.isfinite(standing.error) else "infinite"
    form = ".6f" if standing.unit is None else ",.6g"
    several = len(standing.scores) > 1
    return f"{standing.error:{form}}" + (f" ± {standing.deviation:{form}}" if several else "")


def size_text(size: float) -> str:
    """Bytes with three digits, in thousands.

    >>> size_text(512), size_text(51_234), size_text(2e6)
    ('512 B', '51.2 kB', '2 MB')
    """
    power = min(int(math.log10(max(size, 1)) / 3), len(UNITS) - 1)
    return f"{size / 1000**power:.3g} {UNITS[power]}"


def share_text(share: float) -> str:
    """With four digits, or a dash for what there is not.

    >>> share_text(0.9012345), share_text(math.nan)
    ('0.9012', '-')
    """
    return "-" if math.isnan(share) else f"{share:.4f}"


MEASURES = {
    False: "mean squared error of the target scaled to [0, 1]",
    True: "root of the mean squared error, in the target's own units",
}

COLUMNS: tuple[Column[Standing], ...] = (
    Column("contestant", lambda standing: standing.contestant, numeric=False),
    Column("error", error_text),
    Column("µs a round", lambda standing: f"{1e6 * standing.seconds:,.1f}"),
    Column("memory", lambda standing: size_text(standing.size)),
    Column("coverage", lambda standing: share_text(standing.coverage)),
    Column("width", lambda standing: share_text(standing.width)),
)


def title(board: Board) -> str:
    """What the numbers are."""
    stream, repeats = board.stream, len(board.standings[0].scores)
    measure = "share of wrong labels" if stream.classes else MEASURES[board.standings[0].unit is not None]
    over = f"; mean of {repeats} runs" if repeats > 1 else ""
    return f"{stream.name}: {stream.task}, {stream.rounds:,} rows of {stream.X.shape[1]} columns; {measure}{over}"


def verdict(board: Board) -> str:
    """How the first of our algorithms does against the peers; empty if there is nobody to compare."""
    better, peers = board.beaten
    return f"{board.champion} is better than {better} of {peers} peers." if board.champion and peers else ""


def overall(boards: Sequence[Board]) -> str:
    """The same over all streams; empty for one."""
    told = [board for board in boards if verdict(board)]
    if len(told) < 2:
        return ""
    won = sum(board.beaten[0] == board.beaten[1] for board in told)
    return f"{told[0].champion} is better than every peer on {won} of {len(told)} streams."


def show(boards: Sequence[Board], skipped: Sequence[str], console: Console | None = None) -> None:
    """Print the tables, what went wrong, and who is better."""
    from rich import box

    console = console or terminal()
    for board in boards:
        console.print(title(board), style="bold", markup=False, soft_wrap=True)
        table = terminal_table(COLUMNS, box=box.SIMPLE_HEAD)
        for standing in board.standings:
            best = standing.error == board.standings[0].error
            style = "bold" if best else None if standing.ours else "dim"
            table.add_row(*(column.text(standing) for column in COLUMNS), style=style)
        console.print(table)
        for sentence in (*board.notes, verdict(board)):
            if sentence:
                console.print(sentence, markup=False, soft_wrap=True)
    for sentence in (overall(boards), *skipped):
        if sentence:
            console.print(sentence, markup=False, soft_wrap=True)
