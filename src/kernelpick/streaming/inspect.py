"""`kernelpick inspect`: what a model holds, how it got there, and what its columns became."""

from pathlib import Path
from typing import Any

from kernelpick.estimator import load
from kernelpick.streaming.exits import DONE
from kernelpick.streaming.facts import Section, sections
from kernelpick.streaming.table import say


def inspect(options: Any) -> int:
    """The exit code."""
    estimator = load(options.model)
    told = sections(estimator, Path(options.model))
    if options.html is None:
        for section in told:
            _show(section)
        return DONE
    from kernelpick.streaming.page import page

    Path(options.html).write_text(page(estimator, Path(options.model).name, told), encoding="utf-8")
    say(f"written: {options.html}")
    return DONE


def _show(section: Section) -> None:
    say(section.title)
    widths = [max(map(len, column)) for column in zip(*section.rows, strict=True)]
    for row in section.rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        say("  " + "  ".join([*cells, row[-1]]).rstrip())
    say("")
