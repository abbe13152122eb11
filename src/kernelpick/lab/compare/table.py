"""What `kernelpick compare` prints: a table a stream, the best first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kernelpick.lab.compare.measures import window
from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.pages.tables import ShownColumn, terminal, terminal_table

if TYPE_CHECKING:
    from rich.console import Console

LARGE = 10
UNITS = ("B", "kB", "MB", "GB")


def error_text(standing: Standing) -> str:
    """The mean error, with its deviation if there are several permutations."""
    several = len(standing.scores) > 1 and standing.error <= standing.told(LARGE)
    return number_text(standing, standing.error) + (f" ± {standing.deviation:{_form(standing)}}" if several else "")


def number_text(standing: Standing, error: float) -> str:
    """An error of the standing's; nothing sensible comes near the range of the target.

    >>> one = Standing("auto", ())
    >>> number_text(one, 0.0123456), number_text(one, 12_345.0), number_text(one, math.inf)
    ('0.012346', '1.2e+04', 'infinite')
    >>> number_text(one._replace(unit=1e4), 12_345.0)
    '12,345'
    """
    if error > standing.told(LARGE):
        return f"{error:.1e}" if math.isfinite(error) else "infinite"
    return "-" if math.isnan(error) else f"{error:{_form(standing)}}"


def _form(standing: Standing) -> str:
    return ".6f" if standing.unit is None else ",.6g"


def last_window(standing: Standing) -> str:
    return number_text(standing, standing.windows[-1] if standing.windows else math.nan)


def size_text(size: float) -> str:
    """Bytes with three digits, in thousands; a dash for a model that cannot be stored.

    >>> size_text(512), size_text(51_234), size_text(2e6), size_text(0)
    ('512 B', '51.2 kB', '2 MB', '-')
    """
    if not size:
        return "-"
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

COLUMNS: tuple[ShownColumn[Standing], ...] = (
    ShownColumn("contestant", lambda standing: standing.contestant, numeric=False),
    ShownColumn("error", error_text),
    ShownColumn("last window", last_window),
    ShownColumn("kappa", lambda standing: share_text(standing.kappa)),
    ShownColumn("µs a round", lambda standing: f"{1e6 * standing.seconds:,.1f}"),
    ShownColumn("memory", lambda standing: size_text(standing.size)),
    ShownColumn("coverage", lambda standing: share_text(standing.coverage)),
    ShownColumn("width", lambda standing: share_text(standing.width)),
)


def title(board: Board) -> str:
    """What the numbers are."""
    stream, repeats = board.stream, len(board.standings[0].scores)
    measure = "share of wrong labels" if stream.classes else MEASURES[board.standings[0].unit is not None]
    over = f"; mean of {repeats} runs" if repeats > 1 else ""
    size = f"{stream.rounds:,} rows of {stream.X.shape[1]} columns, in windows of {window(stream.rounds):,}"
    return f"{stream.name}: {stream.task}, {size}; {measure}{over}"


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
