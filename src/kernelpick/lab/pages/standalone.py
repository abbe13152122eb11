"""A chart as a file of its own: with its style, what is said of it and the names of its lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from textwrap import wrap

from kernelpick.lab.pages.charts import Series, tag, text

WIDTH, CHART_WIDTH, ROW, LETTERS = 920, 640, 17, 130  # letters that a line of the caption has room for


def standalone(chart: str, series: Sequence[Series], caption: str) -> str:
    """An SVG file around the chart, which is one of `charts.py` or `loglog.py`."""
    style = files("kernelpick.lab.pages").joinpath("style.css").read_text(encoding="utf-8")
    said = wrap(caption, LETTERS)
    found = re.match(r'<svg viewBox="0 0 (\d+) (\d+)"', chart)
    assert found is not None and int(found[1]) == CHART_WIDTH
    top, drawn = ROW * len(said) + 10, sorted((one for one in series if one.points), key=lambda one: -one.points[-1][1])
    height = top + max(int(found[2]), ROW * (len(drawn) + 1))
    placed = chart.replace("<svg ", f'<svg y="{top}" width="{CHART_WIDTH}" height="{found[2]}" ', 1)
    heads = [tag("text", text(one), x=10, y=ROW * (place + 1), kind="said") for place, one in enumerate(said)]
    names = [_name(one, top + ROW * (place + 1)) for place, one in enumerate(drawn)]
    own = ".said, .name { fill: var(--soft); font-size: 12px; } .name { fill: var(--ink); }"
    page = tag("rect", width=WIDTH, height=height, fill="var(--page)")
    shape = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {height}", "role": "img"}
    told = {"aria_label": caption, "font_family": "system-ui, sans-serif"}
    return tag("svg", tag("style", style + own), page, *heads, placed, *names, **shape, **told) + "\n"


def _name(one: Series, y: int) -> str:
    """A piece of the line, and whose it is."""
    left = CHART_WIDTH + 12
    return tag("path", d=f"M{left},{y - 4}L{left + 26},{y - 4}", kind=f"line {one.kind}") + tag(
        "text", text(one.name), x=left + 34, y=y, kind="name"
    )
