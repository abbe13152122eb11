"""A model whose columns have names and come one by one.

The frequencies of a column are a function of the seed and its name. So neither the order of the names nor the time at
which they appear matters; a column that has not been seen yet is one that was always zero. With "auto" that holds for
columns that appear after a fit; those that are there at a fit get orthogonal frequencies together.
"""

from collections.abc import Hashable, Iterable
from operator import itemgetter
from typing import Any

import numpy as np

from . import rng
from .core import State
from .model import Model, Plan
from .spaces.augmented import Augmented
from .spaces.features import Features

GROWTH = 1.5  # columns are made in advance, so that adding them one by one copies little


class NamedModel(Model):
    """The columns 0 .. len(names) - 1 have these names; any further ones wait for theirs, and are zero."""

    def __init__(self, plan: Plan, names: Iterable[Hashable]) -> None:
        self.name(names)
        super().__init__(plan)

    def name(self, names: Iterable[Hashable]) -> None:
        self.names: dict[Hashable, int] = {name: i for i, name in enumerate(names)}
        self._read: Any = itemgetter(*self.names) if len(self.names) > 1 else None

    def complete(self, x: dict[Hashable, Any]) -> Any:
        """The values of a row that has these columns and no others; else a KeyError."""
        if len(x) != len(self.names) or self._read is None:
            raise KeyError
        return self._read(x)

    def start(self) -> State:
        state = super().start()
        if isinstance(state.space, Features | Augmented) and not self.spec.has_orthogonal:
            for name, column in self.names.items():
                self._draw(state, name, column)
        return state

    def admit(self, names: list[Hashable]) -> None:
        """Take new columns, in a fixed order: sums must not depend on the order in which a dict has its keys."""
        if self.spec.orthogonal:
            raise ValueError(
                f"The feature {names[0]!r} is new, and orthogonal frequencies need a fixed set of features: "
                "set orthogonal=False, or give all features in the first row."
            )
        first = len(self.names)
        self.name([*self.names, *sorted(names, key=repr)])
        if len(self.names) > self.spec.n_inputs:
            self.widen(max(len(self.names), int(GROWTH * self.spec.n_inputs)))
        if self.state is not None and isinstance(self.state.space, Features | Augmented):
            for name, column in list(self.names.items())[first:]:
                self._draw(self.state, name, column)

    def frequencies(self) -> np.ndarray | None:
        if self.state is None or not isinstance(self.state.space, Features | Augmented):
            return None
        old = self.state.space.frequencies
        new = np.zeros((len(old), self.spec.n_inputs, old.shape[2]))
        new[:, : old.shape[1]] = old
        return new

    def _draw(self, state: State, name: Hashable, column: int) -> None:
        """The frequencies of one column in each group of features.py: normal, and Cauchy for the Laplacian."""
        frequencies, seed = state.space.frequencies, self.spec.random_state
        frequencies[0, column] = rng.normals(seed, f"frequencies/{name!r}", frequencies.shape[2])
        if len(frequencies) > 1:
            u = rng.uniforms(seed, f"frequencies/laplacian/{name!r}", 0, frequencies.shape[2])
            frequencies[1, column] = np.tan(np.pi * (u - 0.5))


def rebuilt(model: Any, names: list[Hashable]) -> NamedModel:
    """A model from a file, with its names."""
    if len(set(names)) != len(names) or len(names) > model.spec.n_inputs:
        raise ValueError("the names of the columns are wrong")
    model.name(names)
    return model  # type: ignore[no-any-return]
