"""Charts with two logarithmic axes, where a power is a straight line; and lines with a band."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kernelpick.lab.pages.charts import PlotArea, Points, Series, log_ticks, path, svg, tag, text, ticks

MOST_PLACES = 8  # so few values of x are told as they are
SKIPPED = 1e-9  # what is not positive has no place on such an axis


def loglog_chart(series: Sequence[Series], label: str) -> str:
    """Lines with a mark at each point."""
    points = [(x, y) for one in series for x, y in _positive(one.points)] or [(1.0, 1.0)]
    (left, right), (low, high) = (_range([point[axis] for point in points]) for axis in (0, 1))
    area = PlotArea(52, 8, 628, 296, (math.log(left), math.log(right)), (math.log(low), math.log(high)))
    lines = []
    for one in series:
        placed = [(math.log(x), math.log(y)) for x, y in _positive(one.points)]
        if placed:
            marks = [tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=2.6) for x, y in (area.place(*at) for at in placed)]
            line = tag("path", tag("title", text(one.name)), d=path(area, placed), kind=f"line {one.kind}")
            lines.append(line + tag("g", *marks, kind=f"marks {one.kind}"))
    places = sorted({x for x, _ in points})
    across = [
        tag(
            "text",
            text(f"{x:,.0f}" if x >= 100 else f"{x:.3g}"),
            x=f"{area.place(math.log(x), 0)[0]:.1f}",
            y=area.bottom + 15,
            kind="tick",
        )
        for x in (places if len(places) <= MOST_PLACES else log_ticks(left, right))
    ]
    base = tag("line", x1=area.left, x2=area.right, y1=area.bottom, y2=area.bottom, kind="axis")
    return svg(640, 326, label, *_levels(area, [(y, math.log(y)) for y in log_ticks(low, high)]), base, *across, *lines)


def band_chart(lines: Sequence[Series], bands: Sequence[Points], rounds: int, label: str) -> str:
    """Lines over the rounds on plain axes, each with a band: its lower edge forth, and its upper edge back."""
    values = [y for points in (*(one.points for one in lines), *bands) for _, y in points] or [1.0]
    low, high = min(0.0, *values), max(*values, 1e-9)
    area = PlotArea(52, 8, 628, 246, (0, rounds), (low, high))
    below = ticks(-low, 2)[1:] if low < -0.1 * high else []
    levels = [(y, y) for y in (*ticks(high, 4), *(-y for y in below))]
    drawn = [
        tag("path", d=path(area, band) + "Z", kind=f"spread {one.kind}")
        + tag("path", tag("title", text(one.name)), d=path(area, one.points), kind=f"line {one.kind}")
        for one, band in zip(lines, bands, strict=True)
    ]
    across = [
        tag("text", text(f"{x:,.0f}"), x=f"{area.place(x, 0)[0]:.1f}", y=area.bottom + 15, kind="tick")
        for x in ticks(rounds, 5)
        if x <= 0.97 * rounds
    ]
    return svg(640, 276, label, *_levels(area, levels), *across, *drawn)


def _positive(points: Points) -> list[tuple[float, float]]:
    return [(x, y) for x, y in points if SKIPPED < y < math.inf]


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low / 1.08, high * 1.08) if low < high else (low / 2, high * 2)


def _levels(area: PlotArea, levels: Sequence[tuple[float, float]]) -> list[str]:
    """Lines across, each with its number; the second of a level is where it lies on the axis."""
    drawn = []
    for value, place in levels:
        y = area.place(area.x[0], place)[1]
        line = tag("line", x1=area.left, x2=area.right, y1=f"{y:.1f}", y2=f"{y:.1f}", kind="grid")
        drawn.append(line + tag("text", text(f"{value:g}"), x=area.left - 6, y=f"{y + 4:.1f}", kind="tick end"))
    return drawn
