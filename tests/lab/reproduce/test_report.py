"""The terminal's tables and the report: complete, well-formed, and alone in the world."""

import io
import re
import xml.etree.ElementTree as ElementTree

import pytest
from browser import assert_readable
from rich.console import Console

from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.reproduce import report, tables
from kernelpick.lab.reproduce.cells import all_cells
from kernelpick.lab.reproduce.runs import RunResult
from kernelpick.lab.reproduce.summary import Reproduction
from kernelpick.lab.running.curves import checkpoints


@pytest.fixture(scope="module")
def lines():
    """All 88 cells in both settings, every third outside the tolerance, one diverged."""

    def line(number, cell, settings):
        points = len(checkpoints(lookup(cell.dataset).rows))
        run = RunResult(
            cell.published.mean, 0.5, [cell.published.mean + 1 / (i + 1) for i in range(points)], [[1 / 6] * 6] * points
        )
        mean = cell.published.mean * (1.5 if number % 3 == 0 else 1.01)
        return Reproduction(cell, settings, mean, 0.0, 0.5, 25.0 if cell.algorithm == "oks" else None, (run, run))

    lines = [line(n, cell, settings) for n, cell in enumerate(all_cells()) for settings in ("published", "paper")]
    lost = RunResult(float("inf"), 0.1, [1.0], [[1 / 6] * 6])
    lines[7] = lines[7]._replace(mean=float("inf"), runs=(lost, lines[7].runs[0]))
    return lines


@pytest.fixture(scope="module")
def page(lines):
    return report.page(lines)


def test_the_terminal_shows_every_cell(lines):
    console = Console(file=io.StringIO(), width=140)
    tables.show(lines, console)
    shown = console.file.getvalue()
    assert len(re.findall(r"^ +\w+ +\S+ +(?:published|paper) .* [✓✗] ", shown, re.M)) == 176
    for number in range(2, 11):
        assert f"Table {number}: " in shown
    # 17.34 s a run in table 2; 96.3 µs a round in table 5
    assert "17.34 s" in shown and "96.3 µs" in shown and "0.1380 ± 0.0034" in shown
    within = sum(line.within for line in lines if line.settings == "published")
    assert f"published settings: {within} of 88 cells are within max" in shown


def test_a_narrow_terminal_wraps_and_cuts_nothing(lines):
    console = Console(file=io.StringIO(), width=80)
    tables.show([line for line in lines if line.settings == "published"], console)
    shown = console.file.getvalue()
    assert "…" not in shown and "settings" not in shown.split("published settings")[0]
    assert max(map(len, shown.splitlines())) <= 80


def test_the_report_is_well_formed(page, lines):
    document = ElementTree.fromstring(page)
    rows = document.findall(".//tr[td]")
    assert len(rows) == len(lines) and len(document.findall(".//h2")) == 9
    marks = [row.find("td[@title]").text for row in rows]
    assert marks == ["✓" if line.within else "✗" for line in lines]
    for svg in document.iter("svg"):
        assert "NaN" not in ElementTree.tostring(svg, "unicode") and "inf" not in svg.attrib.get("viewBox", "")
    assert len(document.findall(".//svg[@aria-label]")) > 176 + 2 * 8


def test_the_report_refers_to_nothing_outside(page):
    assert not re.search(r"https?:|//[a-z]|@import|url\(|<script|<link|\bsrc=", page)
    anchors = {element.attrib["id"] for element in ElementTree.fromstring(page).iter() if "id" in element.attrib}
    assert set(re.findall(r'href="([^"]*)"', page)) == {f"#{name}" for name in anchors}


def test_the_report_in_a_browser(page, tmp_path):
    assert_readable(page, tmp_path)
