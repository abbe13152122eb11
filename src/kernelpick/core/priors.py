"""A state that begins with what another one knows, as if that had come from few rows: the more rows come, the less it
weighs.

Sums are multiplied by a part (see `adds` in parts.py), hypotheses and scores stay what they are; where that is not
enough, the class of a learner says how by ``weakened(self, state, factor, whole)``, as newton does for its matrices.
"""

from typing import Any

import numpy as np

from kernelpick.core.parts import Axes, changed
from kernelpick.core.shards import blank
from kernelpick.core.specification import Specification
from kernelpick.core.state import State


def weakened(spec: Specification, state: State, rows: float) -> State:
    """Round 0 of a state that knows what another does, with the weight of so many rounds at most."""
    factor = min(1.0, rows / max(state.rounds, 1))
    whole = blank(spec, state)
    whole = whole._replace(space=_weaker(state.space, factor), ledger=factor * state.ledger)
    whole.ledger[0] = 0.0
    if hasattr(state.selector, "enter"):
        seated = np.flatnonzero(state.selector.seat >= 0)
        whole.selector.enter(seated, 0, state.leader)
        whole.selector.score[:], whole.selector.evidence[:] = state.selector.score, factor * state.selector.evidence
    else:
        whole = whole._replace(selector=_weaker(state.selector, factor))
    own = getattr(whole.learner, "weakened", None)
    learner = _weaker(state.learner, factor) if own is None else own(state, factor, whole)
    return whole._replace(learner=learner)


def _weaker(part: Any, factor: float) -> Any:
    def weaker(array: np.ndarray, axes: Axes) -> np.ndarray:
        return factor * array if axes.adds == "sum" else array.copy()

    return changed(part, weaker)
