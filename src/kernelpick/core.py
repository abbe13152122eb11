"""The streaming core: start a state, advance it by rows, ask it for predictions.

What comes out depends on (specification, state, rows, random numbers) alone, and not on how the rows are cut into
calls. The state is a named tuple of named tuples of arrays.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import rng
from .algorithms import AUGMENTED, EXACT, FEATURES, GRADIENT, kernels_in_effect, learner_name
from .engine import Ledger, evaluate_rows, play
from .learners.gradient import Constant
from .selectors.leader import SPEAKER, Leader
from .spaces.augmented import augmented
from .spaces.exact import Examples, examples, grow
from .spaces.features import features
from .specification import Specification

FIRST_EPOCH = 1024  # rounds that the rates are set for when nobody knows the horizon; doubled each time it is outrun
CALL_ROWS = 1024  # rows a compiled call plays at most: between calls, Ctrl-C is heard
PAGE = 1024  # random numbers that are made at a time
NO_WEIGHTS = np.zeros(0)
NO_LOSSES = np.zeros(0)  # in the place of losses: only predict
ANY_GRADIENT = Constant(0.0)

T = TypeVar("T", bound=tuple)


class State(NamedTuple):
    """Everything that changes, and the rates of the current epoch."""

    space: Any
    learner: Any
    selector: Any
    ledger: Ledger

    @property
    def rounds(self) -> int:
        return self.ledger.clock.item()

    @property
    def probabilities(self) -> np.ndarray:
        """p: the probability of each kernel in the next round, or its weight where all of them play."""
        return self.selector.p  # type: ignore[no-any-return]


class Outcome(NamedTuple):
    """What happened in some rounds."""

    arms: np.ndarray  # (T,) the arm that was drawn, -1 where all play
    probabilities: np.ndarray  # (T,) its probability, NaN where all play
    predictions: np.ndarray  # (T, M)
    losses: np.ndarray  # (T,)
    diverged: int | None  # the first round whose loss was not finite; nothing was learned from it on


def start(spec: Specification, frequencies: np.ndarray | None = None) -> State:
    """The state before the first round. frequencies, standard normal rows, replace those of the seed."""
    problem = spec.problem(_horizon(spec, 0))
    kernels = list(kernels_in_effect(spec.row, spec.kernels, spec.published))
    radius = spec.radius_in_effect if spec.row.projects else np.inf
    space: Any
    if spec.row.space == FEATURES:
        space = features(
            kernels,  # type: ignore[arg-type]
            spec.n_inputs,
            spec.n_features,
            spec.n_outputs,
            radius,
            spec.random_state,
            spec.has_orthogonal,
            frequencies,
        )
    elif spec.row.space == AUGMENTED:
        space = augmented(
            kernels,  # type: ignore[arg-type]
            spec.n_inputs,
            spec.n_features,
            spec.n_outputs,
            spec.random_state,
            spec.has_orthogonal,
            frequencies,
        )
    elif spec.row.space == EXACT:
        space = examples(kernels, spec.n_inputs, spec.n_outputs, radius)
    else:
        space = examples(kernels, spec.n_inputs, spec.n_outputs, radius, shared=True, capacity=spec.budget)
    ledger = Ledger(np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(len(kernels)))
    return State(space, spec.row.learner(problem), spec.row.selector(problem), ledger)


def advance(
    spec: Specification, state: State, X: np.ndarray, Y: np.ndarray, uniforms: np.ndarray | None = None
) -> tuple[State, Outcome]:
    """Play the rows of X (T, d) with labels Y (T, M); the given state is left as it is."""
    return advance_in_place(spec, copy(state), X, Y, uniforms)


def advance_in_place(
    spec: Specification,
    state: State,
    X: np.ndarray,
    Y: np.ndarray,
    uniforms: np.ndarray | None = None,
    weights: np.ndarray = NO_WEIGHTS,
    said: Outcome | None = None,
) -> tuple[State, Outcome]:
    """The same, updating the arrays of the state; go on with the state that is returned.

    X and Y are checked matrices (see messages.py). uniforms decide the rounds; without them, the numbers of the
    specification's seed do. said holds the arms, their probabilities and the predictions of rounds whose predictions
    were given earlier: then there is only the learning left to do.
    """
    total, width = X.shape
    if width != spec.n_inputs or Y.shape != (total, spec.n_outputs):
        raise ValueError(
            f"The specification has {spec.n_inputs} inputs and {spec.n_outputs} outputs, "
            f"but X is {X.shape} and Y {Y.shape}."
        )
    out = said or Outcome(np.empty(total, np.int64), np.empty(total), np.empty(Y.shape), np.empty(total), None)
    done = 0
    while done < total:
        state, left = tuned(spec, state)
        stop = min(total, done + left)
        numbers = arm_numbers(spec, state.rounds, stop - done) if uniforms is None else uniforms[done:stop]
        rows: Any = X, Y, weights, numbers, said is not None, out.arms, out.probabilities, out.predictions, out.losses
        if stop - done < total:
            X_, Y_, weights_, _, asked, *results = rows
            rows = X_[done:stop], Y_[done:stop], weights_[done:stop], numbers, asked, *(r[done:stop] for r in results)
        rounds, diverged = play(*state[:3], *state.ledger, *spec.rules, *rows)
        done += rounds
        if diverged:
            for array in (out.predictions, out.losses, out.probabilities):
                array[done:] = np.nan
            out.arms[done:] = -1
            return state, out._replace(diverged=done)
        if done < stop:
            grow(state.space)
    if spec.row.plays_all:
        out.arms[:], out.probabilities[:] = -1, np.nan
    return state, out


def values(state: State, X: np.ndarray, arms: Iterable[int] | None = None) -> np.ndarray:
    """What the hypotheses say to the rows of X: (T, K, M), zero for arms not asked or without a seat."""
    count = len(state.probabilities)
    out = np.zeros((len(X), count, n_outputs(state)))
    for arm in range(count) if arms is None else arms:
        if _seat(state, arm) >= 0:
            out[:, arm] = _evaluate(state, arm, X)
    return out


def predict(spec: Specification, state: State, X: np.ndarray, u: float | None = None) -> tuple[np.ndarray, int, float]:
    """What the arm drawn by u says to the rows of X, (T, M), or the one in the lead; the arm and its probability.

    Where all arms play, their common prediction.
    """
    p = state.probabilities
    if spec.row.plays_all:
        return _common(spec, state, X), 0, 1.0
    if u is None:
        arm = int(p.argmax())
        return _evaluate(state, arm, X), arm, float(p[arm])
    if isinstance(state.selector, Leader):
        arm = int(state.selector.race[SPEAKER])
        return _evaluate(state, arm, X), arm, 1.0
    arm = _pick(p.tolist(), u)
    return _evaluate(state, arm, X), arm, float(p[arm])


def _pick(p: list[float], u: float) -> int:
    """As selectors.pick does in compiled code."""
    total = 0.0
    for arm, chance in enumerate(p):
        total += chance
        if u < total:
            return arm
    return len(p) - 1


def _seat(state: State, arm: int) -> int:
    return int(state.selector.seat[arm]) if isinstance(state.selector, Leader) else arm


def _evaluate(state: State, arm: int, X: np.ndarray) -> np.ndarray:
    # All gradient learners answer alike: one of them stands for all, so that it is compiled once.
    learner = state.learner if learner_name(state.learner) != GRADIENT else ANY_GRADIENT
    out = np.empty((len(X), n_outputs(state)))
    evaluate_rows(state.space, learner, arm, _seat(state, arm), X, out)
    return out


def _common(spec: Specification, state: State, X: np.ndarray) -> np.ndarray:
    total = len(X)
    out, numbers = np.empty((total, spec.n_outputs)), np.zeros(total)
    rows: Any = X, out, NO_WEIGHTS, numbers, False, np.empty(total, np.int64), np.empty(total), out, NO_LOSSES
    play(*state[:3], *state.ledger, *spec.rules, *rows)
    return out


def n_outputs(state: State) -> int:
    held = state.space.coefficients if isinstance(state.space, Examples) else state.space.weights
    return int(held.shape[1])


def tuned(spec: Specification, state: State) -> tuple[State, int]:
    """The state with the rates of its epoch, and the rounds that may be played with them in one call.

    Arrays are kept, constants are computed anew.
    """
    if not spec.has_epochs:
        return state, CALL_ROWS
    rounds = state.rounds
    horizon = _horizon(spec, rounds)
    if rounds >= FIRST_EPOCH:
        problem = spec.problem(horizon)
        state = state._replace(selector=_keep_arrays(state.selector, spec.row.selector(problem)))
        if not spec.row.has_memory:
            state = state._replace(learner=_keep_arrays(state.learner, spec.row.learner(problem)))
    return state, min(CALL_ROWS, horizon - rounds)


def arm_numbers(spec: Specification, position: int, count: int) -> np.ndarray:
    """The numbers that decide rounds position .. position + count - 1 (from 0)."""
    page, offset = divmod(position, PAGE)
    if offset + count <= PAGE:
        return _page(spec.random_state, page)[offset : offset + count]
    return rng.uniforms(spec.random_state, "arms", position, count)


@lru_cache(maxsize=256)
def _page(seed: int, page: int) -> np.ndarray:
    return rng.uniforms(seed, "arms", page * PAGE, PAGE)


def _horizon(spec: Specification, rounds: int) -> int:
    """T of the formulas after that many rounds."""
    if spec.horizon is not None:
        return spec.horizon
    horizon = FIRST_EPOCH
    while horizon <= rounds:
        horizon *= 2
    return horizon


def _keep_arrays(old: T, new: T) -> T:
    arrays = {name: value for name, value in old._asdict().items() if isinstance(value, np.ndarray)}  # type: ignore[attr-defined]
    return new._replace(**arrays)  # type: ignore[attr-defined, no-any-return]


def arrays(state: State) -> dict[str, np.ndarray]:
    """All arrays of a state by name: with the specification, they are the whole of it."""
    return {
        f"{part}.{name}": value
        for part, fields in state._asdict().items()
        for name, value in fields._asdict().items()
        if isinstance(value, np.ndarray)
    }


def restore(spec: Specification, saved: dict[str, np.ndarray]) -> State:
    """The state whose arrays these are."""
    state = start(spec)
    for part, fields in state._asdict().items():
        own = {
            name: np.array(saved[f"{part}.{name}"]) for name, v in fields._asdict().items() if isinstance(v, np.ndarray)
        }
        state = state._replace(**{part: fields._replace(**own)})
    return tuned(spec, state)[0]


def copy(state: State) -> State:
    """An independent state."""
    return State(
        *(
            part._replace(**{n: v.copy() for n, v in part._asdict().items() if isinstance(v, np.ndarray)})
            for part in state
        )
    )
