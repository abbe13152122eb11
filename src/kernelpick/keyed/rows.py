"""Rows by key: arrays, frames of pandas and polars, and the dicts of River."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np


class Group(NamedTuple):
    """Some rows of one key."""

    places: np.ndarray  # (n,) in what was given
    X: Any

    def learned(self, model: Any, y: Any, classes: Any, progressive: bool) -> Any:
        """Learn them; on demand, what was said before each target was used."""
        if isinstance(self.X, list):
            return self._one_by_one(model, y, progressive)
        declared = {} if classes is None or model._model is not None else {"classes": np.asarray(classes)}
        learn = model.progressive_fit if progressive else model.partial_fit
        return learn(self.X, y, **declared)

    def _one_by_one(self, model: Any, y: Any, progressive: bool) -> list[Any]:
        said = []
        for x, target in zip(self.X, y, strict=True):
            if progressive:
                said.append(model.predict_one(x))
            model.learn_one(x, target)
        return said

    def predicted(self, model: Any) -> Any:
        return [model.predict_one(x) for x in self.X] if isinstance(self.X, list) else model.predict(self.X)


def groups(keys: Any, X: Any) -> Iterator[tuple[Hashable, Group]]:
    """The keys in the order of their first rows, each with its rows."""
    if isinstance(keys, str) and hasattr(X, "columns"):
        keys, X = X[keys], X.drop(columns=[keys]) if hasattr(X, "iloc") else X.drop(keys)
    keys = keys.tolist() if hasattr(keys, "tolist") else list(keys)
    X = [X] if isinstance(X, dict) else X
    X = X if (isinstance(X, list) and X and isinstance(X[0], dict)) or hasattr(X, "columns") else np.asarray(X)
    if len(keys) != len(X):
        raise ValueError(f"There are {len(keys)} keys and {len(X)} rows.")
    for key, places in by_key(tuple(key) if isinstance(key, list) else key for key in keys):
        yield key, Group(places, part_of(X, places))


def by_key(keys: Iterable[Hashable]) -> Iterator[tuple[Hashable, np.ndarray]]:
    """The keys in the order of their first rows, each with the places of its rows."""
    found: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    for key, places in found.items():
        yield key, np.array(places)


def part_of(values: Any, places: np.ndarray) -> Any:
    """Those rows of an array, a frame, a series or a list."""
    if hasattr(values, "iloc"):
        return values.iloc[places]
    if isinstance(values, list) and values and isinstance(values[0], dict):
        return [values[place] for place in places]
    return values[places] if hasattr(values, "__array__") or hasattr(values, "columns") else np.asarray(values)[places]
