"""The page about the reproduction: generated tables, and a sentence for each cell that is off."""

from pathlib import Path

import pytest

from kernelpick.lab.pages.marks import rewrite
from kernelpick.lab.reproduce import document
from kernelpick.lab.reproduce.cells import all_cells
from kernelpick.lab.reproduce.summary import Line

PAGE = Path(__file__).parents[3] / "docs" / "reproduction.md"


def section(page, name):
    return page.split(f"<!-- begin {name} -->\n")[1].split(f"<!-- end {name} -->")[0]


def test_sections_of_made_up_lines():
    lines = [
        Line(cell, settings, cell.published.mean * (2 if cell.algorithm == "raker" else 1), 0.0, 1.0, None, ())
        for cell in all_cells()
        for settings in ("published", "paper")
    ]
    parts = document.sections(lines)
    assert parts["verdict"].startswith("- published settings: 76 of 88 cells are within")
    assert parts["outside"].count("| raker |") == 12 and parts["outside"].count("\n") == 13
    assert "| rf-oks |" not in parts["departures"] and parts["departures"].count("| raker |") == 12
    assert parts["tables"].count("### Table") == 9 and parts["tables"].count("**no**") == 12
    page = rewrite(PAGE.read_text(encoding="utf-8"), parts)
    assert all(section(page, name) == f"{content}\n" for name, content in parts.items())
    assert rewrite(page, parts) == page
    with pytest.raises(ValueError, match="no marks <!-- begin other -->"):
        rewrite(page, {"other": ""})


def test_each_cell_outside_the_tolerance_has_its_sentence():
    page = PAGE.read_text(encoding="utf-8")
    rows = [[part.strip() for part in row.split("|")[1:5]] for row in section(page, "outside").splitlines()[2:]]
    assert 0 < len(rows) <= 13
    for table, algorithm, dataset, loss in rows:
        assert f"*{algorithm} on {dataset}, {loss} loss (table {table})*: " in page.replace("\n  ", " ")
    assert page.count("loss (table ") == len(rows)


def test_the_page_has_the_tables_of_all_cells():
    page = PAGE.read_text(encoding="utf-8")
    rows = [row for row in section(page, "tables").splitlines() if " ± " in row]
    assert len(rows) == 88
    within = sum(row.split("|")[-2].strip() == "yes" for row in rows)
    assert within >= 75 and f"published settings: {within} of 88 cells" in section(page, "verdict")
