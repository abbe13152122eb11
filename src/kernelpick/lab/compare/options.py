"""What `kernelpick compare` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from kernelpick.sources import options as of_sources

UNITS = ("range", "target")


class Options(NamedTuple):
    """What the command line says."""

    streams: Sequence[str]
    task: str | None = None
    target: str | None = None
    drop: Sequence[str] | None = None
    keep: Sequence[str] | None = None
    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: str | None = None
    table: str | None = None
    on_error: str = "stop"
    units: str = UNITS[0]
    algorithms: str = ""
    plugin: Sequence[str] | None = None
    peers: str = ""
    budgets: str | None = None
    rows: int | None = None
    repeats: int = 1
    shuffle: bool = False
    jobs: int = 1
    cluster: str | None = None
    seed: int = 0
    out: str = "comparison"
    picture: str | None = None
    data: str | None = None


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add = parser.add_argument
    add(
        "streams",
        metavar="DATA",
        nargs="+",
        help="a dataset of the paper, a file, a folder, river:NAME, or -",
    )
    of_sources.describe(parser)
    add("--units", metavar="|".join(UNITS), help="of errors in regression (default: %(default)s)")
    add("--algorithms", metavar="NAMES", help="by commas (default: auto,rf-oks++,raker; with --budgets rf-ioks too)")
    add("--plugin", metavar="FILE", action="append", help="Python file that registers algorithms; may be repeated")
    add("--peers", metavar="all|none|NAMES", help="by commas (default: all; none with --budgets)")
    add("--budgets", metavar="TIMES", help="by commas, as 20us,1ms: algorithms with each of these time budgets")
    add("--rows", metavar="N", type=int, help="rows that are played (default: all)")
    add("--repeats", metavar="N", type=int, help="permutations (default: %(default)s)")
    add("--shuffle", action="store_true", help="permute a file (the paper's datasets always are)")
    add("--jobs", metavar="N", type=int, help="processes (default: %(default)s)")
    add("--cluster", metavar="ADDRESS", help="a running Dask scheduler that takes the work")
    add("--seed", metavar="N", type=int, help="of the first permutation (default: %(default)s)")
    add("--out", metavar="DIR", help="folder of the results (default: %(default)s)")
    add("--picture", metavar="FILE", help="write the errors over the rounds, or the budgets, there, as SVG")
    add("--data", metavar="DIR", help="folder of the data files, searched first")
    parser.set_defaults(**Options._field_defaults)
