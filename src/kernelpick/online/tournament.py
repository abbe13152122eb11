"""Who plays, where kernels are more than a leader keeps ready: heats over the first rows, then the better half."""

from collections.abc import Callable

import numpy as np

from kernelpick.core import Specification, State, advance_in_place
from kernelpick.core.loop import Rows
from kernelpick.core.rounds import BLOCK
from kernelpick.core.selectors.leader import seats_for

TELLING = 32  # rows of other classes than the most frequent one that an opening is to have,
LONGEST = 8192  # if it need not be longer than that
HEATS = 64  # rows with which all kernels are still compared; after that, those who have a seat keep it


def seated(start: Callable[[], State], arms: np.ndarray, opening: int) -> State:
    """A new state in which these arms take part, and all of them play for that many rounds."""
    state = start()
    state.selector.enter(arms, opening)
    return state


def opening_for(Y: np.ndarray) -> int:
    """How long all kernels play that begin with these labels (T, M): these rows, or more where classes are rare.

    Rows of the most frequent class tell little of a width. As long as there are few others, who leads is chance, and
    kernels that do not play miss the few that come: they all play until others are expected to be TELLING.
    """
    rows, counts = len(Y), (Y > 0).sum(axis=0)
    most = max(counts[0], rows - counts[0]) if Y.shape[1] == 1 else counts.max()
    others = rows - int(most)
    return rows if others >= TELLING else min(LONGEST, rows * TELLING // (others + 1) // BLOCK * BLOCK)


def finalists(spec: Specification, start: Callable[[], State], before: State | None, rows: Rows) -> np.ndarray:
    """The arms that play from now on: all of them, if there are seats enough.

    Otherwise the best, and others of the better half, evenly spaced in the order in which they were given: what is
    best with few rows need not be so with many, and neighbours in a grid of widths are nearly the same.
    """
    arms, seats = len(spec.kernels), seats_for(len(spec.kernels), spec.hypotheses)
    if arms == seats or len(rows.X) == 0:
        return np.arange(seats)
    if before is not None and len(rows.X) > HEATS:
        return np.flatnonzero(before.selector.seat >= 0)
    scores = np.empty(arms)
    for heat in np.array_split(np.arange(arms), -(-arms // seats)):
        state = seated(start, heat, len(rows.X))
        state, _ = advance_in_place(spec, state, rows.X, rows.Y, rows.numbers, rows.weights, skips=True)
        scores[heat] = state.selector.score[heat]
    better = np.sort(scores.argsort(kind="stable")[: max(seats, arms // 2)])
    chosen = better[np.linspace(0, len(better) - 1, seats).round().astype(int)]
    if scores.argmin() not in chosen:
        chosen[abs(chosen - scores.argmin()).argmin()] = scores.argmin()
    return np.sort(chosen)
