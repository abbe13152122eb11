"""Charts as inline SVG: lines on a logarithmic scale, and shares as stacked areas. Colours are left to the CSS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

Points = Sequence[tuple[float, float]]


class Series(NamedTuple):
    """One line of a chart; `kind` is its CSS class."""

    name: str
    kind: str
    points: Points


class PlotArea(NamedTuple):
    """A rectangle in the picture, and the ranges of the data that fill it (y: already on its scale)."""

    left: float
    top: float
    right: float
    bottom: float
    x: tuple[float, float]
    y: tuple[float, float]

    def place(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + across * (self.right - self.left), self.bottom - up * (self.bottom - self.top)


def tag(name: str, /, *children: str, **attributes: object) -> str:
    """An element; kind= gives its class, other names are written with hyphens."""
    names = {key: {"kind": "class"}.get(key, key.replace("_", "-")) for key in attributes}
    told = "".join(f' {names[key]}="{escape(str(value))}"' for key, value in attributes.items())
    return f"<{name}{told}>{''.join(children)}</{name}>" if children else f"<{name}{told}/>"


def text(content: object) -> str:
    """Plain text as markup."""
    return escape(str(content))


def line_chart(series: Sequence[Series], rounds: int, label: str) -> str:
    """Lines over the rounds with a logarithmic y axis."""
    values = [y for one in series for _, y in one.points if y > 0]
    low, high = min(values, default=0.1), max(values, default=1.0)
    low, high = (low * 0.95, high * 1.05) if low < high else (low / 2, high * 2)
    area = PlotArea(52, 8, 628, 246, (0, rounds), (math.log(low), math.log(high)))
    marks = [(*area.place(0, math.log(y)), f"{y:g}") for y in log_ticks(low, high)]
    grid = [
        tag("line", x1=area.left, x2=area.right, y1=f"{y:.1f}", y2=f"{y:.1f}", kind="grid")
        + tag("text", text(name), x=area.left - 6, y=f"{y + 4:.1f}", kind="tick end")
        for _, y, name in marks
    ]
    lines = [
        tag("path", tag("title", text(one.name)), d=path(area, [(x, math.log(y)) for x, y in one.points if y > 0]),
            kind=f"line {one.kind}")
        for one in series
    ]  # fmt: skip
    return svg(640, 276, label, *grid, *_round_axis(area, rounds, 5), *lines)


def area_chart(rounds: Sequence[int], shares: Sequence[Sequence[float]], label: str) -> str:
    """Shares that sum to 1 in every round, stacked; the first is at the bottom."""
    area = PlotArea(4, 4, 206, 92, (0, rounds[-1]), (0, 1))
    floor = [0.0] * len(rounds)
    areas = []
    for arm in range(len(shares[0])):
        top = [low + point[arm] for low, point in zip(floor, shares, strict=True)]
        there, back = zip(rounds, top, strict=True), zip(reversed(rounds), reversed(floor), strict=True)
        outline = [(float(x), y) for x, y in (*there, *back)]
        areas.append(tag("path", d=path(area, outline) + "Z", kind=f"area arm{arm}"))
        floor = top
    return svg(210, 112, label, *areas, *_round_axis(area, rounds[-1], 2))


def deviation(difference: float, tolerance: float, label: str) -> str:
    """A dot at the difference, on a band as wide as the tolerance."""
    share = max(-1.7, min(1.7, difference / tolerance if tolerance > 0 else math.inf))
    inside = "in" if abs(share) <= 1 else "out"
    return svg(
        96, 14, label,
        tag("rect", x=20, y=4, width=56, height=6, rx=3, kind="band"),
        tag("line", x1=48, x2=48, y1=1, y2=13, kind="centre"),
        tag("circle", cx=f"{48 + 28 * share:.1f}", cy=7, r=3.6, kind=f"dot {inside}"),
    )  # fmt: skip


def log_ticks(low: float, high: float) -> list[float]:
    """Round numbers between two positive ones: 1, 2, 5 and their tens, or all digits where those are too few."""
    decades = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    for digits in ((1, 2, 5), range(1, 10), [d / 10 for d in range(10, 100)]):
        ticks = [float(f"{digit * 10.0**decade:.3g}") for decade in decades for digit in digits]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) >= 3:
            break
    return ticks[:: math.ceil(len(ticks) / 8) or 1]


def ticks(high: float, count: int) -> list[float]:
    """At least `count` round numbers from 0 to high."""
    step = 10.0 ** math.floor(math.log10(high / count))
    step *= max(factor for factor in (1, 2, 5) if factor * step <= high / count)
    return [step * i for i in range(int(high / step) + 1)]


def _round_axis(area: PlotArea, rounds: int, count: int) -> list[str]:
    base = tag("line", x1=area.left, x2=area.right, y1=area.bottom, y2=area.bottom, kind="axis")
    places = [(area.place(x, 0)[0], f"{x:,.0f}") for x in ticks(rounds, count)]
    names = [
        tag("text", text(name), x=f"{x:.1f}", y=area.bottom + 15, kind="tick" if x > area.left else "tick start")
        for x, name in places
        if x <= area.right - 8
    ]
    return [base, *names]


def path(area: PlotArea, points: Points) -> str:
    """Points joined by lines, as the data of a path."""
    places = (area.place(x, y) for x, y in points)
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in places)


def svg(width: int, height: int, label: str, *children: str) -> str:
    """A picture."""
    return tag("svg", *children, viewBox=f"0 0 {width} {height}", role="img", aria_label=label)
