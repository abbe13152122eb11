"""What the selectors that draw one arm have in common: that arm alone predicts, and its loss is the cost."""

from typing import Any

import numpy as np

from ..losses import value
from . import appraise, combine, draw, pick, takes_all


def plays_one(cls: type) -> type:
    """Register the operations of a selector that draws one arm a round from its p."""

    @draw.register(cls)
    def _draw(selector: Any, u: float) -> tuple[int, int, float]:
        arm = pick(selector.p, u)
        return arm, arm + 1, selector.p[arm]

    @combine.register(cls)
    def _combine(selector: Any, values: np.ndarray, first: int, last: int, f: np.ndarray) -> None:
        for m in range(len(f)):
            f[m] = values[first, m]

    @appraise.register(cls)
    def _appraise(
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
        total = penalties[first]
        for m in range(Y.shape[1]):
            total += value(loss, predictions[row, m], Y[row, m])
        costs[first] = total

    return takes_all(cls)
