"""The names of inputs: that of a number is its column's own, and those that are made can't collide with these."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

NUMBER, WORD, SLOT, MISSING = "number", "=", "hash", "is missing"
SECONDS = "seconds"
HOUR = ("hour sine", "hour cosine")
DAY = ("day sine", "day cosine")
PARTS = (NUMBER, WORD, SLOT, MISSING, SECONDS, *HOUR, *DAY)

WORDS, SLOTS = 256, 64  # values of a text column that have an input each, and hashed inputs for all further ones


@dataclass(frozen=True)
class Input:
    """One part of what a column becomes. The frequencies of an input follow from its repr, so that has to stay."""

    column: Hashable
    part: str
    value: str | int | None = None  # the text, or the number of a hashed input

    @property
    def name(self) -> Any:
        """What a model calls it."""
        return self.column if self.part == NUMBER else self

    def __str__(self) -> str:
        """What people read."""
        if self.part == NUMBER:
            return str(self.column)
        if self.part == WORD:
            return f"{self.column}={self.value}"
        return f"{self.column} {self.part}" + (f" {self.value}" if self.part == SLOT else "")


def rank(one: Input) -> int:
    """Inputs that are born in one row come in this order: numbers, clocks, and those that are made."""
    return {NUMBER: 0, SECONDS: 1}.get(one.part, 2)
