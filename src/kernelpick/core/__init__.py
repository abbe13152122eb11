"""The core: pure and compiled, it imports nothing outside itself.

An algorithm is a space x a learner x a selector x a loss; a state is advanced by rows.

>>> import numpy as np
>>> from kernelpick import core
>>> spec = core.Specification("rf-oks++", "square", n_inputs=2)
>>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
>>> state, outcome = core.advance(spec, core.start(spec), X, np.sin(3 * X[:, :1]))
>>> state.rounds, outcome.predictions.shape
(500, (500, 1))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernelpick.core.record import Outcome, new_record
    from kernelpick.core.specification import Specification
    from kernelpick.core.state import State, copy
    from kernelpick.core.stream import NO_WEIGHTS, advance, advance_in_place, arm_numbers, draw, predict, start, values

_HOMES = {
    **dict.fromkeys(("Outcome", "new_record"), "record"),
    **dict.fromkeys(("State", "copy"), "state"),
    **dict.fromkeys(("NO_WEIGHTS", "advance", "advance_in_place", "arm_numbers", "draw"), "stream"),
    **dict.fromkeys(("predict", "start", "values"), "stream"),
    "Specification": "specification",
}

__all__ = [
    "NO_WEIGHTS", "Outcome", "Specification", "State", "advance", "advance_in_place", "arm_numbers", "copy", "draw",
    "new_record", "predict", "start", "values",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Imported when first used: reading a part of the core must not load all of it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'kernelpick.core' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"kernelpick.core.{_HOMES[name]}"), name)
    return found
