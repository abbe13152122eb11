"""States that grow: more outputs when a new class appears, more inputs when a new column does.

What was learned stays as it is; a new output is a hypothesis that is zero, a new input is one that was zero so far.
"""

from typing import Any

import numpy as np

from .core import State
from .spaces.exact import Examples
from .spaces.tiles import TILE

BY_OUTPUT = ("coefficients", "scales", "norms", "weights", "gradients")  # arrays whose second axis is the output
UNSIGNED = ("scales", "norms", "gradients")  # those that are the same for f and -f


def remap_outputs(state: State, sources: list[int], signs: list[float]) -> State:
    """Output m of the new state is signs[m] times output sources[m] of the old one, or zero where that is negative."""

    def remap(name: str, old: np.ndarray) -> np.ndarray:
        new = np.full((old.shape[0], len(sources), *old.shape[2:]), 1.0 if name == "scales" else 0.0)
        for m, source in enumerate(sources):
            if source >= 0:
                new[:, m] = old[:, source] * (1.0 if name in UNSIGNED else signs[m])
        return new

    def over(part: Any) -> Any:
        arrays = part._asdict()
        return part._replace(**{name: remap(name, arrays[name]) for name in BY_OUTPUT if name in arrays})

    return State(*(over(part) for part in state))


def widen_inputs(state: State, n_inputs: int, frequencies: np.ndarray | None) -> State:
    """The state for rows of n_inputs columns. frequencies (groups, n_inputs, D), the old ones among them."""
    space = state.space
    if isinstance(space, Examples):
        tiles = np.zeros((len(space.tiles), n_inputs, TILE))
        tiles[:, : space.tiles.shape[1]] = space.tiles
        return state._replace(space=space._replace(tiles=tiles))
    return state._replace(space=space._replace(frequencies=frequencies))
