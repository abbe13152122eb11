"""What `kernelpick data` prints: which datasets are here, which are missing, and where those would come from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from kernelpick.files.text import Source
from kernelpick.lab.datasets.prepared import Status, status

if TYPE_CHECKING:
    from rich.console import Console


def show(data_dir: Source | None = None, console: Console | None = None) -> None:
    """Print one line a dataset."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    # Folded, not cut: paths and addresses are there to be copied. As Text, since a path may look like markup.
    table = Table("dataset", "task", "rows x features", Column("file", overflow="fold"), box=None, pad_edge=False)
    for row in status(data_dir):
        entry = row.entry
        table.add_row(entry.name, entry.task, f"{entry.rows:,} x {entry.features}", Text(where(row)))
    # Into a pipe or a file every dataset stays on one line.
    (console or Console(width=None if sys.stdout.isatty() else 1_000)).print(table)


def where(row: Status) -> str:
    """The path of a file, or where it would be downloaded from."""
    if row.path is not None:
        return str(row.path)
    return f"missing: would be downloaded from {row.entry.url} (about {row.entry.megabytes:g} MB)"
