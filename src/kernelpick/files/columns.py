"""The columns of a stream as values, and back, with all that can't be refused.

Which inputs a column became is told by the names of the model's inputs, in their order, and said only there.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from kernelpick.columns.column import Column
from kernelpick.columns.inputs import DAY, HOUR, NUMBER, PARTS, SECONDS, SLOT, SLOTS, WORD, WORDS, Input
from kernelpick.columns.stream import POLICIES, Columns
from kernelpick.columns.words import JUDGED_AT
from kernelpick.files.checks import LATEST, counter

TOGETHER = (HOUR, DAY, (SECONDS, DAY[0]))  # parts of which a column has all or none


def pack(columns: Columns) -> dict[str, Any]:
    found = [
        [one.name, since, absences, one.first, one.words.count, sorted(one.words.seen), one.words.ignored]
        for one, since, absences in zip(columns.columns, columns.since, columns.absences, strict=True)
    ]
    told = {"missing": columns.missing, "rows": columns.rows, "columns": found}
    return told | ({"closed": True} if columns.closed else {})


def unpack(about: dict[str, Any], names: list[Hashable]) -> Columns:
    """The columns of a model whose inputs have these names."""
    if about["missing"] is not None and about["missing"] not in POLICIES:
        raise ValueError(f"missing can't be {about['missing']!r}")
    columns = Columns(about["missing"])
    columns.rows, columns.closed = counter(about["rows"]), bool(about.get("closed", False))
    for name, since, absences, *rest in about["columns"]:
        if name in columns.numbers:
            raise ValueError(f"{name!r} is there twice")
        columns.numbers[name] = len(columns.columns)
        columns.columns.append(_column(name, *rest))
        columns.since = np.append(columns.since, counter(since, columns.rows))
        columns.absences = np.append(columns.absences, counter(absences, columns.rows - since))
    for place, name in enumerate(names):
        _place(columns, name if isinstance(name, Input) else Input(name, NUMBER), place)
    for one in columns.columns:
        _check(one)
    return columns


def of_names(names: list[Hashable], rows: int) -> Columns:
    """For a file from before there were columns: numbers, and of what is not known of them the least.

    They count as absent from all rows before, so that an absent one reads as zero, as it did.
    """
    found = [[name, 0, rows, None, 0, [], False] for name in names]
    return unpack({"missing": None, "rows": rows, "columns": found}, names)


def _column(name: Hashable, first: Any, count: Any, seen: Any, ignored: Any) -> Column:
    one = Column(name)
    one.first = None if first is None else counter(first + LATEST // 2, LATEST) - LATEST // 2
    words = one.words
    words.count, words.seen = counter(count, JUDGED_AT), {counter(number, 2**63 - 1) for number in seen}
    words.ignored = ignored
    judged = words.count == JUDGED_AT
    if not isinstance(ignored, bool) or len(words.seen) > words.count or (ignored and not judged):
        raise ValueError(f"the texts of {name!r} can't be so many")
    if bool(words.seen) != (0 < words.count < JUDGED_AT):
        raise ValueError(f"the texts of {name!r} that were seen are wrong")
    return one


def _place(columns: Columns, one: Input, place: int) -> None:
    kinds: dict[str, type] = {WORD: str, SLOT: int}
    if one.part not in PARTS or type(one.value) is not kinds.get(one.part, type(None)):
        raise ValueError(f"{one!r} is no input")
    if one.part == SLOT:
        counter(one.value, SLOTS - 1)
    columns.columns[columns.numbers[one.column]].place(one, place)
    columns.width += 1
    columns.made += one.part != NUMBER


def _check(one: Column) -> None:
    for parts in TOGETHER:
        if len({part in one.places for part in parts}) > 1:
            raise ValueError(f"the inputs of {one.name!r} are not whole")
    if (SECONDS in one.places) != (one.first is not None) or len(one.words.places) > WORDS:
        raise ValueError(f"the inputs of {one.name!r} do not fit it")
