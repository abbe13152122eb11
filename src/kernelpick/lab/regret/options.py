"""What `kernelpick regret` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple


class Options(NamedTuple):
    """What the command line says."""

    streams: Sequence[str]
    algorithms: str = ""
    loss: str = ""
    horizons: str = ""
    kernels: str = "2,6,20,60"
    features: str = "10,30,100,300,1000"
    repeats: int = 20
    radius: float | None = None
    plugin: Sequence[str] | None = None
    jobs: int | None = None
    out: str = "regret"
    data: str | None = None
    cluster: str | None = None


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add = parser.add_argument
    add(
        "streams", metavar="DATA", nargs="+", help="datasets of the paper; synthetic, or made-up streams by their names"
    )
    add("--algorithms", metavar="NAMES", help="by commas (default: the paper's, auto and its relatives)")
    add("--loss", metavar="NAME", help="(default: square for numbers, logistic for labels)")
    add("--horizons", metavar="500,1000", help="numbers of rounds (default: 500 to 16000; made-up streams 250 to 4000)")
    add("--kernels", metavar="2,6", help="numbers of kernels, tried at 2,000 rounds at most (default: %(default)s)")
    add("--features", metavar="10,100", help="numbers of random features, tried there too (default: %(default)s)")
    add("--repeats", metavar="N", type=int, help="seeds (default: %(default)s)")
    add("--radius", metavar="U", type=float, help="of the ball of hypotheses (default: each algorithm's own)")
    add("--plugin", metavar="FILE", action="append", help="Python file that registers algorithms; may be repeated")
    add("--jobs", metavar="N", type=int, help="processes (default: one a core)")
    add("--out", metavar="DIR", help="folder of the results (default: %(default)s)")
    add("--data", metavar="DIR", help="folder of the data files, searched first")
    add("--cluster", metavar="ADDRESS", help="a running Dask scheduler that takes the work")
    parser.set_defaults(**Options._field_defaults)
