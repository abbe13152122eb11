"""The command `kernelpick`: reads the arguments, calls what does the work, tells failures in one sentence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import NoReturn

from kernelpick import __version__
from kernelpick.lab.calibrate import options as calibrate_options
from kernelpick.lab.compare import options as compare_options
from kernelpick.lab.regret import options as regret_options
from kernelpick.lab.reproduce import options as reproduce_options
from kernelpick.lab.running.extra import require
from kernelpick.streaming import settings as streaming_options

STREAMING = {
    "run": "learn from a file or a pipe, keep the model, go on where it was",
    "predict": "what a model says to the rows of a file or a pipe",
    "inspect": "what a model holds, and how it got there",
}


class Parser(argparse.ArgumentParser):
    """A wrong option is told in one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message[0].upper()}{message[1:]}; see {self.prog} --help.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all is well, 2 if it cannot be done, 130 if interrupted; docs/run.md has the others."""
    try:
        options = parser().parse_args(arguments)
        return options.command(options) or 0
    except (ValueError, OSError) as problem:
        print(f"kernelpick: {_sentence(problem)}", file=sys.stderr)
        return getattr(problem, "exit_code", 2)
    except KeyboardInterrupt as interruption:
        print(f"kernelpick: {str(interruption) or 'Interrupted.'}", file=sys.stderr)
        return 130


def parser() -> Parser:
    """All commands and their options."""
    top = Parser(prog="kernelpick", description="Online kernel learning that picks its own kernel.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"kernelpick {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add = partial(commands.add_parser, allow_abbrev=False)

    for name, help in STREAMING.items():
        one = add(name, help=help)
        streaming_options.COMMANDS[name](one)
        one.set_defaults(command=partial(_streaming, name))

    reproduce = add("reproduce", help="run the paper's experiments and compare every number")
    reproduce_options.describe(reproduce)
    reproduce.set_defaults(command=_reproduce)

    compare = add("compare", help="set algorithms and other libraries side by side on a stream")
    compare_options.describe(compare)
    compare.set_defaults(command=_compare)

    regret = add("regret", help="measure regret against the best hypothesis in hindsight, beside the theorems")
    regret_options.describe(regret)
    regret.set_defaults(command=_regret)

    calibrate = add("calibrate", help="measure what a round costs here, and what time budgets buy")
    calibrate_options.describe(calibrate)
    calibrate.set_defaults(command=_calibrate)

    data = add("data", help="list the datasets: what is here, what is missing")
    data.add_argument("--data", metavar="DIR", help="folder of the data files, searched first")
    data.set_defaults(command=_data)

    warm = add("warm", help="compile beforehand what the estimators need, for images and fleets")
    warm.add_argument("algorithms", nargs="*", metavar="ALGORITHM", help="names of algorithms; by default auto")
    warm.add_argument("--all", action="store_true", help="auto and the paper's eight")
    warm.set_defaults(command=_warm)

    demo = add("demo", help="see what kernelpick does, in under two minutes")
    demo.set_defaults(command=_demo)
    return top


def _sentence(problem: Exception) -> str:
    """A failure in one line; what the system says comes without its number."""
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.filename}: {problem.strerror}." if problem.filename else f"{problem.strerror}."
    return " ".join(str(problem).split())


def _streaming(name: str, options: argparse.Namespace) -> int:
    """A command of the room `streaming`, which is a function of its own name in a file of it."""
    module = import_module(f"kernelpick.streaming.{name}")
    return int(getattr(module, name)(options))


def _reproduce(options: argparse.Namespace) -> None:
    require("reproduce")
    from kernelpick.lab.reproduce.command import reproduce

    fields = reproduce_options.Options._fields
    reproduce(reproduce_options.Options(**{name: getattr(options, name) for name in fields}))


def _compare(options: argparse.Namespace) -> None:
    require("compare")
    from kernelpick.lab.compare.command import compare

    fields = compare_options.Options._fields
    compare(compare_options.Options(**{name: getattr(options, name) for name in fields}))


def _regret(options: argparse.Namespace) -> None:
    require("regret")
    from kernelpick.lab.regret.command import regret

    fields = regret_options.Options._fields
    regret(regret_options.Options(**{name: getattr(options, name) for name in fields}))


def _calibrate(options: argparse.Namespace) -> None:
    require("calibrate")
    from kernelpick.lab.calibrate.command import calibrate

    fields = calibrate_options.Options._fields
    calibrate(calibrate_options.Options(**{name: getattr(options, name) for name in fields}))


def _data(options: argparse.Namespace) -> None:
    require("data")
    from kernelpick.lab.datasets.listing import show

    show(options.data)


def _warm(options: argparse.Namespace) -> None:
    if options.all and options.algorithms:
        raise ValueError("--all takes no names of algorithms; leave one or the other out.")
    from kernelpick.warming import warm

    seconds = warm("all" if options.all else options.algorithms or "auto")
    print(f"All is compiled, in {seconds:.1f} s.")


def _demo(options: argparse.Namespace) -> None:
    from kernelpick.demo import main

    main()


if __name__ == "__main__":
    sys.exit(main())
