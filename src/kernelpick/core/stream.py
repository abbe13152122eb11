"""The streaming core: start a state, advance it by rows, ask it for predictions.

What comes out depends on (specification, state, rows, random numbers) alone, and not on how the rows are cut into
calls.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from kernelpick.core import loop
from kernelpick.core.loop import Rows, play
from kernelpick.core.numerics import rng
from kernelpick.core.numerics.compilation import machine_code
from kernelpick.core.record import CHANCE, SAID, SPEAKER, Outcome, Turn, asking, new_record
from kernelpick.core.specification import Specification
from kernelpick.core.state import State, build, copy, start_afresh, with_rates

FIRST_EPOCH = 1024  # rounds that the rates are set for when nobody knows the horizon; doubled each time it is outrun
CALL_ROWS = 1024  # rows a compiled call plays at most: between calls, Ctrl-C is heard
PAGE = 1024  # random numbers that are made at a time
NO_WEIGHTS = np.zeros(0)
DOUBLE = np.dtype(np.float64)
MATRIX = np.zeros((1, 1))
NO_NUMBERS = np.zeros((0, 1))
ROWS = Rows(MATRIX, MATRIX, NO_WEIGHTS, MATRIX)  # of the types of all rows


def start(spec: Specification, frequencies: np.ndarray | None = None) -> State:
    """The state before the first round. frequencies, standard normal rows, replace those of the seed."""
    return build(spec.row, spec.problem(_horizon(spec, 0), frequencies))


def advance(
    spec: Specification, before: State, X: np.ndarray, Y: np.ndarray, uniforms: np.ndarray | None = None
) -> tuple[State, Outcome]:
    """Play the rows of X (T, d) with labels Y (T, M); the given state is left as it is."""
    return advance_in_place(spec, copy(before), X, Y, uniforms)


def advance_in_place(
    spec: Specification,
    state: State,
    X: np.ndarray,
    Y: np.ndarray,
    uniforms: np.ndarray | None = None,
    weights: np.ndarray = NO_WEIGHTS,
    record: np.ndarray | None = None,
    skips: bool = False,
) -> tuple[State, Outcome]:
    """The same, updating the arrays of the state; go on with the state that is returned.

    X and Y are checked matrices (see messages.py). uniforms (T, n) decide the rounds; without them, the numbers
    of the specification's seed do. A record tells what was drawn and said to these rows earlier (see `draw`): then
    there is only the learning left to do. A row whose loss is not finite ends the run; with skips it only teaches
    nothing.
    """
    total, width = X.shape
    if width != spec.n_inputs or Y.shape != (total, spec.n_outputs):
        raise ValueError(
            f"The specification has {spec.n_inputs} inputs and {spec.n_outputs} outputs, "
            f"but X is {X.shape} and Y {Y.shape}."
        )
    rows = Rows(_plain(X), _plain(Y), weights, NO_NUMBERS if uniforms is None else uniforms)
    return play_rows(spec, state, rows, record, skips)


def play_rows(
    spec: Specification, state: State, rows: Rows, record: np.ndarray | None = None, skips: bool = False
) -> tuple[State, Outcome]:
    """The same for rows that are known to be as machine code takes them for granted (see numerics/compilation.py)."""
    total = len(rows.X)
    mode, record = (spec.mode, new_record(spec, total)) if record is None else (spec.mode | loop.ASKED, record)
    done, diverged, turns, seeded = 0, None, [], not len(rows.numbers)
    while done < total:
        state, left = tuned(spec, state)
        coming, into = rows, record
        if done or left < total:  # slicing takes as long as a round
            part = slice(done, min(total, done + left))
            coming, into = Rows(*(given[part] for given in rows)), record[part]
        if seeded:
            numbers = arm_numbers(spec, state.rounds, len(coming.X))
            coming = Rows(coming.X, coming.Y, coming.weights, numbers)  # _replace takes three times as long
        rounds, why = _play(state, spec.loss_key, mode, coming, into)
        done += rounds
        if why == loop.NO_ROOM:
            state = state._replace(space=state.space.grown())
        elif why == loop.TURN:
            turns.append(turn(state, done))
        elif why == loop.OVERFLOW:
            diverged = done if diverged is None else diverged
            done += 1
            if not skips:
                record[diverged:] = np.nan
                break
    return state, Outcome(spec, record, diverged, turns)


def turn(state: State, done: int) -> Turn:
    """After the loop came back for a turn, with so many rows of the call played; who is to start afresh, has."""
    challenged = bool(state.selector.fresh.any())
    noted = Turn(done, state.rounds, challenged, state.leader, state.losses)
    start_afresh(state)
    return noted


def _plain(matrix: np.ndarray) -> np.ndarray:
    """As machine code takes it for granted: double precision, row after row."""
    if matrix.dtype is DOUBLE and matrix.flags.c_contiguous:
        return matrix
    return np.ascontiguousarray(matrix, dtype=DOUBLE)


def _play(state: State, loss: Any, mode: int, rows: Rows, record: np.ndarray) -> tuple[int, int]:
    """loop.play, found once for a state."""
    code = state.machine_code.get(type(loss))
    if code is None:
        code = state.machine_code[type(loss)] = machine_code(play, state.packed, loss, mode, ROWS, MATRIX)
    rounds, why = code(state.packed.address, loss, mode, rows, record)
    if why == loop.TOO_MANY:
        own = type(state.selector)
        raise ValueError(
            f"The selector {own.name!r} let more arms play in a round than it says: raise drawn={own.drawn} in its "
            "declaration, or leave it out where any number of arms may play."
        )
    return rounds, why


def values(spec: Specification, state: State, X: np.ndarray, arms: Iterable[int] | None = None) -> np.ndarray:
    """What the hypotheses say to the rows of X: (T, K, M), zero for arms not asked or without a seat."""
    count = len(state.probabilities)
    out = np.zeros((len(X), count, spec.n_outputs))
    for arm in range(count) if arms is None else arms:
        if state.seat(arm) >= 0:
            out[:, arm] = _evaluate(spec, state, arm, X)
    return out


def predict(
    spec: Specification, state: State, X: np.ndarray, u: float | np.ndarray | None = None
) -> tuple[np.ndarray, int, float]:
    """What the arm drawn by u says to the rows of X, (T, M), or the one in the lead; the arm and its probability.

    Where several arms say it together, their common prediction.
    """
    selector, p = state.selector, state.probabilities
    if selector.plays_all or (u is not None and not selector.by_p and selector.speaker is None):
        said = draw(spec, state, X, 0.0 if u is None else u)
        first = SAID + spec.n_outputs
        chance = float(said[0, first + CHANCE]) if spec.n_drawn else 1.0
        return said[:, SAID:first], int(said[0, SPEAKER]), chance
    if u is None:
        arm = int(p.argmax())
    elif selector.by_p:
        arm = _pick(p.tolist(), u.item() if isinstance(u, np.ndarray) else u)
    else:
        return _evaluate(spec, state, selector.speaker, X), selector.speaker, 1.0
    return _evaluate(spec, state, arm, X), arm, float(p[arm])


def _pick(p: list[float], u: float) -> int:
    """As selectors.weights.pick does in compiled code."""
    total = 0.0
    for arm, chance in enumerate(p):
        total += chance
        if u < total:
            return arm
    return len(p) - 1


def draw(spec: Specification, state: State, X: np.ndarray, u: float | np.ndarray) -> np.ndarray:
    """The record of predictions to the rows of X, all of them by the players that these random numbers decide."""
    record = new_record(spec, len(X))
    numbers = np.resize(np.asarray(u, dtype=DOUBLE), (1, spec.row.numbers))
    rows = Rows(_plain(X), np.empty((len(X), spec.n_outputs)), NO_WEIGHTS, numbers)
    _play(state, spec.loss_key, loop.ONLY_PREDICTS, rows, record)
    return record


def _evaluate(spec: Specification, state: State, arm: int, X: np.ndarray) -> np.ndarray:
    """What one arm says, (T, M)."""
    record, outputs = asking(spec, len(X), arm, state.seat(arm)), spec.n_outputs
    rows = Rows(_plain(X), np.empty((0, outputs)), NO_WEIGHTS, NO_NUMBERS)
    _play(state, spec.loss_key, loop.ASKED | loop.ONLY_PREDICTS, rows, record)
    return np.ascontiguousarray(record[:, SAID : SAID + outputs])


def tuned(spec: Specification, state: State, always: bool = False) -> tuple[State, int]:
    """The state with the rates of its epoch, and the rounds that may be played with them in one call.

    Arrays are kept, constants are computed anew: where an epoch begins, or always.
    """
    if not spec.has_epochs:
        return state, CALL_ROWS
    rounds = state.rounds
    horizon = _horizon(spec, rounds)
    if rounds >= FIRST_EPOCH and (always or 2 * rounds == horizon):
        problem = spec.problem(horizon)
        state = state._replace(selector=with_rates(state.selector, spec.row.selector.build(problem)))
        if state.learner.uses_horizon:
            state = state._replace(learner=with_rates(state.learner, spec.learner.build(problem)))
    return state, min(CALL_ROWS, horizon - rounds)


def arm_numbers(spec: Specification, position: int, count: int) -> np.ndarray:
    """The numbers (count, n) that decide rounds position .. position + count - 1 (from 0)."""
    page, offset = divmod(position, PAGE)
    if offset + count <= PAGE:  # usually: a slice of numbers that are there
        return page_of_numbers(spec.random_state, page, spec.row.numbers)[offset : offset + count]
    return _numbers(spec.random_state, position, count, spec.row.numbers)


@lru_cache(maxsize=256)
def page_of_numbers(seed: int, page: int, each: int) -> np.ndarray:
    return _numbers(seed, page * PAGE, PAGE, each)


def _numbers(seed: int, position: int, count: int, each: int) -> np.ndarray:
    """The first number of a round is that of the stream "arms"; further ones have streams of their own."""
    streams = ["arms", *(f"arms/{i}" for i in range(1, each))]
    return np.stack([rng.uniforms(seed, name, position, count) for name in streams], axis=1)


def _horizon(spec: Specification, rounds: int) -> int:
    """T of the formulas after that many rounds."""
    if spec.horizon is not None:
        return spec.horizon
    return max(FIRST_EPOCH, 1 << rounds.bit_length())  # the next power of two
