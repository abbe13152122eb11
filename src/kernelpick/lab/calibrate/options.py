"""What `kernelpick calibrate` can be told."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

CALLS = ("batches", "rows")


class Options(NamedTuple):
    """What the command line says."""

    algorithms: Sequence[str] = ()
    inputs: int = 18
    outputs: int = 1
    task: str = "regression"
    loss: str | None = None
    calls: str = CALLS[0]
    budgets: str = "10us,20us,50us,100us,200us,500us,1ms"
    again: bool = False
    output: str = "calibration.html"


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add = parser.add_argument
    add("algorithms", metavar="ALGORITHM", nargs="*", help="names of algorithms (default: auto rf-oks++)")
    add("--inputs", metavar="N", type=int, help="columns of a row (default: %(default)s)")
    add("--outputs", metavar="N", type=int, help="targets, or classes beyond two (default: %(default)s)")
    add("--task", metavar="NAME", help="regression or classification (default: %(default)s)")
    add("--loss", metavar="NAME", help="(default: square for numbers, logistic for classes)")
    add("--calls", metavar="|".join(CALLS), help="many rows a call, or one, as River plays (default: %(default)s)")
    add("--budgets", metavar="TIMES", help="by commas, for which sizes are told (default: %(default)s)")
    add("--again", action="store_true", help="measure anew, and keep that from now on")
    add("--output", metavar="FILE", help="the page with the charts (default: %(default)s)")
    parser.set_defaults(**Options._field_defaults)
