"""One round, and many rounds: the compiled loop that every algorithm runs through.

    draw -> answer -> combine -> [label] -> appraise -> improve -> select

The parts are named tuples that pick their own code by type (see compilation.dispatch), so this loop is written once.
It updates their arrays in place; nothing here is random, and nothing looks at a label before its prediction is made.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .compilation import compiled
from .learners import accepts, answer, improve, notes, penalty
from .losses import value
from .selectors import appraise, combine, draw, place, renew, select, speaker
from .spaces import block_size, has_room, hypotheses, look_ahead, squared_norm, workspace


class Ledger(NamedTuple):
    """The books that learners and selectors share."""

    clock: np.ndarray  # (1,) rounds played
    total: np.ndarray  # (1,) the sum of all importance-weighted costs
    losses: np.ndarray  # (K,) the same for each arm


@compiled
def play(
    space: Any,
    learner: Any,
    selector: Any,
    clock: np.ndarray,
    total: np.ndarray,
    arm_losses: np.ndarray,
    loss_code: int,
    follows_margin: bool,
    capped: bool,
    X: np.ndarray,
    Y: np.ndarray,
    weights: np.ndarray,
    uniforms: np.ndarray,
    asked: bool,
    arms: np.ndarray,
    probabilities: np.ndarray,
    predictions: np.ndarray,
    losses: np.ndarray,
) -> tuple[int, bool]:
    """Play the rows of X; what happened goes into the last four arrays. (rounds played, whether it diverged)

    It stops early before a round for which the space has no room, and at a round whose loss is not finite, from which
    nothing is learned. weights is empty where all rows weigh 1. follows_margin: the published OKS++ with logistic loss,
    where b is replaced by exp(-y f). capped: no update moves a prediction beyond its label.

    With asked, the predictions were given earlier and the labels come now: arms, probabilities and predictions hold
    what was drawn and said then. The loss is that of what was said; what is learned is learned by the hypothesis as it
    is now. Without room for losses there are only predictions and nothing is changed.
    """
    ledger = Ledger(clock, total, arm_losses)  # made here: a named tuple takes a microsecond to pass in
    count, outputs, learns = len(selector.p), Y.shape[1], len(losses) > 0
    first, last, p = draw(selector, 0.0)
    work = workspace(space, len(X), last - first)
    scratch = notes(learner, space, len(X), outputs)
    values, f, at = np.empty((count, outputs)), np.empty(outputs), np.empty(outputs)
    costs, penalties = np.empty(count), np.empty(count)
    start, stop = 0, 0
    for row in range(len(X)):
        if row == stop:
            start = row
            stop = min(len(X), row + block_size(space) - (ledger.clock[0] % block_size(space) if learns else 0))
            look_ahead(space, work, X, start, stop)
        if learns and not has_room(space):
            return row, False

        # predict
        u, weight = uniforms[row], weights[row] if len(weights) else 1.0
        first, last, p = draw(selector, u)
        if asked and p < 1.0:
            first, last, p = arms[row], arms[row] + 1, probabilities[row]
        for arm in range(first, last):
            seat = place(selector, arm)
            if seat >= 0:
                expected = p if learns else -1.0
                answer(learner, scratch, space, work, X, row, row - start, arm, seat, expected, values)
        combine(selector, values, first, last, f)
        if not asked:
            arms[row] = speaker(selector, first)
            probabilities[row] = p
            for m in range(outputs):
                predictions[row, m] = f[m]
        if not learns:
            continue

        # the label comes
        loss, margin = 0.0, 0.0
        for m in range(outputs):
            loss += value(loss_code, predictions[row, m], Y[row, m])
            if follows_margin:
                margin += math.exp(-Y[row, m] * predictions[row, m]) / outputs
        losses[row] = loss
        if not math.isfinite(loss):
            return row, True
        ledger.clock[0] += 1
        for arm in range(first, last):
            costs[arm] = 0.0
            penalties[arm] = penalty(learner) * squared_norm(space, arm) if penalty(learner) > 0.0 else 0.0
        appraise(selector, loss_code, values, predictions, Y, row, first, last, penalties, costs)
        for arm in range(first, last):
            costs[arm] *= weight
            ledger.losses[arm] += costs[arm] / p
            ledger.total[0] += costs[arm] / p

        # learn
        if accepts(learner, ledger.clock[0], u):
            own = hypotheses(space, first, last)
            for arm in range(first, own):
                seat = place(selector, arm)
                if seat >= 0:
                    for m in range(outputs):
                        at[m] = values[arm, m] if own == last else f[m]  # a shared hypothesis learns at what all say
                    improve(
                        learner, scratch, space, work, ledger, X, Y, row, row - start, arm, seat, loss_code, at, values,
                        weight, p, margin, capped,
                    )  # fmt: skip
        select(selector, ledger, first, costs, p, margin, u)
        renew(selector, learner, space)
    return len(X), False


@compiled
def evaluate_rows(space: Any, learner: Any, arm: int, seat: int, X: np.ndarray, out: np.ndarray) -> None:
    """out[row, m]: what one arm, which the learner keeps at that seat, says to the rows of X."""
    work = workspace(space, len(X), 1)
    scratch = notes(learner, space, len(X), out.shape[1])
    values = np.empty((arm + 1, out.shape[1]))
    for start in range(0, len(X), block_size(space)):
        stop = min(start + block_size(space), len(X))
        look_ahead(space, work, X, start, stop)
        for row in range(start, stop):
            answer(learner, scratch, space, work, X, row, row - start, arm, seat, -1.0, values)
            for m in range(out.shape[1]):
                out[row, m] = values[arm, m]
