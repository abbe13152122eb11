"""A user's own file: which format it has, which column is the target, which names the classes have."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from kernelpick.files import arff, csv, libsvm, text
from kernelpick.files.errors import DataError, at
from kernelpick.files.text import Floats, Source

LOOK = 20  # lines from which the format is told


class Table(NamedTuple):
    """Inputs and targets; where targets are names, their places in `names`."""

    X: Floats
    y: Floats
    names: tuple[str, ...] | None


def read(path: Source, target: str | None = None) -> Table:
    """The rows of a LIBSVM, ARFF or CSV file, plain or gzip.

    `target` names the column, or gives its number from 1; without it the last column is the target.
    """
    match form(path):
        case "libsvm":
            if target is not None:
                raise DataError(f"{path} is in LIBSVM format, where the target comes first; leave --target out.")
            return Table(*libsvm.read(path), None)
        case "arff":
            return _read_arff(path, target)
        case _:
            return _read_csv(path, target)


def form(path: Source) -> str:
    """The format, by what is in the first lines."""
    told = (content.strip() for _, content in text.lines(path))
    for content in islice((line for line in told if line and line[0] not in "%#"), LOOK):
        words = content.split()
        if words[0].lower() in ("@relation", "@attribute"):
            return "arff"
        if len(words) > 1:
            return "libsvm" if _is_pair(words[1]) else "csv"
    return "csv"


def _is_pair(word: str) -> bool:
    index, colon, value = word.partition(":")
    return bool(colon) and index.isdigit() and math.isfinite(text.number(value))


def _read_arff(path: Source, target: str | None) -> Table:
    attributes = arff.attributes(path)
    column = _column(path, target, [name for name, _ in attributes])
    named = -len(attributes) <= column < len(attributes) and attributes[column][1] == "nominal"
    return _read_rows(path, arff, column, named, {})


def _read_csv(path: Source, target: str | None) -> Table:
    first = next(csv.records(path), None)
    if first is None:
        raise at(path, 1, "the file holds no rows; get a complete copy")
    cells = [_plain(cell) for cell in first[1].split(",")]
    if len(cells) < 2:
        raise at(path, first[0], "one value only where inputs and a target are needed; values are parted by commas")
    header = _is_header(path, cells, target)
    column = _column(path, target, cells if header else [])
    second = next(csv.records(path, header), None)
    sample = second[1].split(",") if second else []
    named = -len(sample) <= column < len(sample) and not math.isfinite(text.number(_plain(sample[column])))
    return _read_rows(path, csv, column, named, {"header": True} if header else {})


def _is_header(path: Source, cells: list[str], target: str | None) -> bool:
    """Line 1 names the columns if it holds what is no number, but for a class name where the target is."""
    words = [place for place, cell in enumerate(cells) if not math.isfinite(text.number(cell))]
    if target in [cells[place] for place in words]:
        return True
    column = int(target) - 1 if target is not None and target.isdecimal() else len(cells) - 1
    if words != [column]:
        return bool(words)
    below = next(islice(csv.records(path), 1, None), (0, ""))[1].split(",")
    return column < len(below) and math.isfinite(text.number(_plain(below[column])))


def _column(path: Source, target: str | None, names: list[str]) -> int:
    if target is None:
        return -1
    if target in names:
        return names.index(target)
    if target.isdecimal() and int(target) > 0:
        return int(target) - 1
    known = f"its columns are {', '.join(names)}" if names else "it names no columns, so give the number, from 1"
    raise DataError(f"{path} has no column {target!r} for --target: {known}.")


def _read_rows(path: Source, module: Any, column: int, named: bool, options: dict[str, bool]) -> Table:
    names = None
    if named:
        lines = ((line, row.split(",")) for line, row in module.records(path, **options))
        there = {_plain(cells[column]): line for line, cells in lines if -len(cells) <= column < len(cells)}
        for missing in ("", "?"):
            if missing in there:
                raise at(path, there[missing], "the target is missing; fill it in, or drop the row")
        names = tuple(sorted(there))
    labels = {name: float(place) for place, name in enumerate(names)} if names else None
    X, y = module.read(path, target=column, labels=labels, **options)
    return Table(X, np.asarray(y), names)


def _plain(cell: str) -> str:
    return cell.strip(" \t\r\n'\"")
