"""WEKA's ARFF: a header that names and types the columns, then comma-separated rows.

SciPy parses the header. The rows go the way of CSV, since SciPy lets a row with too many values pass.
"""

from __future__ import annotations

import io
from collections.abc import Mapping

from kernelpick.files import text
from kernelpick.files.csv import read_table
from kernelpick.files.errors import at
from kernelpick.files.text import Floats, Lines, Source


def records(path: Source) -> Lines:
    """Number and text of the lines that hold rows."""
    lines = text.lines(path)
    for _, content in lines:
        if _word(content) == "@data":
            break
    return ((line, row) for line, row in lines if row.strip() and not row.lstrip().startswith("%"))


def attributes(path: Source) -> list[tuple[str, str]]:
    """Name and kind ("numeric", "nominal", ...) of each attribute."""
    return [(name, kind) for _, name, kind in _attributes(path, _header(path))]


def read(
    path: Source,
    *,
    target: int = -1,
    features: int | None = None,
    labels: Mapping[str, float] | None = None,
    rows: int | None = None,
    first: int | None = None,
) -> tuple[Floats, Floats]:
    """Inputs and targets of a dense ARFF file, plain or gzip; the arguments are those of `csv.read`.

    All attributes but the target must be numeric; a nominal target needs `labels`.
    """
    header = _header(path)
    attributes = _attributes(path, header)
    count = len(attributes)
    if features is not None and count != features + 1:
        named = f"the header ends here and names {count} attributes where {features + 1} are expected"
        raise at(path, len(header), f"{named}; this is another dataset, get the one asked for")
    if not -count <= target < count:
        raise ValueError(f"Attribute {target} cannot be the target of {path}, which has {count} attribute(s).")
    for position, (line, name, kind) in enumerate(attributes):
        is_target = position == target % count
        if kind != "numeric" and not (is_target and labels):
            advice = "give the number of each label" if is_target else "turn it into numbers first"
            raise at(path, line, f"the attribute {name!r} is {kind}, not numeric; {advice}")
    return read_table(path, records, target, count - 1, labels, rows, first)


def _header(path: Source) -> list[str]:
    """The lines up to and with @data."""
    header = []
    for line, content in text.lines(path):
        header.append(content)
        match _word(content):
            case "@data":
                return header
            case "" | "%" | "@relation" | "@attribute":
                continue
        raise at(path, line, f"{text.short(content)} has no place in an ARFF header; {text.REMEDY}")
    raise at(path, len(header), "the file ends without a line @data; it is cut short, get a complete copy")


def _word(content: str) -> str:
    """What a line of the header begins with."""
    word = content.split(maxsplit=1)[0].lower() if content.strip() else ""
    return "%" if word.startswith("%") else word


def _attributes(path: Source, header: list[str]) -> list[tuple[int, str, str]]:
    """Line, name and kind of each attribute."""
    lines = [line for line, content in enumerate(header, start=1) if _word(content) == "@attribute"]
    try:
        kinds = _kinds(header[:-1])
    except ValueError as problem:
        # The line at fault is the first that spoils those before it.
        spoilt = (line for line in lines if not _parses(header[:line]))
        raise at(path, next(spoilt, len(header)), f"{problem}; {text.REMEDY}") from problem
    return [(line, name, kind) for line, (name, kind) in zip(lines, kinds, strict=True)]


def _parses(header: list[str]) -> bool:
    try:
        return _kinds(header) is not None
    except ValueError:
        return False


def _kinds(header: list[str]) -> list[tuple[str, str]]:
    from scipy.io import arff

    try:
        _, meta = arff.loadarff(io.StringIO("".join(header) + "\n@data\n"))
    except (NotImplementedError, arff.ParseArffError) as problem:
        raise ValueError(str(problem)) from problem
    return list(zip(meta.names(), meta.types(), strict=True))
