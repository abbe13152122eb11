"""The lines of the files that a run writes: predictions, and rows that were refused. CSV, as spreadsheets read it."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

REJECTS = b"row,file,line,column,found,reason\n"
MARKS = frozenset(',"\r\n')  # texts with one of these are quoted


def header(interval: bool, sets: bool = False) -> bytes:
    """The first line of a file of predictions."""
    ends = ",set" if sets else ",lower,upper"
    return f"row,prediction,label{ends if interval else ''}\n".encode()


def predictions(numbers: np.ndarray, said: Sequence[Any], labels: Sequence[Any], *further: Sequence[Any]) -> bytes:
    """A line for each row: its number from 1, what was said before the label was used, the label.

    >>> predictions(np.array([4]), [0.5], [None])
    b'5,0.5,\\n'
    """
    columns = [_cells(column) for column in (said, labels, *further)]
    rows = map(str, (numbers + 1).tolist())
    return "".join(map(_line, rows, *columns)).encode("utf-8", "surrogatepass")


def _line(*cells: str) -> str:
    return ",".join(cells) + "\n"


def _cells(values: Sequence[Any]) -> list[str]:
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [cell(value) for value in plain]


def cell(value: Any) -> str:
    """A value in CSV; numbers so that they are read as what they were, nothing where nothing is known."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if not isinstance(value, str):
        return repr(value)
    return '"' + value.replace('"', '""') + '"' if not MARKS.isdisjoint(value) else value


def rejects(refused: Iterable[Any]) -> bytes:
    """A line for each row that was refused, numbered from 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for one in refused:
        writer.writerow([one.number + 1, one.file, one.line, one.column, _visible(one.found), one.reason])
    return out.getvalue().encode("utf-8", "backslashreplace")


def _visible(found: Any) -> str:
    """What was found, in one line and not too much of it."""
    text = "" if found is None else str(found)
    shown = text if text.isprintable() else repr(text)[1:-1]
    return shown if len(shown) <= 200 else shown[:200] + "..."
