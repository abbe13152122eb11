"""The tables of docs/reproduction.md, made from a folder of results with both settings, --explain and --equal-time:

    python -m kernelpick.lab.reproduce.document DIR docs/reproduction.md

The text between <!-- begin NAME --> and <!-- end NAME --> is replaced; all else in the page is written by hand. Parts
whose runs are not all in DIR stay as they are, and are told.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

from kernelpick.lab.pages.marks import rewrite
from kernelpick.lab.pages.tables import markdown, markdown_of
from kernelpick.lab.reproduce import explain, explained, plan, standings
from kernelpick.lab.reproduce.cells import all_cells, title
from kernelpick.lab.reproduce.equal_time import constrained, known
from kernelpick.lab.reproduce.explained import verdict
from kernelpick.lab.reproduce.results import Results
from kernelpick.lab.reproduce.sizes import sizes_in
from kernelpick.lab.reproduce.summary import Reproduction, summarise
from kernelpick.lab.reproduce.tables import MARK, published, shown, spread, verdicts


def sections(lines: list[Reproduction]) -> dict[str, str]:
    """The generated parts by name."""
    ours = [line for line in lines if line.settings == "published"]
    return {
        "verdict": "\n".join(f"- {sentence}" for sentence in verdicts(lines)),
        "outside": _outside([line for line in ours if not line.within]),
        "departures": _departures(lines),
        "tables": "\n\n".join(
            f"### {title(number)}\n\n{_full(rows)}" for number, rows in groupby(ours, key=lambda line: line.cell.table)
        ),
    }


def _outside(lines: list[Reproduction]) -> str:
    header = ("table", "algorithm", "dataset", "loss", "published", "ours", "difference", "tolerance")
    return markdown_of(
        header,
        (
            (
                str(line.cell.table), line.cell.algorithm, line.cell.dataset, line.cell.loss,
                published(line.cell), spread(line.mean, line.std), f"{line.difference:+.1%}",
                f"{line.tolerance / line.cell.published.mean:.1%}",
            )
            for line in lines
            if line.cell.published is not None and line.tolerance is not None
        ),
    )  # fmt: skip


def _departures(lines: list[Reproduction]) -> str:
    """Where the settings differ: the paper's number, ours under the published settings, ours under the paper's."""
    by_cell = {(line.cell, line.settings): line for line in lines if plan.departs(line.cell)}
    header = ("algorithm", "loss", "dataset", "in the paper", "published settings", "paper settings", "change")
    rows = []
    for (cell, settings), ours in sorted(by_cell.items(), key=lambda item: _by_departure(item[1])):
        if settings == "published":
            paper = by_cell[cell, "paper"]
            change = f"{paper.mean / ours.mean - 1:+.1%}"
            numbers = (
                published(cell),
                spread(ours.mean, ours.std),
                spread(paper.mean, paper.std),
            )
            rows.append((cell.algorithm, cell.loss, cell.dataset, *numbers, change))
    return markdown_of(header, rows)


def _by_departure(line: Reproduction) -> tuple[int, str, int]:
    return list(plan.DEPARTURES).index(line.cell.algorithm), line.cell.loss, line.cell.table


def _full(lines: Iterable[Reproduction]) -> str:
    lines = list(lines)
    columns = [column for column in shown(lines) if column is not MARK]
    rows = [
        [
            *(column.text(line) for column in columns),
            "" if line.cell.size is None else str(line.cell.size),
            "yes" if line.within else "**no**",
        ]
        for line in lines
    ]
    return markdown_of([*(column.header for column in columns), "D or B", "within"], rows)


def explained_sections(repeats: int, results: Results) -> dict[str, str]:
    """What --explain found."""
    lines = summarise(all_cells(), (explain.SETTINGS,), repeats, results)
    explanations = explain.explain(lines, repeats, results)
    whole = explain.rescaled(explain.doubtful(lines, explanations), repeats, results)
    return {
        "explained": f"{verdict(lines, explanations)}\n\n{markdown(explained.COLUMNS, explanations)}",
        "rescaled": markdown(explained.WHOLE, whole),
    }


def equal_time_sections(repeats: int, results: Results, folder: Path) -> dict[str, str]:
    """What --equal-time found in the paper's settings."""
    sizes = known(constrained(all_cells()), "paper", sizes_in(folder))
    found = standings.standings(sizes, "paper", repeats, results)
    tables = (f"### {heading}\n\n{markdown(standings.COLUMNS, rows)}" for heading, rows in standings.by_table(found))
    return {"orders": markdown(standings.ORDERS, standings.orders(found)), "equal-time": "\n\n".join(tables)}


def main(folder: str, page: str, repeats: int = 10) -> None:
    """Rewrite the page."""
    results, path = Results(Path(folder)), Path(page)
    made: dict[str, Callable[[], dict[str, str]]] = {
        "--settings both": lambda: sections(summarise(all_cells(), plan.SETTINGS["both"], repeats, results)),
        "--explain": lambda: explained_sections(repeats, results),
        "--equal-time": lambda: equal_time_sections(repeats, results, Path(folder)),
    }
    for option, parts in made.items():
        try:
            told = parts()
        except KeyError:
            print(f"{folder} has not all runs of kernelpick reproduce {option}; their parts stay as they are.")
        else:
            path.write_text(rewrite(path.read_text(encoding="utf-8"), told), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
