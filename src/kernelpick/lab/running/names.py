"""Lists on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def by_commas(text: str) -> list[str]:
    """The parts of a list, each once.

    >>> by_commas(" vw,river-tree,,vw ")
    ['vw', 'river-tree']
    """
    return unique(part.strip() for part in text.split(",") if part.strip())


def unique(values: Iterable[T]) -> list[T]:
    """Each value once, in the order of first appearance."""
    return list(dict.fromkeys(values))
