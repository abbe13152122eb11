"""States in tests: taken out of the loop as named arrays, and put back."""

from typing import Any

import numpy as np

from kernelpick import core
from kernelpick.core.state import arrays, check_lengths, check_shapes, restore
from kernelpick.core.stream import tuned

__all__ = ["arrays", "copied", "restored"]


def copied(state: core.State) -> dict[str, np.ndarray]:
    """The arrays of a state as they are now."""
    return {name: array.copy() for name, array in arrays(state).items()}


def restored(spec: core.Specification, saved: dict[str, Any]) -> core.State:
    """The state that these arrays are of, checked as a model file is."""
    check_lengths(spec.row, spec.problem(1), saved)
    fresh = core.start(spec)
    check_shapes(fresh, saved)
    return tuned(spec, restore(fresh, saved), always=True)[0]
