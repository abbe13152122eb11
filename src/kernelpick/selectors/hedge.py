"""Full information: all arms play, their weighted mean is the prediction (Raker, LKMBooks)."""

from typing import Any, NamedTuple

import numpy as np

from ..losses import slope, value
from . import appraise, combine, draw, select, soften, takes_all


class Hedge(NamedTuple):
    """Each arm pays for its own prediction."""

    eta: float
    largest: float  # lmax: costs are divided by it
    p: np.ndarray


class LinearHedge(NamedTuple):
    """Each arm pays by the slope of the loss at the common prediction."""

    eta: float
    p: np.ndarray
    span: np.ndarray  # (1,) S: the largest difference between two arms so far, at least 1


def plays_all(cls: type) -> None:
    """Register what the two have in common."""
    takes_all(cls)

    @draw.register(cls)
    def _draw(selector: Any, u: float) -> tuple[int, int, float]:
        return 0, len(selector.p), 1.0

    @combine.register(cls)
    def _combine(selector: Any, values: np.ndarray, first: int, last: int, f: np.ndarray) -> None:
        for m in range(len(f)):
            f[m] = 0.0
            for i in range(len(selector.p)):
                f[m] += selector.p[i] * values[i, m]

    @select.register(cls)
    def _select(selector: Any, ledger: Any, arm: int, costs: np.ndarray, p: float, margin: float, u: float) -> None:
        soften(ledger.losses, selector.eta, selector.p)


plays_all(Hedge)
plays_all(LinearHedge)


@appraise.register(Hedge)
def _own_losses(
    selector: Any,
    loss: int,
    values: np.ndarray,
    predictions: np.ndarray,
    Y: np.ndarray,
    row: int,
    first: int,
    last: int,
    penalties: np.ndarray,
    costs: np.ndarray,
) -> None:
    for i in range(first, last):
        total = penalties[i]
        for m in range(Y.shape[1]):
            total += value(loss, values[i, m], Y[row, m])
        costs[i] = total / selector.largest


@appraise.register(LinearHedge)
def _linear_losses(
    selector: Any,
    loss: int,
    values: np.ndarray,
    predictions: np.ndarray,
    Y: np.ndarray,
    row: int,
    first: int,
    last: int,
    penalties: np.ndarray,
    costs: np.ndarray,
) -> None:
    widest = selector.span[0]
    for i in range(first, last):
        costs[i] = 0.0
    for m in range(Y.shape[1]):
        g = slope(loss, predictions[row, m], Y[row, m])
        lowest, highest = values[first, m], values[first, m]
        for i in range(first, last):
            lowest, highest = min(lowest, values[i, m]), max(highest, values[i, m])
        best = lowest if g > 0.0 else highest  # r: the arm that the slope favours costs nothing
        for i in range(first, last):
            costs[i] += g * (values[i, m] - best) / selector.span[0]
        widest = max(widest, highest - lowest)
    selector.span[0] = widest
