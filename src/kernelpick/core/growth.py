"""States that grow: more outputs when a new class appears, more inputs when a new column does.

What was learned stays as it is; a new output is a hypothesis that is zero, a new input is one that was zero so far.
What becomes of an array follows from its axes (see parts.py).
"""

import numpy as np

from kernelpick.core.learners.diagonal import Diagonal
from kernelpick.core.learners.newton import Newton
from kernelpick.core.learners.steady import Steady
from kernelpick.core.learners.widening import Halves, diagonal_only, widened_halves, widened_matrices
from kernelpick.core.numerics.panels import padded
from kernelpick.core.parts import Axes, changed
from kernelpick.core.specification import Specification
from kernelpick.core.state import State


def remap_outputs(state: State, sources: list[int], signs: list[float]) -> State:
    """Output m of the new state is signs[m] times output sources[m] of the old one, or fresh where that is negative."""
    parts = [changed(part, lambda array, axes: remapped(array, axes, sources, signs)) for part in state[:3]]
    if hasattr(state.selector, "hear_others"):
        state.selector.hear_others()
    return _as_before(State._make([*parts, state.ledger]), state)


def remapped(array: np.ndarray, axes: Axes, sources: list[int], signs: list[float]) -> np.ndarray:
    """The same for one array of a part."""
    at = axes.where("outputs")
    if at is None:
        return array
    old = np.moveaxis(array, at, 0)
    new = np.full((len(sources), *old.shape[1:]), axes.fresh, array.dtype)
    for m, source in enumerate(sources):
        if source >= 0:
            new[m] = old[source] * (1.0 if axes.even else signs[m])
    return np.ascontiguousarray(np.moveaxis(new, 0, at))


def widen_inputs(spec: Specification, state: State, ready: Halves | None = None) -> State:
    """The state for rows of as many columns as the specification has by now; frequencies of new ones are zero.

    Where the algorithm has another learner for so many, newton goes on with its diagonal. Matrices may be ready.
    """
    problem = spec.problem(1)
    lengths = problem.lengths(padded(problem.weights))

    def longer(array: np.ndarray, axes: Axes) -> np.ndarray:
        if axes.given:
            return array
        grows = [i for i, axis in enumerate(axes.axes) if axis in ("inputs", "weights", "order")]
        shape = [lengths[str(axes.axes[i])] if i in grows else n for i, n in enumerate(array.shape)]
        if not grows or tuple(shape) == array.shape:
            return array
        out = np.full(shape, axes.fresh, array.dtype)
        out[tuple(slice(n) for n in array.shape)] = array
        return out

    space, learner = changed(state.space, longer), state.learner
    if isinstance(learner, Newton | Steady) and spec.learner is Diagonal:
        learner = diagonal_only(learner, space, state.selector.seat)
    if isinstance(learner, Newton):
        learner = widened_matrices(learner, lengths["order"])
    elif isinstance(learner, Steady):
        learner = widened_halves(learner, lengths["order"], state.clock, ready)
    else:
        learner = changed(learner, longer)
    return _as_before(State(space, learner, state.selector, state.ledger), state)


def _as_before(state: State, before: State) -> State:
    """With the machine code of the one before, if types are the same: it takes long to find."""
    if type(state.learner) is type(before.learner):
        state.share_code(before)
    return state
