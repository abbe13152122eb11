"""Names of columns and of targets, as Python has them, and in an order of their own."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np


def plain(name: Any) -> Any:
    """A name as Python has it: frequencies follow from its repr, which differs for what NumPy and enums make of it."""
    if isinstance(name, np.generic):
        return name.item()
    if isinstance(name, str):
        return str.__str__(name)
    if isinstance(name, tuple):
        return tuple(plain(part) for part in name)
    return int(name) if isinstance(name, int) and not isinstance(name, bool) else name


def in_order(names: Iterable[Hashable]) -> list[Hashable]:
    """Plain names in an order of their own: sums must not depend on the order in which a dict has its keys."""
    return sorted(map(plain, names), key=repr)
