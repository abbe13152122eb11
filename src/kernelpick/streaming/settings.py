"""What `kernelpick run` can be told, as far as it is more than reading."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from kernelpick.sources import options as reading

ROWS, SECONDS = "rows", "seconds"
SOURCE = "a file, a folder of files, - for standard input, or sqlite:///file.db?table=name"
READ_ROWS = 16384  # rows that are read at a time


class Every(NamedTuple):
    """When a checkpoint is due."""

    number: float
    unit: str

    @property
    def block(self) -> int:
        """How many rows to read at a time, so that they are not more than those between two checkpoints."""
        return min(READ_ROWS, int(self.number)) if self.unit == ROWS else READ_ROWS

    def is_due(self, rows: int, seconds: float) -> bool:
        return (rows if self.unit == ROWS else seconds) >= self.number


def every(text: str) -> Every:
    """
    >>> every("30s"), every("10000")
    (Every(number=30.0, unit='seconds'), Every(number=10000.0, unit='rows'))
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|)", text.strip())
    if found is None or float(found[1]) < (0.0 if found[2] else 1.0) or (not found[2] and "." in found[1]):
        raise ValueError(
            f"--checkpoint-every takes a number of rows, or of seconds with an s: 10000 or 30s, not {text!r}."
        )
    return Every(float(found[1]), SECONDS if found[2] else ROWS)


def describe_run(parser: argparse.ArgumentParser) -> None:
    """Options of `kernelpick run`."""
    parser.add_argument("source", metavar="SOURCE", help=SOURCE)
    reading.describe(parser)
    add = parser.add_argument
    add("--rejects", metavar="FILE", help="CSV of the rows that were refused, and why")
    add("--model", metavar="FILE", help="where the model is kept, with all that is needed to go on")
    add("--predictions", metavar="FILE", help="CSV of what was said to each row before its label was used")
    add("--interval", metavar="LEVEL", type=float, help="with predictions: lower and upper ends, such as 0.9")
    add("--resume", action="store_true", help="go on where the model file is, or begin if there is none")
    add("--overwrite", action="store_true", help="replace files that are there already")
    add("--from", dest="base", metavar="MODEL", help="begin with a model that has learned already")
    add("--key", metavar="COLUMN", help="one model for each value of it: sensors, shops, users")
    add("--capacity", metavar="N", type=int, default=1000, help="models in memory, with --key (default: %(default)s)")
    add("--size", metavar="full|small|tiny", help="of auto (default: full; with --key small)")
    add(
        "--cluster",
        metavar="ADDRESS",
        help="a running Dask scheduler: the files of a folder are learned apart, and merged",
    )
    add("--checkpoint-every", metavar="N|Ns", default="30s", help="rows, or seconds (default: %(default)s)")
    add("--algorithm", metavar="NAME", default="auto", help="(default: %(default)s)")
    add("--loss", metavar="NAME", help="(default: square for numbers, logistic for classes)")
    add("--features", metavar="N", type=int, help="frequencies of random features (default: the algorithm's)")
    add("--time-budget", metavar="TIME", help="of a round, such as 50us: the size that fits here, without --features")
    add("--precision", metavar="double|single", help="of random features (default: double)")
    add("--forgetting", metavar="SHARE", type=float, default=1.0, help="what a round leaves of older ones, up to 1")
    add("--seed", metavar="N", type=int, default=0, help="(default: %(default)s)")
    add("--quiet", action="store_true", help="no table, and nothing on standard error but failures")
    add("--json", action="store_true", help="the table and the summary as lines of JSON")


def describe_predict(parser: argparse.ArgumentParser) -> None:
    """Options of `kernelpick predict`."""
    parser.add_argument("model", metavar="MODEL", help="a model file")
    parser.add_argument("source", metavar="SOURCE", help=SOURCE)
    reading.describe(parser)
    add = parser.add_argument
    add("--interval", metavar="LEVEL", type=float, help="lower and upper ends, or sets of classes; such as 0.9")
    add("--predictions", metavar="FILE|-", help="where to (default: standard output)")
    add("--overwrite", action="store_true", help="replace a file that is there already")
    add("--quiet", action="store_true", help="nothing on standard error but failures")


def describe_inspect(parser: argparse.ArgumentParser) -> None:
    """Options of `kernelpick inspect`."""
    parser.add_argument("model", metavar="MODEL", help="a model file")
    parser.add_argument("--key", metavar="KEY", help="of models by key, the one that is looked at")
    parser.add_argument("--html", metavar="FILE", help="a page with plots instead")


COMMANDS = {"run": describe_run, "predict": describe_predict, "inspect": describe_inspect}


def parsed(command: str, arguments: Sequence[str]) -> argparse.Namespace:
    """What the options of a command say."""
    parser = argparse.ArgumentParser(prog=f"kernelpick {command}")
    COMMANDS[command](parser)
    return parser.parse_args(arguments)


def size_of(options: Any) -> str:
    """Of auto, where nothing is said: models by key are many."""
    return str(options.size or ("small" if options.key is not None and options.algorithm == "auto" else "full"))


def lasting(options: Any, choice: Any) -> dict[str, Any]:
    """What results depend on, which must be the same when a run goes on. Errors may stop it or not, as before."""
    asked = ("task", "algorithm", "size", "loss", "features", "time_budget", "precision", "forgetting")
    reading = ("format", "delimiter", "encoding", "header", "table")
    return {
        "target": choice.target,
        "drop": sorted(choice.drop),
        "keep": sorted(choice.keep or ()),
        "key": choice.key,
        **{name: getattr(options, name) for name in (*asked, "seed", "interval", *reading)},
        "predictions": options.predictions is not None,
        "from": options.base,
        "cluster": True if options.cluster is not None else None,
    }
