"""States that grow: more outputs when a new class appears, more inputs when a new column does.

What was learned stays as it is; a new output is a hypothesis that is zero, a new input is one that was zero so far.
"""

from typing import Any

import numpy as np

from .core import State
from .learners.adagrad import Adagrad
from .learners.newton import Newton
from .panels import dense, in_panels, padded
from .spaces.augmented import Augmented
from .spaces.exact import Examples
from .spaces.tiles import TILE

# arrays whose second axis is the output, and those of them that are the same for f and -f
BY_OUTPUT = ("coefficients", "scales", "norms", "weights", "gradients", "squares", "g", "seen")
UNSIGNED = ("scales", "norms", "gradients", "squares")


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

    space = state.space
    if isinstance(space, Examples):  # whose squares are those of rows
        return State(*(over(part) for part in state))._replace(space=over(space)._replace(squares=space.squares))
    return State(*(over(part) for part in state))


def widen_inputs(state: State, n_inputs: int, frequencies: np.ndarray | None, keeps_matrices: bool = True) -> State:
    """The state for rows of n_inputs columns. frequencies (groups, n_inputs, D), the old ones among them.

    Without matrices, which grow with the square of the columns, newton becomes adagrad.
    """
    space = state.space
    if isinstance(space, Examples):
        tiles = np.zeros((len(space.tiles), n_inputs, TILE))
        tiles[:, : space.tiles.shape[1]] = space.tiles
        return state._replace(space=space._replace(tiles=tiles))
    if not isinstance(space, Augmented):
        return state._replace(space=space._replace(frequencies=frequencies))
    assert frequencies is not None
    weights = _with_last_axis(space.weights, space.weights.shape[2] + n_inputs - space.frequencies.shape[1])
    space = space._replace(frequencies=frequencies, weights=weights)
    learner = state.learner
    if isinstance(learner, Newton) and not keeps_matrices:
        learner = diagonal_only(learner, space, state.selector.seat)
    return State(space, _widen_learner(learner, weights.shape[2]), state.selector, state.ledger)


def diagonal_only(learner: Newton, space: Augmented, seat: np.ndarray) -> Adagrad:
    """An adagrad whose steps are those of newton along every single weight: step/sqrt(squares) = the diagonal of P.

    The rows that wait are taken in first.
    """
    arms, outputs, size = space.weights.shape
    step = learner.prior / 5 / np.sqrt(space.frequencies.shape[2])
    diagonals = np.full((arms, size), learner.prior)
    for arm in np.flatnonzero(seat >= 0):
        at, known = seat[arm], min(size, learner.K.shape[2])
        rows = learner.waiting[at]
        unit = np.eye(rows) + np.triu(learner.N[at, :rows, :rows], 1).T
        A = np.linalg.solve(unit, learner.K[at, :rows])[:, :known]
        space.weights[arm, :, :known] += learner.g[at, :, :rows] @ A
        diagonals[arm, :known] = np.diagonal(dense(learner.P[at]))[:known] - learner.c[at, :rows] @ A**2
    squares = (step / np.maximum(diagonals, 1e-12)) ** 2
    return Adagrad(step, np.repeat(squares[:, None, :], outputs, axis=1))


def _widen_learner(learner: Any, size: int) -> Any:
    """The learner for hypotheses with so many weights; nothing is known of the new ones."""
    if isinstance(learner, Adagrad):
        return learner._replace(squares=_with_last_axis(learner.squares, size))
    if not isinstance(learner, Newton):
        return learner
    order, before = padded(size), learner.K.shape[2]
    wider = np.stack([learner.prior * np.eye(order)] * len(learner.P))
    for i, P in enumerate(learner.P):
        wider[i, :before, :before] = dense(P)
    return learner._replace(P=np.stack([in_panels(P) for P in wider]), K=_with_last_axis(learner.K, order))


def _with_last_axis(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros((*array.shape[:-1], length))
    longer[..., : array.shape[-1]] = array
    return longer
