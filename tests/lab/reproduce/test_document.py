"""The page about the reproduction: generated tables, and a sentence for each cell that is off."""

from pathlib import Path

import pytest

from kernelpick.lab.pages.marks import rewrite
from kernelpick.lab.reproduce import document, equal_time, explain, plan
from kernelpick.lab.reproduce.cells import all_cells, chosen
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.sizes import keep, sizes_in
from kernelpick.lab.reproduce.sizing import Sizing
from kernelpick.lab.reproduce.summary import Reproduction

PAGE = Path(__file__).parents[3] / "docs" / "reproduction.md"


def section(page, name):
    return page.split(f"<!-- begin {name} -->\n")[1].split(f"<!-- end {name} -->")[0]


def cells_of(row):
    return [part.strip() for part in row.split("|")[1:-1]]


def test_sections_of_made_up_lines():
    lines = [
        Reproduction(cell, settings, cell.published.mean * (2 if cell.algorithm == "raker" else 1), 0.0, 1.0, None, ())
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


def test_each_cell_outside_the_tolerance_is_explained_or_said_not_to_be():
    page = PAGE.read_text(encoding="utf-8")
    outside = [cells_of(row)[:4] for row in section(page, "outside").splitlines()[2:]]
    verdict, _, _, _, *rows = section(page, "explained").splitlines()
    told = [cells_of(row) for row in rows]
    assert 0 < len(outside) <= 13 and [row[:4] for row in told] == outside
    explained = [row[8] for row in told].count("yes")
    assert verdict.startswith(f"{88 - len(told)} of 88 cells") and f"{explained} come out within it" in verdict


def test_the_page_has_the_tables_in_equal_time():
    page = PAGE.read_text(encoding="utf-8")
    rows = [cells_of(row) for row in section(page, "equal-time").splitlines() if " ± " in row]
    assert len(rows) == 56 and len(section(page, "orders").splitlines()) == 2 + 12
    assert {row[4] for row in rows if row[1] == "rf-oks++"} == {"400"}


def test_the_page_has_the_tables_of_all_cells():
    page = PAGE.read_text(encoding="utf-8")
    rows = [row for row in section(page, "tables").splitlines() if " ± " in row]
    assert len(rows) == 88
    within = sum(row.split("|")[-2].strip() == "yes" for row in rows)
    assert within >= 75 and f"published settings: {within} of 88 cells" in section(page, "verdict")


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    return path


def test_parts_without_their_runs_stay_as_they_are(page, tmp_path, capsys):
    document.main(str(tmp_path / "empty"), str(page), 1)
    assert page.read_bytes() == PAGE.read_bytes()
    assert capsys.readouterr().out.count("; their parts stay as they are.") == 3


def test_what_explains_a_cell_is_put_into_the_page(page, tmp_path, result, capsys):
    (off,) = chosen("9", "bank", "rf-ioks")
    whole = [cell for cell in all_cells() if cell.dataset == "bank"]
    with Results(tmp_path) as results:
        for run in plan.runs(all_cells(), ("published",), 1):
            error = run.cell.published.mean
            results.add(run, result(2 * error if run.cell == off else error), "-")
        for run in explain.needed(whole, 1):
            results.add(run, result(run.cell.published.mean), "-")
    document.main(str(tmp_path), str(page), 1)
    told = section(page.read_text(encoding="utf-8"), "explained").splitlines()
    assert told[0].startswith("87 of 88 cells are within the tolerance; of the other 1, 1 come out within it")
    assert len(told) == 5 and cells_of(told[4])[6:8] == ["in [0, 1]", "0.0263 ± 0.0000"]
    assert section(page.read_text(encoding="utf-8"), "rescaled").splitlines()[2:] == [
        f"| bank | [0, 1] | {len(whole)} | {len(whole) - 1} | {len(whole)} | 1 |"
    ]
    assert section(page.read_text(encoding="utf-8"), "tables") == section(PAGE.read_text(encoding="utf-8"), "tables")


def test_tables_in_equal_time_are_put_into_the_page(page, tmp_path, result):
    cells = equal_time.constrained(all_cells())
    sizes = {cell: Sizing(7, 3e-6, 2e-6, []) for cell in cells}
    with Results(tmp_path) as results, sizes_in(tmp_path) as journal:
        for cell, found in sizes.items():
            keep(journal, cell, "paper", found, "-")
        for run in plan.runs(equal_time.with_sizes(sizes), ("paper",), 1):
            results.add(run, result(0.1 if run.cell.algorithm == "raker" else 0.2), "-")
    document.main(str(tmp_path), str(page), 1)
    told = page.read_text(encoding="utf-8")
    rows = [cells_of(row) for row in section(told, "equal-time").splitlines() if " ± " in row]
    assert len(rows) == 56 and {(row[4], *row[7:]) for row in rows} == {("7", "3.00 µs", "150%")}
    orders = [cells_of(row)[-1] for row in section(told, "orders").splitlines()[2:]]
    assert len(orders) == 12 and all(order.startswith("raker*, rf-oks* = lkmbooks* = ") for order in orders)
