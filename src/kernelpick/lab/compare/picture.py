"""A picture of a comparison as a file of its own: a chart for each stream, side by side, and whose lines they are."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from kernelpick.lab.compare import against_time
from kernelpick.lab.compare.page import lines_so_far
from kernelpick.lab.compare.peers import PEERS
from kernelpick.lab.compare.standings import Board
from kernelpick.lab.pages.charts import Series, line_chart, tag, text
from kernelpick.lab.pages.loglog import loglog_chart

COLUMNS = 2  # charts beside each other
CHART, HEIGHT, HEAD, GAP, ROW, NAME = 460, 199, 30, 16, 20, 155  # in pixels; charts are drawn as 640 x 276
PANEL = HEAD + HEIGHT
# Our first algorithm stands out; the others are there to be told apart, but not to be looked at first.
OWN = ".name { fill: var(--ink); font-size: 13px; } .head { fill: var(--ink); font-size: 14px; font-weight: 600; } "
OWN += ".soft { fill: var(--soft); font-weight: 400; font-size: 13px; } .champion { stroke-width: 4; opacity: 1; }"
OWN += " .peer { stroke-width: 2.4; } .tick { font-size: 13px; }"


def picture(boards: Sequence[Board]) -> str:
    """An SVG file, readable on light and on dark pages: it has a ground of its own, which follows the reader's."""
    style = files("kernelpick.lab.pages").joinpath("style.css").read_text(encoding="utf-8")
    columns = min(COLUMNS, len(boards))
    width, below = columns * (CHART + GAP) + GAP, -(-len(boards) // columns) * PANEL + GAP
    names = {one.name: one.kind for board in boards for one in _lines(board)}
    across = (width - 2 * GAP) // NAME
    height = below + ROW * -(-len(names) // across) + GAP // 2
    charts = [
        _chart(board, GAP + place % columns * (CHART + GAP), place // columns * PANEL)
        for place, board in enumerate(boards)
    ]
    legend = [
        _name(name, kind, GAP + place % across * NAME, below + ROW * (place // across) + 8)
        for place, (name, kind) in enumerate(names.items())
    ]
    over = "against the budget" if any(map(against_time.series, boards)) else "so far, over the rounds"
    label = f"Error {over}, on " + ", ".join(board.stream.name for board in boards)
    ground = tag("rect", width=width, height=height, rx=10, fill="var(--page)")
    shape = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}", "role": "img"}
    told = {"aria_label": label, "font_family": "system-ui, sans-serif"}
    return tag("svg", tag("style", style + OWN), ground, *charts, *legend, **shape, **told) + "\n"


def _lines(board: Board) -> list[Series]:
    """Ours and the peers; marks on the scale would press these together. Budgets are drawn against time."""
    return against_time.series(board) or [
        series._replace(kind=f"{series.kind} champion") if one.contestant == board.champion else series
        for one, series in lines_so_far(board)
        if one.ours or PEERS[one.contestant].counted
    ]


def _chart(board: Board, left: int, top: int) -> str:
    name, measure = board.stream.name, "share of wrong labels" if board.stream.classes else "mean squared error"
    if against := against_time.series(board):
        chart, over = loglog_chart(against, f"error against the budget on {name}"), "by the budget of a round in µs"
    else:
        chart = line_chart(_lines(board)[::-1], board.stream.rounds, f"error over the rounds on {name}")
        over = "so far"
    said = text(name), tag("tspan", text(f"{measure} {over}"), dx=8, kind="soft")
    head = tag("text", *said, x=left + 4, y=top + 21, kind="head")
    return head + chart.replace("<svg ", f'<svg x="{left}" y="{top + HEAD}" width="{CHART}" height="{HEIGHT}" ', 1)


def _name(name: str, kind: str, left: int, y: int) -> str:
    line = tag("path", d=f"M{left},{y - 4}L{left + 26},{y - 4}", kind=f"line {kind}")
    return line + tag("text", text(name), x=left + 32, y=y, kind="name")
