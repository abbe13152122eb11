"""What the commands that read a source can be told of it; the same words in each."""

import argparse
from typing import Any

from kernelpick.sources.reading import FORMATS, ON_ERROR, Reading

REGRESSION, CLASSIFICATION = TASKS = ("regression", "classification")
FEW = 20  # different whole numbers may well be classes, which is told
ANSWERS = {"yes": True, "no": False}


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add = parser.add_argument
    add("--target", metavar="COLUMN", help="the column to be predicted: its name, or its number from 1")
    add("--drop", metavar="COLUMNS", action="append", help="columns that are left out, by commas; may be repeated")
    add("--keep", metavar="COLUMNS", action="append", help="the only columns that are used, by commas; may be repeated")
    add("--task", metavar="|".join(TASKS), help="what the target is for (default: recognised)")
    add("--format", metavar="|".join(FORMATS), help="of the source (default: recognised)")
    add("--delimiter", metavar="CHARACTER", help="between fields, such as ';' or tab (default: recognised)")
    add("--encoding", metavar="NAME", help="of the text, such as cp1252 (default: by its first bytes, else utf-8)")
    add("--header", metavar="yes|no", help="whether the first line names the columns (default: recognised)")
    add("--table", metavar="NAME", help="table or query of a SQLite file")
    add("--on-error", metavar="|".join(ON_ERROR), default="stop", help="at a row that can't be read (default: stop)")


def reading(options: Any) -> Reading:
    """What the options say of reading."""
    if options.header not in (None, *ANSWERS):
        raise ValueError(f"--header is yes or no, and not {options.header!r}.")
    return Reading(
        options.format,
        options.delimiter,
        options.encoding,
        None if options.header is None else ANSWERS[options.header],
        options.table,
        options.on_error,
    )
