"""The command `kernelpick`: reads the arguments, calls what does the work, tells failures in one sentence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from kernelpick import __version__


class Parser(argparse.ArgumentParser):
    """A wrong option is told in one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message[0].upper()}{message[1:]}; see {self.prog} --help.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all is well, 2 if it cannot be done, 130 if it was interrupted."""
    try:
        options = parser().parse_args(arguments)
        options.command(options)
        return 0
    except (ValueError, OSError) as problem:
        print(f"kernelpick: {_sentence(problem)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as interruption:
        print(f"kernelpick: {str(interruption) or 'Interrupted.'}", file=sys.stderr)
        return 130


def parser() -> Parser:
    """All commands and their options."""
    top = Parser(prog="kernelpick", description="Online kernel learning that picks its own kernel.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"kernelpick {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add = partial(commands.add_parser, allow_abbrev=False)

    reproduce = add("reproduce", help="run the paper's experiments and compare every number")
    reproduce.add_argument("--tables", metavar="2,5", default="", help="tables of the paper (default: 2 to 10)")
    reproduce.add_argument("--datasets", metavar="NAMES", default="", help="datasets, by commas (default: all)")
    reproduce.add_argument("--algorithms", metavar="NAMES", default="", help="algorithms, by commas (default: all)")
    reproduce.add_argument("--repeats", metavar="N", type=int, default=10, help="permutations (default: %(default)s)")
    reproduce.add_argument(
        "--settings", metavar="published|paper|both", default="published",
        help="what produced the tables, or what the theorems speak of (default: %(default)s)",
    )  # fmt: skip
    reproduce.add_argument("--jobs", metavar="N", type=int, help="processes (default: one a core)")
    reproduce.add_argument(
        "--out", metavar="DIR", default="reproduction", help="folder of the results (default: %(default)s)"
    )
    reproduce.add_argument("--data", metavar="DIR", help="folder of the data files, searched first")
    reproduce.add_argument("--cluster", metavar="ADDRESS", help="a running Dask scheduler that takes the work")
    reproduce.set_defaults(command=_reproduce)

    compare = add("compare", help="set algorithms and other libraries side by side on a stream")
    compare.add_argument(
        "streams", metavar="DATA", nargs="+", help="a dataset of the paper, or a LIBSVM, ARFF or CSV file"
    )
    compare.add_argument("--task", metavar="regression|classification", help="what a file is for (default: guessed)")
    compare.add_argument("--target", metavar="COLUMN", help="of a file: name, or number from 1 (default: the last)")
    compare.add_argument("--algorithms", metavar="NAMES", default="", help="by commas (default: auto,rf-oks++,raker)")
    compare.add_argument("--peers", metavar="all|none|NAMES", default="all", help="by commas (default: %(default)s)")
    compare.add_argument("--rows", metavar="N", type=int, help="rows that are played (default: all)")
    compare.add_argument("--repeats", metavar="N", type=int, default=1, help="permutations (default: %(default)s)")
    compare.add_argument("--shuffle", action="store_true", help="permute a file (the paper's datasets always are)")
    compare.add_argument("--jobs", metavar="N", type=int, default=1, help="processes (default: %(default)s)")
    compare.add_argument("--seed", metavar="N", type=int, default=0, help="of the first permutation (default: 0)")
    compare.add_argument(
        "--out", metavar="DIR", default="comparison", help="folder of the results (default: %(default)s)"
    )
    compare.add_argument("--data", metavar="DIR", help="folder of the data files, searched first")
    compare.set_defaults(command=_compare)

    data = add("data", help="list the datasets: what is here, what is missing")
    data.add_argument("--data", metavar="DIR", help="folder of the data files, searched first")
    data.set_defaults(command=_data)

    demo = add("demo", help="see what kernelpick does, in under two minutes")
    demo.set_defaults(command=_demo)
    return top


def _sentence(problem: Exception) -> str:
    """A failure in one line; what the system says comes without its number."""
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.filename}: {problem.strerror}." if problem.filename else f"{problem.strerror}."
    return " ".join(str(problem).split())


def _reproduce(options: argparse.Namespace) -> None:
    from kernelpick.lab.reproduce.command import Options, reproduce

    reproduce(Options(**{name: getattr(options, name) for name in Options._fields}))


def _compare(options: argparse.Namespace) -> None:
    from kernelpick.lab.compare.command import Options, compare

    compare(Options(**{name: getattr(options, name) for name in Options._fields}))


def _data(options: argparse.Namespace) -> None:
    from kernelpick.lab.datasets.listing import show

    show(options.data)


def _demo(options: argparse.Namespace) -> None:
    from kernelpick.demo import main

    main()


if __name__ == "__main__":
    sys.exit(main())
