"""Algorithms that the paper does not have, beside its tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.messages import choice
from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.reproduce.cells import Cell, all_cells
from kernelpick.lab.reproduce.runs import Run, specification
from kernelpick.lab.running.names import by_commas, unique

# In a table with a time constraint each algorithm has a size of its own. A guest gets that of the paper's best
# algorithm on this dataset, in its own space: a number of random features, or a budget.
HOSTS: dict[str, tuple[str, ...]] = {"shared": ("lkmbooks",), "exact": ()}
USUAL_HOSTS = ("rf-oks++", "rf-ioks")


def with_guests(cells: Sequence[Cell], names: str, settings: Sequence[str]) -> tuple[list[Cell], list[str]]:
    """The cells with one more for each of these algorithms after every table's dataset; sentences on what is left out.

    What an algorithm refuses, such as a loss that is not smooth, is left out.
    """
    guests = [choice("algorithm", name, ALGORITHMS) for name in by_commas(names)]
    present = {cell[:4] for cell in all_cells()}
    together: list[Cell] = []
    refused: dict[tuple[str, str], list[int]] = {}
    for _, group in groupby(cells, key=lambda cell: (cell.table, cell.loss, cell.dataset)):
        hosts = list(group)
        together += hosts
        for name in guests:
            guest = hosts[0]._replace(algorithm=name, size=_size(name, hosts[0]), published=None)
            reason = _refusal(guest, settings) if guest[:4] not in present else "the paper has it there"
            if reason is None:
                together.append(guest)
            else:
                refused.setdefault((name, reason), []).append(guest.table)
    return together, [
        f"{name} is not added to table{'s' if len(set(tables)) > 1 else ''} {', '.join(map(str, unique(tables)))}: "
        f"{reason.rstrip('.')}."
        for (name, reason), tables in refused.items()
    ]


def _size(algorithm: str, beside: Cell) -> int | None:
    hosts = HOSTS.get(ALGORITHMS[algorithm].space.name, USUAL_HOSTS)
    group = {cell.algorithm: cell.size for cell in all_cells() if cell[2:4] == beside[2:4] and cell[0] == beside[0]}
    return next((group[name] for name in hosts if name in group), None)


def _refusal(cell: Cell, settings: Sequence[str]) -> str | None:
    entry = lookup(cell.dataset)
    try:
        for setting in settings:
            specification(Run(cell, setting, 0, None), entry.rows, entry.features)
    except ValueError as problem:
        return str(problem)
    return None
