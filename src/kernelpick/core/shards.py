"""One state from several that have learned different rows from the same start, and that start.

How the arrays of two shards are added up is told by their axes (see parts.py). Where that does not go entry by entry,
as for the matrices of newton, the chains of stored examples and the race of the leader, the class of the part says how:

    added(self, states, whole)      self: the part, with what its axes tell added up; states: those of the shards;
                                    whole: the state in the making, the selector first, then the space, then the learner

A learner may write the weights of the hypotheses in whole.space. A part that has such arrays and does not say how is
refused.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernelpick.core.parts import Axes, arrays_of
from kernelpick.core.specification import Specification
from kernelpick.core.state import State, copy
from kernelpick.core.stream import start, tuned

ORDER = ("selector", "space", "learner")


def added(spec: Specification, states: Sequence[State]) -> State:
    """The sum: counts and losses add up, second-order hypotheses by what they know, others are averages by rounds.

    The states are left as they are. That of a single one is itself, to the last bit.
    """
    if len(states) == 1:
        return copy(states[0])
    rounds = np.array([state.rounds for state in states], dtype=float)
    rounds = rounds if rounds.any() else np.ones(len(states))
    shares = np.stack([n * _taking_part(state) for n, state in zip(rounds, states, strict=True)])
    whole = State(None, None, None, np.sum([state.ledger for state in states], axis=0))
    for kind in ORDER:
        parts = [getattr(state, kind) for state in states]
        part, own = _added(kind, parts, rounds, shares), getattr(parts[0], "added", None)
        whole = whole._replace(**{kind: part if own is None else type(part).added(part, states, whole)})
    return tuned(spec, whole, always=True)[0]


def blank(spec: Specification, state: State) -> State:
    """The state before the first round, with what shards have in common: frequencies, who takes part, and who leads."""
    fresh = start(spec)
    for kind in ORDER:
        part = getattr(fresh, kind)
        common = {
            name: array.copy() for name, (array, axes) in arrays_of(getattr(state, kind)).items() if _common(axes)
        }
        fresh = fresh._replace(**{kind: part._replace(**common)})
    if hasattr(state.selector, "enter"):
        seated, opening = np.flatnonzero(state.selector.seat >= 0), int(fresh.selector.race["opening"][0])
        fresh.selector.enter(seated, opening, state.leader)
    return fresh


def _common(axes: Axes) -> bool:
    return axes.given or axes.adds == "same"


def _taking_part(state: State) -> np.ndarray:
    """(K,) 1 for arms that take part."""
    return np.array([float(state.seat(arm) >= 0) for arm in range(len(state.losses))])


def _added(kind: str, parts: list[Any], rounds: np.ndarray, shares: np.ndarray) -> Any:
    first = parts[0]
    if any(type(part) is not type(first) for part in parts):
        raise ValueError(f"The shards have different {kind}s, {type(first).name} and others, and can't be added up.")
    found = {}
    for name, (array, axes) in arrays_of(first).items():
        arrays = [getattr(part, name) for part in parts]
        if any(other.shape != array.shape for other in arrays) and "pool" not in axes.axes:
            raise ValueError(f"{kind}.{name} of the shards differs in shape, so they can't be added up.")
        if not axes.given and not (axes.adds == "own" and hasattr(first, "added")):
            found[name] = _one(
                f"{kind} {first.name!r}: {name}", arrays, axes, shares if axes.axes[0] == "arms" else rounds
            )
    return first._replace(**found)


def _one(what: str, arrays: list[np.ndarray], axes: Axes, shares: np.ndarray) -> np.ndarray:
    ways: dict[str, Any] = {
        "sum": lambda: np.sum(arrays, axis=0),
        "mean": lambda: _mean(np.stack(arrays), shares),
        "least": lambda: np.min(arrays, axis=0),
        "most": lambda: np.max(arrays, axis=0),
        "same": lambda: arrays[0].copy(),
    }
    if axes.adds not in ways:
        raise ValueError(f"The {what} is not added up entry by entry, so these shards can't be merged.")
    if axes.adds == "same" and any(not np.array_equal(array, arrays[0]) for array in arrays):
        raise ValueError(f"The {what} differs between the shards: they did not start from the same model.")
    return np.asarray(ways[axes.adds]())


def _mean(arrays: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """By rounds (S,), or for every arm by the rounds of the shards in which it takes part (S, K)."""
    weights = shares / np.maximum(shares.sum(axis=0), 1e-300)
    mean = (arrays * weights.reshape(weights.shape + (1,) * (arrays.ndim - weights.ndim))).sum(axis=0)
    return np.asarray(mean.astype(np.result_type(arrays, np.float32)))
