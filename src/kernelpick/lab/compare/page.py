"""compare.html: the tables, and the error up to each round as curves, in one file that opens offline."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kernelpick import __version__
from kernelpick.lab.compare import against_time
from kernelpick.lab.compare.measures import ends, window
from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.compare.table import COLUMNS, overall, title, verdict
from kernelpick.lab.pages.charts import Series, tag, text
from kernelpick.lab.pages.html import css_class, curves_figure, document, mean_curve
from kernelpick.lab.pages.tables import cells, headers
from kernelpick.lab.running.curves import checkpoints

FAR = 30  # times the error of the best: a line so far up would press all others together
ABOUT = (
    "Every row is predicted before its label is seen. Regression errors are mean squared errors in units of the range "
    "of the target, or roots of them in its own units, as the table says; classification errors are shares of wrong "
    "labels. Windows are twenty parts of the stream, one "
    "after the other. Kappa is the share of the error of no change, which repeats the last label, that is gone: 1 is "
    "perfect, and what is below 0 is worse than repeating the last label. Time is processor time for predicting and "
    "learning one row; kernelpick is handed 1,024 rows at a time, the peers one. Memory is the size of the stored "
    "model after the last row. Coverage is how often 0.9 intervals held the target, or 0.9 sets the label, each made "
    "before the label is seen; width is the mean width of these intervals, in units of the range of the target."
)


def page(boards: Sequence[Board], skipped: Sequence[str], sizes: Sequence[Mapping[str, str]] = ()) -> str:
    """The whole document; sizes: what the budgets of each board buy."""
    sizes = sizes or [{}] * len(boards)
    links = [tag("a", text(board.stream.name), href=f"#stream{place}") for place, board in enumerate(boards)]
    return document(
        "kernelpick: comparison",
        tag("h1", "Side by side on the same streams"),
        tag("p", text(f"kernelpick {__version__}"), kind="soft"),
        *(tag("p", text(sentence)) for sentence in (overall(boards), ABOUT, *skipped) if sentence),
        tag("nav", *links),
        *(part for place, board in enumerate(boards) for part in _parts(board, f"stream{place}", sizes[place])),
    )


def _parts(board: Board, anchor: str, sizes: Mapping[str, str]) -> list[str]:
    against = against_time.parts(board, sizes)  # budgets are too many for lines over the rounds
    rows = [tag("tr", *headers(COLUMNS))]
    for standing in board.standings:
        kind = "best" if standing.error == board.standings[0].error else "same"
        rows.append(tag("tr", *cells(COLUMNS, standing), kind=kind))
    return [
        tag("h2", text(board.stream.name), id=anchor),
        tag("p", text(title(board)), kind="soft"),
        tag("div", tag("table", *rows), kind="scroll"),
        *(tag("p", text(sentence)) for sentence in (verdict(board), *board.notes) if sentence),
        *(against or _figures(board)),
    ]


def lines_so_far(board: Board) -> list[tuple[Standing, Series]]:
    """The error up to each round of those that are not far above the best, who comes first."""
    best, steps = board.standings[0], checkpoints(board.stream.rounds)
    limit = FAR * max(best.error, best.told(1e-12))
    return [
        (
            one,
            mean_curve(
                one.contestant, _style(one), steps, ([one.told(e) for e in score.curve] for score in one.scores)
            ),
        )
        for one in board.standings
        if one.error <= limit and all(math.isfinite(error) for score in one.scores for error in score.curve)
    ]


def _figures(board: Board) -> list[str]:
    """The error so far, and the error by windows."""
    rounds, name, lines = board.stream.rounds, board.stream.name, lines_so_far(board)
    shown = [one for one, _ in lines]
    far = [one.contestant for one in board.standings if one not in shown]
    left_out = f" Far above, and left out: {', '.join(far)}." if far else ""
    by_windows = [
        Series(one.contestant, _style(one), list(zip(ends(rounds), one.windows, strict=True)))
        for one in shown
        if one.windows
    ]
    so_far, size = [series for _, series in lines], window(rounds)
    told = [
        (so_far, f"Error up to each round. Dashed: peers.{left_out}", f"error over the rounds on {name}"),
        (by_windows, f"Error in each window of {size:,} rows.", f"error by windows on {name}"),
    ]
    return [curves_figure(series, rounds, caption, label) for series, caption, label in told if series]


def _style(standing: Standing) -> str:
    name = css_class(standing.contestant)
    return name if standing.ours else f"{name} peer"
