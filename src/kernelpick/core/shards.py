"""One state from several that have learned different rows from the same start.

How the arrays of two shards are added up is told by their axes (see parts.py). Where that does not go entry by entry,
for the matrices of newton, the chains of stored examples and the race of the leader, it is refused.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.core.parts import Axes, arrays_of
from kernelpick.core.state import PARTS, State


def added(states: Sequence[State]) -> State:
    """The sum: counts and losses add up, hypotheses are averages by rounds."""
    rounds = np.array([state.rounds for state in states], dtype=float)
    shares = rounds / rounds.sum() if rounds.any() else np.full(len(states), 1 / len(states))
    parts = [_added(kind, [getattr(state, kind) for state in states], shares) for kind in PARTS]
    return State._make([*parts, np.sum([state.ledger for state in states], axis=0)])


def _added(kind: str, parts: list[Any], shares: np.ndarray) -> Any:
    first = parts[0]
    if any(type(part) is not type(first) for part in parts):
        raise ValueError(f"The shards have different {kind}s, {type(first).name} and others, and can't be added up.")
    found = {}
    for name, (array, axes) in arrays_of(first).items():
        arrays = [getattr(part, name) for part in parts]
        if any(other.shape != array.shape for other in arrays):
            raise ValueError(f"{kind}.{name} of the shards differs in shape, so they can't be added up.")
        if not axes.given:
            found[name] = _one(f"{kind} {first.name!r}: {name}", arrays, axes, shares)
    return first._replace(**found)


def _one(what: str, arrays: list[np.ndarray], axes: Axes, shares: np.ndarray) -> np.ndarray:
    ways: dict[str, Any] = {
        "sum": lambda: np.sum(arrays, axis=0),
        "mean": lambda: np.tensordot(shares, np.stack(arrays), axes=1),
        "least": lambda: np.min(arrays, axis=0),
        "most": lambda: np.max(arrays, axis=0),
        "same": lambda: arrays[0].copy(),
    }
    if axes.adds not in ways:
        raise ValueError(f"The {what} is not added up entry by entry, so these shards can't be merged.")
    if axes.adds == "same" and any(not np.array_equal(array, arrays[0]) for array in arrays):
        raise ValueError(f"The {what} differs between the shards: they did not start from the same model.")
    return np.asarray(ways[axes.adds]())
