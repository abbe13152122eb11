"""What `kernelpick reproduce` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple


class Options(NamedTuple):
    """What the command line says."""

    tables: str = ""
    datasets: str = ""
    algorithms: str = ""
    add: str = ""
    plugin: Sequence[str] | None = None
    repeats: int = 10
    settings: str | None = None
    jobs: int | None = None
    out: str = "reproduction"
    data: str | None = None
    cluster: str | None = None
    explain: bool = False
    equal_time: bool = False


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add = parser.add_argument
    add("--tables", metavar="2,5", help="tables of the paper (default: 2 to 10)")
    add("--datasets", metavar="NAMES", help="datasets, by commas (default: all)")
    add("--algorithms", metavar="NAMES", help="algorithms, by commas (default: all)")
    add("--add", metavar="NAMES", help="algorithms that the paper does not have, beside its tables")
    add("--plugin", metavar="FILE", action="append", help="Python file that registers algorithms; may be repeated")
    add("--repeats", metavar="N", type=int, help="permutations (default: %(default)s)")
    add("--settings", metavar="published|paper|both",
        help="what produced the tables, or what the theorems speak of "
        "(default: published; with --equal-time, paper)")  # fmt: skip
    add("--jobs", metavar="N", type=int, help="processes (default: one a core)")
    add("--out", metavar="DIR", help="folder of the results (default: %(default)s)")
    add("--data", metavar="DIR", help="folder of the data files, searched first")
    add("--cluster", metavar="ADDRESS", help="a running Dask scheduler that takes the work")
    add("--explain", action="store_true",
        help="for each cell outside the tolerance, look for another step scale or range of the inputs that gives the "
        "published number")  # fmt: skip
    add("--equal-time", action="store_true",
        help="tables 5 to 10 with every D and B sized to the time a round of RF-OKS++ (absolute loss: RF-IOKS) with "
        "D = 400, measured on this machine")  # fmt: skip
    parser.set_defaults(**Options._field_defaults)
