"""What a run leaves, and the ways to make one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelpick.core.losses import values
from kernelpick.core.record import ARM, Outcome
from kernelpick.core.specification import Specification
from kernelpick.core.stream import advance_in_place, arm_numbers
from kernelpick.online.warning import warn

EXPLODED = 1e3  # a loss so many times the largest one of always predicting 0


@dataclass(frozen=True)
class Trace:
    """What happened, round by round."""

    arms: np.ndarray  # (T,) the arm that predicted; -1 where all arms play. bao2ks: (T, 2), that one and who learned
    probabilities: np.ndarray  # (T,) of that arm; NaN where all play
    predictions: np.ndarray  # (T,) f_t
    losses: np.ndarray  # (T,)
    weights: np.ndarray  # (K,) p after the last round
    players: (
        np.ndarray
    )  # (T, n) all arms that were drawn, each with a part of its own, -1: none; n = 0 where none is drawn
    every_p: np.ndarray | None = None  # (T, K) p of all arms before each round, on request
    playing: np.ndarray | None = None  # (T, K) who played, on request
    size: str = ""  # what a time budget has bought, in words

    def parts_from(self, arms: Any, predictions: Any, tolerance: float = 1e-6) -> str:
        """Where another implementation of the same run parts from this one, as a sentence; "" if the two agree.

        They agree if the arms are the same, and predictions up to tolerance * max(1, abs(prediction)).

        >>> import numpy as np, kernelpick
        >>> run = kernelpick.trace("oks", np.ones((3, 1)), np.zeros(3), loss="square", widths=[1.0])
        >>> run.parts_from([0, 0, 0], [0.0, 0.0, 0.0]), run.parts_from([0, 0, 0], [0.0, 0.1, 0.0])
        ('', 'The two part in round 1: arm 0 says 0.0 here, and arm 0 says 0.1 there.')
        """
        arms, predictions = np.asarray(arms), np.asarray(predictions, dtype=float)
        error = np.abs(self.predictions - predictions) / np.maximum(1, np.abs(predictions))
        others = (self.arms != arms).reshape(len(error), -1).any(axis=1)
        apart = np.flatnonzero(others | ~(error <= tolerance))
        if len(apart) == 0:
            return ""
        here, there = self.predictions[apart[0]], predictions[apart[0]]
        said = f"arm {self.arms[apart[0]]} says {here} here, and arm {arms[apart[0]]} says {there} there"
        return f"The two part in round {apart[0]}: {said}."

    def __repr__(self) -> str:
        size = f", {self.size}" * bool(self.size)
        return f"Trace({len(self.arms)} rounds, mean loss {self.losses.mean():.4g}, {len(self.weights)} kernels{size})"


def in_a_batch(spec: Specification, state: Any, X: np.ndarray, Y: np.ndarray, uniforms: np.ndarray | None) -> Trace:
    state, outcome = advance_in_place(spec, state, X, Y, uniforms)
    players = outcome.players[:, :, ARM]
    return Trace(
        outcome.shown_arms,
        outcome.probabilities,
        np.ascontiguousarray(outcome.predictions[:, 0]),
        np.ascontiguousarray(outcome.losses),
        state.probabilities.copy(),
        np.where(np.isnan(players), -1, players).astype(np.int64),
    )


def row_by_row(spec: Specification, state: Any, X: np.ndarray, Y: np.ndarray, uniforms: np.ndarray | None) -> Trace:
    """The same bits, with a look at the state before each round."""
    every_p, playing = np.full((len(X), len(spec.kernels)), np.nan), np.zeros((len(X), len(spec.kernels)), bool)
    runs = []
    for t in range(len(X)):
        one = slice(t, t + 1)
        every_p[t] = state.probabilities
        if hasattr(state.selector, "playing"):
            playing[t] = state.selector.playing
        numbers = arm_numbers(spec, t, 1) if uniforms is None else uniforms[one]
        state, outcome = advance_in_place(spec, state, X[one], Y[one], numbers)
        runs.append(outcome)
        if outcome.diverged is not None:
            break
    record = np.full((len(X), runs[0].record.shape[1]), np.nan)
    record[: len(runs)] = np.concatenate([outcome.record for outcome in runs])
    whole = Outcome(spec, record, len(runs) - 1 if runs[-1].diverged is not None else None)
    players = np.where(np.isnan(whole.players[:, :, ARM]), -1, whole.players[:, :, ARM]).astype(np.int64)
    for t, arms in enumerate(players):
        playing[t, arms[arms >= 0]] = True
    if spec.row.selector.plays_all:
        playing[:] = True
    said = np.ascontiguousarray(whole.predictions[:, 0]), np.ascontiguousarray(whole.losses)
    return Trace(whole.shown_arms, whole.probabilities, *said, state.probabilities.copy(), players, every_p, playing)


def with_fits(
    spec: Specification, own: tuple[bool, bool], X: np.ndarray, y: np.ndarray, uniforms: np.ndarray | None
) -> Trace:
    """An algorithm that finds scales by itself, and widths and how long to remember where these are its own choice.

    What it stands on is loaded when it is asked for."""
    from kernelpick.online.model import Model
    from kernelpick.online.plan import Plan

    regression = not spec.loss_row.classifies
    memories = own[1] and spec.row.size.beside and spec.row.needs_smooth
    model = Model(Plan(spec, own[0], "standard", regression, memories=memories))
    said = model.learn(X, y[:, None], numbers=uniforms)
    predictions = said.in_units()[:, 0]
    arms = said.arms
    if said.diverged is not None:
        predictions[said.diverged :], arms[said.diverged :] = np.nan, -1
    chosen = model.probabilities if model.state else np.full(len(spec.kernels), 1 / len(spec.kernels))
    losses = values(spec.loss_key, predictions, y)
    nobody = np.zeros((len(X), 0), dtype=np.int64)
    return Trace(arms, np.where(arms < 0, np.nan, 1.0), predictions, losses, chosen, nobody)


def warn_of_large_losses(spec: Specification, run: Trace, y: np.ndarray) -> None:
    """Losses that overflow, or that are so large that something else must be wrong than the choice of a kernel."""
    lost = np.flatnonzero(~np.isfinite(run.losses))
    usual = values(spec.loss_key, np.zeros_like(y), y).max()
    high = np.flatnonzero(run.losses > EXPLODED * max(usual, np.finfo(float).tiny))
    cure = "a smaller step_scale prevents it"
    if len(lost):
        problem = f"diverged: the loss overflowed in round {lost[0]}"
        if not np.isfinite(usual):
            cure = "smaller targets prevent it"
        elif not spec.loss_row.classifies:
            cure = "a smaller step_scale or smaller targets prevent it"
    elif len(high):
        worst = int(run.losses.argmax())
        problem = (
            f"explodes: the loss is {run.losses[worst]:.2g} in round {worst}, and above {EXPLODED * usual:.2g} in "
            f"{len(high)} rounds, where predicting 0 always would cost {usual:.2g} at most"
        )
    else:
        return
    warn(f"{spec.name} {problem}; {cure}.", RuntimeWarning)
